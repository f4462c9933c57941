//! Judges executions: outcome, cause, sequence of events, every field of them.
use super::case::Case;
use super::history::{Agreement, compare};
use super::matching::difference;
use super::verdict::{Verdict, cut};
use asl_engine::Outcome;
use serde_json::Value;

/// How an execution of a case went.
pub(super) struct Finished {
    pub(super) outcome: Outcome,
    /// Events as GetExecutionHistory shows them.
    pub(super) events: Vec<Value>,
}

/// Judges one case.
pub(crate) fn judge(case: &Case) -> Verdict {
    match run(case) {
        Ok(finished) => judge_outcome(case, &finished)
            .or_else(|| judge_cause(case, &finished))
            .unwrap_or_else(|| judge_history(case, finished.events)),
        Err(reason) => Verdict::failed(0, reason),
    }
}

fn run(_case: &Case) -> Result<Finished, String> {
    Err("not run yet".to_owned())
}

fn judge_outcome(case: &Case, finished: &Finished) -> Option<Verdict> {
    let succeeds = expected(case, "status") == Value::from("SUCCEEDED");
    let field = if succeeds { "output" } else { "error" };
    let found = ["status", field].into_iter().find_map(|field| {
        let actual = actual(&finished.outcome, field);
        if !case.expect.contains_key(field) && actual.is_none() {
            return None;
        }
        let actual = actual.unwrap_or_default();
        difference(&expected(case, field), &actual, &format!("/{field}"))
            .filter(|found| !case.ignores(&found.location))
    })?;
    let text = |field| match actual(&finished.outcome, field) {
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

fn judge_cause(case: &Case, finished: &Finished) -> Option<Verdict> {
    if expected(case, "status") == Value::from("SUCCEEDED") || case.ignores("/cause") {
        return None;
    }
    let actual = actual(&finished.outcome, "cause").unwrap_or_default();
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

/// A field of the report of `asl run`; None where it would be left out.
fn actual(outcome: &Outcome, field: &str) -> Option<Value> {
    match (outcome, field) {
        (_, "status") => Some(outcome.status().into()),
        (Outcome::Succeeded(output), "output") => Some(Value::clone(output)),
        (Outcome::Failed { error, .. } | Outcome::Aborted { error, .. }, "error") => {
            error.clone().map(Value::from)
        }
        (Outcome::Failed { cause, .. } | Outcome::Aborted { cause, .. }, "cause") => {
            cause.clone().map(Value::from)
        }
        _ => None,
    }
}
