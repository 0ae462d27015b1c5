//! What is said of which call, in a table; what is refused; and what holds for any.

mod limits;
mod properties;
mod secrets;
mod table;
