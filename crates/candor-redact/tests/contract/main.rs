//! What is masked, what stays, and what holds for every text.

mod documents;
mod drawn;
mod failures;
mod harmless;
mod held;
mod named;
mod persons;
mod promises;
mod tokens;
