//! Reports of problems: JSON, SARIF, annotations of GitHub Actions, and the parts of a text.
mod github;
mod json;
mod sarif;
mod text;

pub use github::{annotation, github};
pub use json::{ReportEntry, json};
pub use sarif::sarif;
pub use text::TextParts;
