//! Judges paths, intrinsic functions and JSONata expressions.
use crate::matching::difference;
use crate::verdict::cut;
use crate::{Case, Subject, Verdict};
use serde_json::Value;

/// Judges one case; None if the expression could not be given to a program.
pub(super) fn judge(case: &Case, subject: &mut dyn Subject) -> Option<Verdict> {
    if case.expr.contains('\0') || case.expr.is_empty() {
        return None;
    }
    Some(match subject.evaluate(case) {
        Ok(actual) => compare(case, actual),
        Err(reason) => Verdict::failed(0, reason),
    })
}

fn compare(case: &Case, actual: Result<Value, String>) -> Verdict {
    if case.expect.contains_key("error") {
        return match actual {
            Ok(value) => Verdict::failed(
                0,
                format!("expected an error, got {}", cut(&value.to_string(), 200)),
            ),
            Err(_) => Verdict::passed(),
        };
    }
    let Some(expected) = case.expect.get("value") else {
        return Verdict::failed(0, "the case expects neither a value nor an error");
    };
    match actual {
        Ok(value) => match difference(expected, &value, "") {
            Some(found) => Verdict::failed(0, found.describe(200)),
            None => Verdict::passed(),
        },
        Err(cause) => Verdict::failed(
            0,
            format!(
                "expected {}, got an error: {cause}",
                cut(&expected.to_string(), 200)
            ),
        ),
    }
}
