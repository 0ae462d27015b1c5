//! The macros of `candor`, which documents them: [`candor::tool`], [`candor::tools`].
//!
//! [`candor::tool`]: https://docs.rs/candor/latest/candor/attr.tool.html
//! [`candor::tools`]: https://docs.rs/candor/latest/candor/attr.tools.html
//!
//! ```text
//! attribute ─▶ options ─┐
//! function ─▶ signature ┴▶ expand ─▶ the function as it was, and what makes a tool of it
//! ```

#![forbid(unsafe_code)]
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the grammar of Rust has more shapes than a tool is interested in, and grows"
)]

mod description;
mod expand;
mod implementation;
mod options;
mod signature;

use proc_macro::TokenStream;
use syn::parse_macro_input;

#[expect(missing_docs, reason = "candor documents it, where its examples compile")]
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(attribute as options::Options);
    let function = parse_macro_input!(item as syn::ItemFn);
    or_errors(expand::function(&options, function))
}

#[expect(missing_docs, reason = "candor documents it, where its examples compile")]
#[proc_macro_attribute]
pub fn tools(attribute: TokenStream, item: TokenStream) -> TokenStream {
    parse_macro_input!(attribute as syn::parse::Nothing);
    let block = parse_macro_input!(item as syn::ItemImpl);
    or_errors(implementation::block(block))
}

fn or_errors(expanded: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    expanded.unwrap_or_else(|errors| errors.to_compile_error()).into()
}
