//! Reports for programs.
mod json;
mod junit;
mod tap;

pub use json::json;
pub use junit::junit;
pub use tap::tap;
