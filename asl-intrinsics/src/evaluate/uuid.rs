//! `States.UUID` (2022 specification, Appendix B).
use super::{Arguments, Outcome};
use serde_json::Value;
use std::borrow::Cow;

/// `States.UUID()`: version 4, `ca4c1140-dcc1-40cd-ad05-7b4aa23df4a8`.
pub(super) fn uuid<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    Ok(Cow::Owned(Value::String(arguments.random().uuid())))
}
