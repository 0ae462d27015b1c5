//! A function to what makes a tool of it. The function stays as it was, so that tests call it.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, ItemFn, LitStr};

use crate::description;
use crate::options::{Options, tool_name};
use crate::signature::{Function, unraw};

/// Expands `#[tool] fn`.
pub(crate) fn function(options: &Options, mut item: ItemFn) -> syn::Result<TokenStream> {
    let function = Function::read(&mut item.sig)?;
    if function.has_receiver {
        let what = "a method is a tool where its `impl` block is marked `#[tools]`";
        return Err(syn::Error::new_spanned(&item.sig.inputs, what));
    }
    let definition = definition(options, &function, &item.attrs)?;
    let arguments = function.arguments();
    let tool = tool(options, &function, &definition, &quote! {}, &call(&function, &item.sig.ident));
    let (name, visibility) = (&item.sig.ident, &item.vis);
    // Values and types have names of their own: the type is how the tool is named.
    Ok(quote! {
        #item

        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_docs, missing_debug_implementations, clippy::all)]
        #visibility enum #name {}

        #[allow(clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            #arguments

            impl ::candor::tool::Function for #name {
                fn defined() -> ::candor::tool::DefinedTool {
                    #tool
                }
            }
        };
    })
}

fn call(function: &Function, name: &syn::Ident) -> TokenStream {
    let passing = function.passing();
    quote! { #name(#(#passing),*) }
}

/// What is published, but for the schemas.
pub(crate) fn definition(
    options: &Options,
    function: &Function,
    attributes: &[Attribute],
) -> syn::Result<TokenStream> {
    let name = match &options.name {
        Some(name) => name.clone(),
        None => tool_name(LitStr::new(&unraw(&function.name), function.name.span()))?,
    };
    let said =
        options.description.as_ref().map(LitStr::value).or_else(|| description::of(attributes));
    let Some(description) = said else {
        let what = "a tool needs a doc comment: by these words the model knows when to call it";
        return Err(syn::Error::new_spanned(&function.name, what));
    };
    let title = options.title.iter().map(|title| quote! { .title(#title) });
    let read_only = options.read_only.then(|| quote! { .read_only() });
    let destructive = options.destructive.map(|may| quote! { .destructive(#may) });
    let idempotent = options.idempotent.then(|| quote! { .idempotent() });
    let open_world = options.open_world.map(|does| quote! { .open_world(#does) });
    Ok(quote! {
        ::candor::Definition::new(#name)
            #(#title)*
            .description(#description)
            .takes::<Arguments>()
            #read_only
            #destructive
            #idempotent
            #open_world
    })
}

/// The expression that makes the tool. `sharing` stands before each call; `call` is the call of
/// the function.
pub(crate) fn tool(
    options: &Options,
    function: &Function,
    definition: &TokenStream,
    sharing: &TokenStream,
    call: &TokenStream,
) -> TokenStream {
    let (taking, needs) = (function.taking(), function.needs());
    let needing =
        (!needs.is_empty()).then(|| quote! { .needing([#(#needs),*].into_iter().flatten()) });
    let (maker, body) = match (function.is_async, options.inline) {
        (true, false) => (quote! { asynchronous }, quote! { async move { #call.await } }),
        (true, true) => (quote! { polled }, quote! { async move { #call.await } }),
        (false, false) => (quote! { blocking }, quote! { move || #call }),
        (false, true) => (quote! { inline }, call.clone()),
    };
    let answer = function.answer.as_ref().map(|answer| {
        quote_spanned! {answer.span()=> ::candor::__private::answers::<#answer>(); }
    });
    let time = options.timeout.map(|time| {
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        quote! { .within(::core::time::Duration::from_millis(#milliseconds)) }
    });
    let rate = options.rate.as_ref().map(|rate| quote! { .rate(::candor::__private::rate(#rate)) });
    let at_once = options.concurrency.map(|at_once| {
        quote! { .at_once(const { ::core::num::NonZeroU32::new(#at_once).unwrap() }) }
    });
    let turns = (rate.is_some() || at_once.is_some())
        .then(|| quote! { .limited(::candor::Turns::new() #rate #at_once) });
    quote! {
        #answer
        ::candor::__private::#maker(#definition, move |call: ::candor::Call<'_>| {
            #taking
            #sharing
            ::core::result::Result::Ok(#body)
        })
        #needing
        #time
        #turns
    }
}
