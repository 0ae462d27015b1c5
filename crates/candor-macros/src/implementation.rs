//! An `impl` block to the tools that its methods are.

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::{VisitMut, visit_type_mut};
use syn::{Attribute, ImplItem, ImplItemFn, ItemImpl, Meta, Type};

use crate::expand;
use crate::options::Options;
use crate::signature::Function;

/// Expands `#[tools] impl`.
pub(crate) fn block(mut block: ItemImpl) -> syn::Result<TokenStream> {
    if let Some((path, _)) = &block.trait_ {
        let what = "tools are methods of a type itself, not of a trait";
        return Err(syn::Error::new_spanned(path, what));
    }
    let of = (*block.self_ty).clone();
    let mut tools = Vec::new();
    let mut errors: Option<syn::Error> = None;
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { continue };
        match read(method, &of) {
            Ok(tool) => tools.extend(tool),
            Err(error) => match &mut errors {
                Some(errors) => errors.combine(error),
                none => *none = Some(error),
            },
        }
    }
    if let Some(errors) = errors {
        return Err(errors);
    }
    if tools.is_empty() {
        let what = "no method here is marked `#[tool]`";
        return Err(syn::Error::new_spanned(&of, what));
    }
    let (generics, _, conditions) = block.generics.split_for_impl();
    Ok(quote! {
        #block

        #[allow(clippy::all, clippy::pedantic, clippy::nursery)]
        impl #generics ::candor::tool::Tools for #of #conditions {
            fn into_tools(self) -> ::std::vec::Vec<::candor::tool::DefinedTool> {
                let shared = ::std::sync::Arc::new(self);
                ::std::vec![#(#tools),*]
            }
        }
    })
}

/// The expression that makes a tool of a method, if it is marked as one.
fn read(method: &mut ImplItemFn, of: &Type) -> syn::Result<Option<TokenStream>> {
    let Some(at) = method.attrs.iter().position(is_tool) else { return Ok(None) };
    let attribute = method.attrs.remove(at);
    let options = match &attribute.meta {
        Meta::Path(_) => Options::default(),
        Meta::List(_) | Meta::NameValue(_) => attribute.parse_args()?,
    };
    let mut function = Function::read(&mut method.sig)?;
    // What is written outside of the block does not know `Self`.
    function.each_type(|kind| OutsideSelf(of).visit_type_mut(kind));
    let definition = expand::definition(&options, &function, &method.attrs)?;
    let (name, passing) = (&method.sig.ident, function.passing());
    let receiver = function.has_receiver.then(|| quote! { &shared, });
    let call = quote! { <#of>::#name(#receiver #(#passing),*) };
    let sharing = quote! { let shared = ::std::sync::Arc::clone(&shared); };
    let arguments = function.arguments();
    let tool = expand::tool(&options, &function, &definition, &sharing, &call);
    Ok(Some(quote! {{
        #arguments
        let shared = ::std::sync::Arc::clone(&shared);
        #tool
    }}))
}

fn is_tool(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "tool")
}

struct OutsideSelf<'a>(&'a Type);

impl VisitMut for OutsideSelf<'_> {
    fn visit_type_mut(&mut self, kind: &mut Type) {
        if matches!(kind, Type::Path(path) if path.path.is_ident("Self")) {
            *kind = self.0.clone();
        } else {
            visit_type_mut(self, kind);
        }
    }
}
