//! Standard input to standard output, masked.
//!
//! `cargo run -p candor-redact --example mask -- [--error] [--pii] [--lines] [--root PATH] < TEXT`

#![expect(clippy::print_stdout, reason = "it is a program")]

use std::io::{self, Read};

use candor_redact::Redactor;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let root = arguments.iter().skip_while(|argument| *argument != "--root").nth(1);
    let mut builder = Redactor::builder().pii(has("--pii"));
    if let Some(root) = root {
        builder = builder.root(root);
    }
    let redactor = builder.build();
    let mask = |text: &str| {
        let masked = if has("--error") { redactor.error(text) } else { redactor.success(text) };
        masked.into_owned()
    };
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    if has("--lines") {
        // Each line is a text of its own.
        text.lines().for_each(|line| println!("{}", mask(line)));
    } else {
        print!("{}", mask(&text));
    }
    Ok(())
}
