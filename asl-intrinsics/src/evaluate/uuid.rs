//! `States.UUID` (2022 specification, Appendix B).
use super::{Arguments, Outcome};
use serde_json::Value;
use std::borrow::Cow;

/// `States.UUID()`: version 4, `ca4c1140-dcc1-40cd-ad05-7b4aa23df4a8`. Arguments have values, and are ignored otherwise, as in
/// the service.
pub(super) fn uuid<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    if let Some(failure) = arguments.first_without_value() {
        return Err(failure);
    }
    Ok(Cow::Owned(Value::String(arguments.random().uuid())))
}
