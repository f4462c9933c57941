//! Judges executions: outcome, cause, sequence of events, every field of them.
use super::history::{Agreement, compare};
use crate::matching::difference;
use crate::verdict::cut;
use crate::{Case, Run, Subject, Verdict};
use serde_json::Value;

/// Judges one case.
pub(super) fn judge(case: &Case, subject: &mut dyn Subject) -> Verdict {
    match subject.execute(case) {
        Ok(finished) => judge_outcome(case, &finished)
            .or_else(|| judge_cause(case, &finished))
            .or_else(|| {
                let contradiction = finished.contradiction.clone()?;
                Some(Verdict::failed(2, contradiction))
            })
            .unwrap_or_else(|| match finished.events {
                Some(events) => judge_history(case, events),
                None => Verdict::passed(),
            }),
        Err(reason) => Verdict::failed(0, reason),
    }
}

fn judge_outcome(case: &Case, finished: &Run) -> Option<Verdict> {
    let succeeds = expected(case, "status") == "SUCCEEDED";
    let field = if succeeds { "output" } else { "error" };
    let found = ["status", field].into_iter().find_map(|field| {
        let actual = actual(finished, field);
        if !case.expect.contains_key(field) && actual.is_none() {
            return None;
        }
        let actual = actual.unwrap_or_default();
        difference(&expected(case, field), &actual, &format!("/{field}"))
            .filter(|found| !case.ignores(&found.location))
    })?;
    let text = |field| match actual(finished, field) {
        Some(Value::String(text)) => text,
        _ => "none".to_owned(),
    };
    Some(Verdict::failed(
        0,
        format!(
            "{} [error {}: {}]",
            found.describe(300),
            text("error"),
            cut(&text("cause"), 200)
        ),
    ))
}

fn judge_cause(case: &Case, finished: &Run) -> Option<Verdict> {
    if expected(case, "status") == "SUCCEEDED" || case.ignores("/cause") {
        return None;
    }
    let actual = actual(finished, "cause").unwrap_or_default();
    let found = difference(&expected(case, "cause"), &actual, "/cause")?;
    Some(Verdict::failed(1, found.describe(400)))
}

fn judge_history(case: &Case, events: Vec<Value>) -> Verdict {
    let Some(recorded) = case.history.as_ref().filter(|events| !events.is_empty()) else {
        return Verdict::passed();
    };
    match compare(recorded, events) {
        Agreement::Fields => Verdict::passed(),
        Agreement::Types(found) => Verdict::failed(3, format!("history {}", found.describe(300))),
        Agreement::None { expected, actual } => {
            Verdict::failed(2, format!("events: expected {expected:?}, got {actual:?}"))
        }
    }
}

fn expected(case: &Case, field: &str) -> Value {
    case.expect.get(field).cloned().unwrap_or_default()
}

/// Returns a field of the result; None if it has none.
fn actual(run: &Run, field: &str) -> Option<Value> {
    match field {
        "status" => Some(run.status.as_str().into()),
        "output" => run.output.clone(),
        "error" => run.error.as_deref().map(Value::from),
        "cause" => run.cause.as_deref().map(Value::from),
        _ => None,
    }
}
