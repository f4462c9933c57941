//! Fixes as edits of the files that people edit.

mod apply;
mod edits;
mod token;

pub use apply::{FixedText, apply_fixes};
pub use edits::{Edits, TextEdit};
