//! A comment block to what its tool declares.

mod pattern;
