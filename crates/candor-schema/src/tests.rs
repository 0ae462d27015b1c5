//! What is said of which call, in a table; and what holds for any.

mod table;
