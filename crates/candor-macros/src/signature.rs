//! The parameters of a function: what of them the model sends, and what comes from the call.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Expr, FnArg, GenericArgument, Ident, Pat, PatType, PathArguments, Receiver,
    ReceiverKind, Safety, Signature, Token, Type, TypeReference,
};

/// A function that can be a tool.
pub(crate) struct Function {
    pub(crate) name: Ident,
    pub(crate) is_async: bool,
    pub(crate) has_receiver: bool,
    pub(crate) parameters: Vec<Parameter>,
    /// What it returns, where that can be named.
    pub(crate) answer: Option<Type>,
}

/// One parameter.
pub(crate) enum Parameter {
    /// The model sends it.
    Argument(Argument),
    /// It comes from the call.
    Context(Context),
}

/// A parameter that the model sends.
pub(crate) struct Argument {
    name: Ident,
    /// What it is read as.
    owned: Type,
    /// How the function takes it.
    lending: Lending,
    /// For serde and schemars, and the doc comment.
    attributes: Vec<Attribute>,
    default: Option<Expr>,
}

/// A parameter that comes from the call.
pub(crate) struct Context {
    /// What it is called between the call and the function.
    name: Ident,
    kind: Type,
    is_borrowed: bool,
}

/// How a function takes what was read.
#[derive(Clone, Copy)]
enum Lending {
    /// As it is.
    Given,
    /// `&T`; `&str` and `&[T]` are of a `String` and a `Vec<T>`.
    Borrowed,
    /// The same in an `Option`.
    BorrowedIfThere,
}

/// Types that come from the call wherever they stand.
const FROM_THE_CALL: [&str; 6] = ["Progress", "Cancellation", "Client", "Trace", "Ending", "State"];

impl Function {
    /// Reads a signature, and takes out of it the attributes that are ours.
    pub(crate) fn read(signature: &mut Signature) -> syn::Result<Self> {
        let refuse = |tokens: &dyn ToTokens, what: &str| {
            Err(syn::Error::new_spanned(tokens.to_token_stream(), what))
        };
        if !signature.generics.params.is_empty() {
            let what = "a tool cannot be generic: what it takes is published before it is called";
            return refuse(&signature.generics.params, what);
        }
        if let Safety::Unsafe(unsafety) = &signature.safety {
            return refuse(unsafety, "a tool is called by strangers, so it cannot be unsafe");
        }
        if let Some(variadic) = &signature.variadic {
            return refuse(variadic, "a tool takes arguments that have names");
        }
        let mut errors: Option<syn::Error> = None;
        let mut parameters = Vec::new();
        let mut has_receiver = false;
        for (at, input) in signature.inputs.iter_mut().enumerate() {
            let read = match input {
                FnArg::Receiver(receiver) => {
                    has_receiver = true;
                    check_receiver(receiver)
                }
                FnArg::Typed(parameter) => {
                    Parameter::read(parameter, at).map(|parameter| parameters.push(parameter))
                }
            };
            if let Err(error) = read {
                match &mut errors {
                    Some(errors) => errors.combine(error),
                    none => *none = Some(error),
                }
            }
        }
        if let Some(errors) = errors {
            return Err(errors);
        }
        let answer = match &signature.output {
            syn::ReturnType::Type(_, answer) if !is_opaque(answer) => Some((**answer).clone()),
            syn::ReturnType::Type(..) => None,
            syn::ReturnType::Default => {
                let what = "a tool answers: a model that reads nothing does not know that it worked. \
                            Return some words, such as \"Done.\"";
                return refuse(&signature.ident, what);
            }
        };
        let (name, is_async) = (signature.ident.clone(), signature.asyncness.is_some());
        Ok(Self { name, is_async, has_receiver, parameters, answer })
    }

