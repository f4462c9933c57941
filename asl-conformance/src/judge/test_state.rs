//! Judges what the TestState API answered: requests with their answers, and scripts of calls.
use crate::matching::{Difference, difference};
use crate::{Case, Subject, Verdict};
use serde_json::{Map, Value, json};

/// Members of a response that are its outcome; the inspection data counts if they match.
const OUTCOME: [&str; 5] = ["status", "error", "cause", "nextState", "output"];

/// Judges one case; None if the interpreter cannot answer, or the client refused the request by itself.
pub(super) fn judge(case: &Case, subject: &mut dyn Subject) -> Option<Verdict> {
    let Some(steps) = &case.steps else {
        let expected = expectation(&case.expect)?;
        return judge_call(case, case.request.as_ref()?, &expected, subject);
    };
    let mut verdicts = steps.iter().filter_map(|step| {
        let request = filled(step.get("params")?);
        let expected = match step.get("expect_error") {
            Some(error) => json!({"Error": {"Code": error["code"], "Message": error["message"]}}),
            None => plain(step.get("expect")?),
        };
        judge_call(case, &request, &expected, subject)
    });
    let first = verdicts.next()?;
    Some(
        std::iter::once(first)
            .chain(verdicts)
            .find(|it| !it.holds())
            .unwrap_or_else(Verdict::passed),
    )
}

fn judge_call(
    case: &Case,
    request: &Value,
    expected: &Value,
    subject: &mut dyn Subject,
) -> Option<Verdict> {
    let answer = subject.test_state(request)?;
    let parts = [("Error", 0), ("inspectionData", 1)];
    let outcome = OUTCOME.map(|member| (member, 0));
    for (member, level) in outcome.into_iter().chain(parts) {
        let sides = [expected, &answer].map(|side| side.get(member));
        let found = match sides {
            [None, None] => None,
            [Some(expected), Some(actual)] => difference(expected, actual, &format!("/{member}")),
            [expected, actual] => {
                let found = Difference {
                    location: format!("/{member}"),
                    expected: expected.cloned(),
                    actual: actual.cloned(),
                };
                return Some(Verdict::failed(level, found.describe(300)));
            }
        };
        if let Some(found) = found.filter(|found| !case.ignores(&found.location)) {
            return Some(Verdict::failed(level, found.describe(300)));
        }
    }
    Some(Verdict::passed())
}

/// Returns an answer, or an error: as an SDK shows it, or as it prints it.
fn expectation(expect: &Map<String, Value>) -> Option<Value> {
    let Some(printed) = expect.get("exception_value") else {
        let mut expect = expect.clone();
        expect.remove("message");
        return Some(expect.into());
    };
    let (_, rest) = printed.as_str()?.split_once("An error occurred (")?;
    let (code, rest) = rest.split_once(')')?;
    let (_, message) = rest.split_once("operation: ")?;
    Some(json!({"Error": {"Code": code, "Message": message}}))
}

/// Returns a parameter of a script: its names stand for anything, its JSON for a text.
fn filled(value: &Value) -> Value {
    match value {
        Value::Object(fields) => match (fields.get("$json"), fields.get("$repeat")) {
            (Some(json), _) => filled(json).to_string().into(),
            (None, Some(text)) => {
                let times = fields.get("times").and_then(Value::as_u64).unwrap_or(0);
                text.as_str()
                    .unwrap_or_default()
                    .repeat(times as usize)
                    .into()
            }
            (None, None) => fields
                .iter()
                .map(|(name, value)| (name.clone(), filled(value)))
                .collect(),
        },
        Value::Array(items) => items.iter().map(filled).collect(),
        Value::String(text) => text
            .replace("{{account}}", "111111111111")
            .replace("{{partition}}", "aws")
            .replace("{{region}}", "us-east-1")
            .into(),
        other => other.clone(),
    }
}

/// Replaces the placeholders of other cases in an expected value.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), plain(value)))
            .collect(),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::String(text) if text == "<<*>>" || text == "<<time>>" => "timestamp".into(),
        Value::String(_) => match filled(value) {
            Value::String(text) => text.replace("<<", "<").replace(">>", ">").into(),
            other => other,
        },
        other => other.clone(),
    }
}
