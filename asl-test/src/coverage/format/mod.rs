//! Reports of coverage: for people, for programs, as a page.
mod html;
mod json;
mod lcov;
mod text;

pub use html::html;
pub use json::json;
pub use lcov::lcov;
pub use text::text;
