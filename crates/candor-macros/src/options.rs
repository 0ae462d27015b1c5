//! What stands in `#[tool(..)]`.

use std::time::Duration;

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream};
use syn::{LitBool, LitInt, LitStr, Token};

/// What an author says of a tool besides its signature.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) read_only: bool,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: bool,
    pub(crate) open_world: Option<bool>,
    pub(crate) inline: bool,
    pub(crate) timeout: Option<Duration>,
    pub(crate) rate: Option<LitStr>,
    pub(crate) concurrency: Option<u32>,
}

const KNOWN: &str = "an option of a tool is one of name, title, description, read_only, destructive, \
                     idempotent, open_world, inline, timeout, rate, concurrency";

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut options = Self::default();
        let mut said = Vec::new();
        let parser = syn::meta::parser(|option| {
            let name = option.path.get_ident().map(ToString::to_string).unwrap_or_default();
            if said.contains(&name) {
                return Err(option.error(format!("`{name}` is said twice")));
            }
            options.read(&name, &option)?;
            said.push(name);
            Ok(())
        });
        let tokens: proc_macro2::TokenStream = input.parse()?;
        syn::parse::Parser::parse2(parser, tokens)?;
        options.check()?;
        Ok(options)
    }
}

impl Options {
    fn read(&mut self, name: &str, option: &ParseNestedMeta<'_>) -> syn::Result<()> {
        match name {
            "name" => self.name = Some(tool_name(option.value()?.parse()?)?),
            "title" => self.title = Some(option.value()?.parse()?),
            "description" => self.description = Some(option.value()?.parse()?),
            "read_only" => self.read_only = true,
            "destructive" => self.destructive = Some(yes_or_no(option)?),
            "idempotent" => self.idempotent = true,
            "open_world" => self.open_world = Some(yes_or_no(option)?),
            "inline" => self.inline = true,
            "timeout" => self.timeout = Some(duration(&option.value()?.parse()?)?),
            "rate" => self.rate = Some(rate(option.value()?.parse()?)?),
            "concurrency" => self.concurrency = Some(at_once(&option.value()?.parse()?)?),
            _ => return Err(option.error(KNOWN)),
        }
        Ok(())
    }

    fn check(&self) -> syn::Result<()> {
        let refuse = |what: &str| Err(syn::Error::new(Span::call_site(), what));
        if self.read_only && self.destructive == Some(true) {
            return refuse(
                "a tool that is `read_only` changes nothing, so it is not `destructive`",
            );
        }
        Ok(())
    }
}

/// A flag that is set by its name, or says `= false`.
fn yes_or_no(option: &ParseNestedMeta<'_>) -> syn::Result<bool> {
    if option.input.peek(Token![=]) {
        return option.value()?.parse::<LitBool>().map(|flag| flag.value);
    }
    Ok(true)
}

/// The spec recommends these, and any host can show them.
pub(crate) fn tool_name(name: LitStr) -> syn::Result<LitStr> {
    let text = name.value();
    let is_name = (1..=128).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    if is_name {
        return Ok(name);
    }
    let what = "a tool's name has 1 to 128 letters, digits, hyphens, underscores and dots";
    Err(syn::Error::new(name.span(), what))
}

/// Calls in a second, a minute or an hour: `"5/s"`, `"10/m"`, `"100/h"`.
fn rate(text: LitStr) -> syn::Result<LitStr> {
    let value = text.value();
    let is_rate = value.split_once('/').is_some_and(|(calls, per)| {
        calls.bytes().all(|byte| byte.is_ascii_digit())
            && calls.parse::<u32>().is_ok_and(|calls| calls > 0)
            && matches!(per, "s" | "m" | "h")
    });
    let what = "a rate is a number of calls in a second, a minute or an hour: \"5/s\", \"10/m\", \
                \"100/h\"";
    if is_rate { Ok(text) } else { Err(syn::Error::new(text.span(), what)) }
}

fn at_once(number: &LitInt) -> syn::Result<u32> {
    let what = "so many calls may go on at once: a whole number, from 1";
    let read = number.base10_parse::<u32>().ok().filter(|at_once| *at_once > 0);
    read.ok_or_else(|| syn::Error::new(number.span(), what))
}

/// A number and a unit: `"250ms"`, `"30s"`, `"5m"`, `"1h"`.
fn duration(text: &LitStr) -> syn::Result<Duration> {
    let value = text.value();
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = value.split_at(digits);
    let read = number.parse::<u64>().ok().filter(|number| *number > 0).and_then(|number| {
        let milliseconds = match unit.trim_start() {
            "ms" => Some(number),
            "s" => number.checked_mul(1000),
            "m" => number.checked_mul(60_000),
            "h" => number.checked_mul(3_600_000),
            _ => None,
        };
        milliseconds.map(Duration::from_millis)
    });
    let what = "a time is a whole number and a unit, such as \"250ms\", \"30s\", \"5m\" or \"1h\"";
    read.ok_or_else(|| syn::Error::new(text.span(), what))
}
