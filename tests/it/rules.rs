//! The arbiter against judged cases, and properties that hold of every game.

mod cases;
mod command;
mod properties;
