//! Integration tests: one binary, one module a subject.

mod notation;
mod shared;

#[cfg(feature = "tools")]
mod records;