    /// The struct that arguments are read into.
    pub(crate) fn arguments(&self) -> TokenStream {
        let arguments = self.parameters.iter().filter_map(Parameter::as_argument);
        let (mut fields, mut defaults) = (Vec::new(), Vec::new());
        for Argument { name, owned, attributes, default, .. } in arguments {
            let default = default.as_ref().map(|default| {
                let function = format_ident!("default_of_{}", unraw(name));
                let path = function.to_string();
                defaults.push(
                    quote! { fn #function() -> #owned { ::core::convert::From::from(#default) } },
                );
                quote! { #[serde(default = #path)] }
            });
            fields.push(quote! { #(#attributes)* #default #name: #owned });
        }
        quote! {
            #(#defaults)*
            #[derive(::candor::__private::serde::Deserialize, ::candor::__private::schemars::JsonSchema)]
            #[serde(crate = "::candor::__private::serde", deny_unknown_fields)]
            #[schemars(crate = "::candor::__private::schemars")]
            struct Arguments { #(#fields),* }
        }
    }

    /// What takes the parameters out of `call`.
    pub(crate) fn taking(&self) -> TokenStream {
        let names = self.parameters.iter().filter_map(Parameter::as_argument).map(|it| &it.name);
        let taken = self.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Argument(_) => None,
            Parameter::Context(Context { name, kind, .. }) => {
                Some(quote::quote_spanned! {kind.span()=>
                    let #name = <#kind as ::candor::tool::FromCall>::from_call(call)?;
                })
            }
        });
        quote! {
            let Arguments { #(#names),* } = call.read()?;
            #(#taken)*
        }
    }

    /// What the function is called with.
    pub(crate) fn passing(&self) -> Vec<TokenStream> {
        let pass = |parameter: &Parameter| match parameter {
            Parameter::Context(Context { name, is_borrowed: true, .. }) => quote! { &#name },
            Parameter::Context(Context { name, .. }) => quote! { #name },
            Parameter::Argument(Argument { name, lending, .. }) => match lending {
                Lending::Given => quote! { #name },
                Lending::Borrowed => quote! { &#name },
                Lending::BorrowedIfThere => quote! { #name.as_deref() },
            },
        };
        self.parameters.iter().map(pass).collect()
    }

    /// Rewrites the types of what it takes and gives.
    pub(crate) fn each_type(&mut self, mut rewrite: impl FnMut(&mut Type)) {
        for parameter in &mut self.parameters {
            match parameter {
                Parameter::Argument(argument) => rewrite(&mut argument.owned),
                Parameter::Context(context) => rewrite(&mut context.kind),
            }
        }
        self.answer.as_mut().into_iter().for_each(rewrite);
    }

    /// What it needs a server to have.
    pub(crate) fn needs(&self) -> Vec<TokenStream> {
        let kinds = self.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Argument(_) => None,
            Parameter::Context(context) => Some(&context.kind),
        });
        kinds.map(|kind| quote! { <#kind as ::candor::tool::FromCall>::need() }).collect()
    }
}

/// A tool is called many times at once, so it borrows what it is a method of.
fn check_receiver(receiver: &Receiver) -> syn::Result<()> {
    if matches!(receiver.kind, ReceiverKind::Reference(_, _, None)) {
        return Ok(());
    }
    let what = "calls of a tool go on at once, so its method takes `&self`; what changes stands \
                behind a `Mutex`";
    Err(syn::Error::new_spanned(receiver, what))
}

impl Parameter {
    fn read(parameter: &mut PatType, at: usize) -> syn::Result<Self> {
        let mut is_context = is_from_the_call(&parameter.ty);
        let mut default = None;
        let attributes = std::mem::take(&mut parameter.attrs);
        let mut kept = Vec::new();
        for attribute in attributes {
            if attribute.path().is_ident("context") {
                attribute.meta.require_path_only()?;
                is_context = true;
            } else if attribute.path().is_ident("argument") {
                is_context = false;
                if !matches!(attribute.meta, syn::Meta::Path(_)) {
                    default = Some(read_default(&attribute)?);
                }
            } else {
                kept.push(attribute);
            }
        }
        if is_context {
            if let Some(attribute) = kept.first() {
                let what = "this comes from the call and the model does not see it, so there is \
                            nothing to say of it";
                return Err(syn::Error::new_spanned(attribute, what));
            }
            let (kind, is_borrowed) = match owned_of_reference(&parameter.ty)? {
                Some(owned) => (owned, true),
                None => ((*parameter.ty).clone(), false),
            };
            let name = format_ident!("context_{at}");
            return Ok(Self::Context(Context { name, kind, is_borrowed }));
        }
        let Pat::Ident(name) = &*parameter.pat else {
            let what = "an argument needs a name: the model sends it by its name";
            return Err(syn::Error::new_spanned(&parameter.pat, what));
        };
        let (owned, lending) = owned(&parameter.ty)?;
        let name = name.ident.clone();
        Ok(Self::Argument(Argument { name, owned, lending, attributes: kept, default }))
    }

    const fn as_argument(&self) -> Option<&Argument> {
        match self {
            Self::Argument(argument) => Some(argument),
            Self::Context(_) => None,
        }
    }
}

fn read_default(attribute: &Attribute) -> syn::Result<Expr> {
    let mut default = None;
    attribute.parse_nested_meta(|option| {
        if !option.path.is_ident("default") {
            return Err(option.error("an option of an argument is `default`"));
        }
        default = Some(option.value()?.parse()?);
        Ok(())
    })?;
    default.ok_or_else(|| syn::Error::new_spanned(attribute, "say `default = ..`, or nothing"))
}

fn is_from_the_call(kind: &Type) -> bool {
    let path = match kind {
        Type::Reference(reference) => return is_from_the_call(&reference.elem),
        Type::Path(path) => path,
        _ => return false,
    };
    let last = path.path.segments.last();
    last.is_some_and(|last| FROM_THE_CALL.iter().any(|name| last.ident == name))
}

/// What an argument of this type is read as, since nothing outlives a call to be borrowed from.
fn owned(kind: &Type) -> syn::Result<(Type, Lending)> {
    if let Some(owned) = owned_of_reference(kind)? {
        return Ok((owned, Lending::Borrowed));
    }
    if let Some(inside) = inside_option(kind)
        && let Some(owned) = owned_of_reference(inside)?
    {
        let option = syn::parse_quote! { ::core::option::Option<#owned> };
        return Ok((option, Lending::BorrowedIfThere));
    }
    if is_opaque(kind) {
        let what = "an argument has a type that can be named: it is published";
        return Err(syn::Error::new_spanned(kind, what));
    }
    Ok((kind.clone(), Lending::Given))
}

fn owned_of_reference(kind: &Type) -> syn::Result<Option<Type>> {
    let Type::Reference(TypeReference { mutability, elem, .. }) = kind else { return Ok(None) };
    if let Some(mutability) = mutability {
        let what =
            "what a call brings is taken as it is or as `&T`; to change it, take it as it is";
        return Err(syn::Error::new_spanned(mutability, what));
    }
    Ok(Some(match &**elem {
        Type::Path(path) if path.path.is_ident("str") => {
            syn::parse_quote! { ::std::string::String }
        }
        Type::Slice(slice) => {
            let element = &slice.elem;
            syn::parse_quote! { ::std::vec::Vec<#element> }
        }
        owned => owned.clone(),
    }))
}

fn inside_option(kind: &Type) -> Option<&Type> {
    let Type::Path(path) = kind else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let arguments: &Punctuated<GenericArgument, Token![,]> = &arguments.args;
    match arguments.first()? {
        GenericArgument::Type(inside) => Some(inside),
        _ => None,
    }
}

const fn is_opaque(kind: &Type) -> bool {
    matches!(kind, Type::ImplTrait(_))
}

pub(crate) fn unraw(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map_or_else(|| name.clone(), str::to_owned)
}
