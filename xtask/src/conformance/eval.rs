//! Judges paths and intrinsic functions.
use super::case::Case;
use super::matching::difference;
use super::verdict::{Verdict, cut};
use crate::random::Random;
use asl_intrinsics::Intrinsic;
use asl_path::{Path, Roots};
use serde_json::{Map, Value};

/// What the expression applies to.
struct Documents {
    input: Value,
    context: Value,
}

impl Roots for Documents {
    fn input(&self) -> &Value {
        &self.input
    }
    fn context(&self) -> &Value {
        &self.context
    }
}

/// Judges one case; None where the expression could not be given to a program.
pub(crate) fn judge(case: &Case) -> Option<Verdict> {
    if case.expr.contains('\0') || case.expr.is_empty() {
        return None;
    }
    let empty = || Value::Object(Map::new());
    let documents = Documents {
        input: case.input.clone().unwrap_or_default(),
        context: case.context.clone().unwrap_or_else(empty),
    };
    let actual = evaluate(&case.expr, &documents);
    Some(compare(case, actual))
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

/// As `asl eval` does it: a call begins with `States.`, a path with `$`.
fn evaluate(expression: &str, documents: &Documents) -> Result<Value, String> {
    if expression.trim_start().starts_with("States.") {
        let call = Intrinsic::parse(expression).map_err(|error| error.to_string())?;
        call.evaluate(documents, &mut Random::new(0))
            .map_err(|error| error.to_string())
    } else {
        let path = Path::parse(expression).map_err(|error| error.to_string())?;
        let value = path
            .evaluate(documents)
            .map_err(|error| error.to_string())?;
        Ok(value.into_owned())
    }
}
