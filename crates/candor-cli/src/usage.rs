//! A command line that cannot be read to the sentence that says why.

use std::error::Error as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::exit::Exit;
use crate::terminal::{complain, print};

/// Prints what was asked for, or what is wrong with how it was asked.
pub(crate) fn report(error: &clap::Error) -> Exit {
    let kind = error.kind();
    if matches!(kind, ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        return print(&error.render().to_string(), Exit::Done);
    }
    complain(&sentence(error));
    Exit::Unusable
}

fn sentence(error: &clap::Error) -> String {
    let said = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join(", ")),
        _ => None,
    };
    let argument = said(ContextKind::InvalidArg);
    let help = help(error);
    let kind = error.kind();
    if kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        || kind == ErrorKind::MissingSubcommand
    {
        return "say what to do: new, serve, list, call or config; candor --help says more"
            .to_owned();
    }
    if kind == ErrorKind::InvalidSubcommand {
        let command = said(ContextKind::InvalidSubcommand).unwrap_or_default();
        let nearest = nearest(said(ContextKind::SuggestedSubcommand));
        return format!("there is no command {command:?}{nearest}; {help}");
    }
    match (kind, argument) {
        (ErrorKind::UnknownArgument, Some(argument)) => {
            let nearest = nearest(said(ContextKind::SuggestedArg));
            // Arguments of a tool are often tried as options.
            let of_a_tool = match argument.strip_prefix("--") {
                Some(key) if help.contains(" call ") && nearest.is_empty() => {
                    let key = key.split('=').next().unwrap_or_default();
                    format!("; an argument of the tool is written {key}=value")
                }
                _ => String::new(),
            };
            format!("there is no option {argument}{nearest}{of_a_tool}; {help}")
        }
        (ErrorKind::MissingRequiredArgument, Some(missing)) => {
            let missing: Vec<_> = missing.split(", ").map(name).collect();
            let verb = if missing.len() == 1 { "is" } else { "are" };
            format!("{} {verb} missing; {help}", missing.join(" and "))
        }
        (ErrorKind::InvalidValue, Some(option)) => {
            format!("{} needs a value; {help}", name(&option))
        }
        (ErrorKind::ValueValidation, Some(option)) => {
            let value = said(ContextKind::InvalidValue).unwrap_or_default();
            // What stands behind `=` may be a secret.
            let value = match value.split_once('=') {
                Some((name, _)) => format!("{name}=…"),
                None => value,
            };
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            format!("{} {value:?} {why}", name(&option))
        }
        (ErrorKind::TooManyValues, Some(option)) => {
            format!("{} takes no value; {help}", name(&option))
        }
        (ErrorKind::ArgumentConflict, Some(one)) => {
            let other = said(ContextKind::PriorArg).unwrap_or_default();
            if one == other {
                return format!("{} is given twice; {help}", name(&one));
            }
            format!("{} and {} exclude each other; {help}", name(&other), name(&one))
        }
        _ => {
            let text = error.render().to_string();
            let line = text.lines().next().unwrap_or_default();
            format!("{}; {help}", line.trim_start_matches("error: "))
        }
    }
}

/// An option without its value, or what stands for an argument without brackets.
fn name(argument: &str) -> &str {
    if argument.starts_with('-') {
        argument.split([' ', '=']).next().unwrap_or_default()
    } else {
        argument.trim_matches(['<', '>', '[', ']', '.'])
    }
}

fn nearest(suggestions: Option<String>) -> String {
    suggestions.map_or_else(String::new, |names| {
        let nearest = names.split(", ").next().unwrap_or_default();
        format!("; did you mean {nearest}?")
    })
}

/// Where the right way is written, as far as clap knows which command was meant.
fn help(error: &clap::Error) -> String {
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string(),
        _ => String::new(),
    };
    let command = usage.split_whitespace().skip_while(|word| *word != "candor").nth(1);
    match command {
        Some(command) if command.bytes().all(|byte| byte.is_ascii_lowercase()) => {
            format!("candor {command} --help says more")
        }
        _ => "candor --help says more".to_owned(),
    }
}
