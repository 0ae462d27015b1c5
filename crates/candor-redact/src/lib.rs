//! Finds and masks what a model must not read: credentials, and in failures also stack traces,
//! paths, hosts, statements and class names.
//!
//! ```
//! use candor_redact::Redactor;
//!
//! let redactor = Redactor::builder()
//!     .secret("DB_PASSWORD", "Tr0ub4dor&3")
//!     .root("/srv/shop")
//!     .build();
//!
//! let text = "postgres://shop:Tr0ub4dor&3@db.example.org/shop is up";
//! assert_eq!(
//!     redactor.success(text),
//!     "postgres://shop:[redacted:db-password#1]@db.example.org/shop is up",
//! );
//!
//! let text = "cannot read /srv/shop/orders/7.json on 10.0.3.7:5432";
//! assert_eq!(redactor.error(text), "cannot read orders/7.json on [redacted:host#1]");
//! ```
//!
//! A text goes through these modules, in this order:
//!
//! ```text
//! json        the strings of a document, one by one
//! control     (failures) terminal sequences and signs that nobody sees
//! trace       (failures) a stack trace becomes its message
//! exact       the secrets that we hold, in whatever encoding
//! anchors     one pass for the words at which a rule looks:
//!   tokens, jwt, pem, urls, headers, structures, commands    they say themselves what they are
//!   named ─▶ keys ─▶ value (standins, randomness)                                 something calls them secret
//! runs        base64 and hexadecimal: what is encoded there
//! columns     tables whose head names a secret
//! views       the same again, behind escapes
//! internals   (failures) statements, paths, hosts, class names
//! personal    (if asked for) addresses, telephones, cards, accounts
//! finding     what overlaps is joined, and marks are written
//! ```
//!
//! **Three promises.** Masking twice gives what masking once gave. JSON stays JSON. No text costs
//! more than its length times a constant: what could not be looked at within the limits is cut, and
//! a mark says so.
//!
//! **What is not here:** no knowledge of what a text is for. Cursors, states and ids of the
//! protocol are members that the caller does not hand in.

#![forbid(unsafe_code)]

mod anchors;
mod bytes;
mod checks;
mod columns;
mod commands;
mod control;
mod effort;
mod exact;
mod finding;
mod headers;
mod internals;
mod json;
mod jwt;
mod keys;
mod marks;
mod named;
mod pem;
mod personal;
mod randomness;
mod redaction;
mod redactor;
mod runs;
mod scan;
mod standins;
mod structures;
mod tokens;
mod trace;
mod urls;
mod value;
mod views;

pub use redaction::Redaction;
pub use redactor::{Builder, Profile, Redactor};
