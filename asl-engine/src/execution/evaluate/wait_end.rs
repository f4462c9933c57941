//! End of a Wait State (2024 specification, Wait State).
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::jsonata::integer;
use crate::data::Data;
use crate::program::Processing;
use asl_jsonata::JsonataString;
use asl_model::{Timestamp, WaitDuration};
use asl_path::Path;
use serde_json::Value;

/// The longest wait that the service takes: recorded, one second more is "too long".
const MAX_SECONDS: i64 = i32::MAX as i64;

/// The moment at which the wait is over.
pub(crate) fn wait_end(
    evaluation: &mut Evaluation<'_>,
    processing: &Processing,
    duration: &WaitDuration,
    raw: &Data,
) -> Result<Timestamp, EvaluationFault> {
    let selected = evaluation.selected_input(processing, raw)?;
    until(evaluation, duration, selected.as_ref().unwrap_or(raw))
}

fn until(
    evaluation: &mut Evaluation<'_>,
    duration: &WaitDuration,
    input: &Value,
) -> Result<Timestamp, EvaluationFault> {
    let now = evaluation.now;
    let until = match duration {
        WaitDuration::Seconds(seconds) => now.plus_seconds(*seconds),
        WaitDuration::Timestamp(moment, _) => *moment,
        WaitDuration::SecondsPath(path) => {
            let seconds = seconds(evaluation, path, input);
            now.plus_seconds(seconds.map_err(|fault| fault.at("SecondsPath"))?)
        }
        WaitDuration::TimestampPath(path) => {
            timestamp(evaluation, path, input).map_err(|fault| fault.at("TimestampPath"))?
        }
        WaitDuration::SecondsExpression(string) => {
            now.plus_seconds(evaluated_seconds(evaluation, string, input)?)
        }
        WaitDuration::TimestampExpression(string) => {
            evaluated_timestamp(evaluation, string, input)?
        }
    };
    // The last moment there is stands for all after it.
    if until > now.plus_seconds(MAX_SECONDS as u64) || until == Timestamp::MAX {
        return Err(EvaluationFault::runtime("Wait state delay is too long."));
    }
    Ok(until)
}

fn seconds(
    evaluation: &Evaluation<'_>,
    path: &Path,
    input: &Value,
) -> Result<u64, EvaluationFault> {
    let value = evaluation.referred("Seconds", path, input)?;
    let source = path.source();
    match (value.as_u64(), value.as_i64()) {
        (Some(seconds), _) => Ok(seconds),
        (None, Some(_)) => Err(EvaluationFault::runtime(format!(
            "The SecondsPath parameter references a negative value: {source} == {value}"
        ))),
        (None, None) => {
            let shown = show(value);
            Err(EvaluationFault::runtime(format!(
                "The SecondsPath parameter cannot be parsed as a long value: {source} == {shown}"
            )))
        }
    }
}

fn evaluated_seconds(
    evaluation: &mut Evaluation<'_>,
    string: &JsonataString,
    input: &Value,
) -> Result<u64, EvaluationFault> {
    let number = evaluation.number("Seconds", string, input)?;
    let Some(seconds) = integer(&number) else {
        let detail = format!("The Seconds field cannot be parsed as a long value: {number}");
        return Err(EvaluationFault::from_field("Seconds", detail));
    };
    u64::try_from(seconds).map_err(|_| {
        let detail = format!("The Seconds field references a negative value: {number}");
        EvaluationFault::from_field("Seconds", detail)
    })
}

/// The expected format of a timestamp, in the service's text for an invalid one.
const FORMAT: &str = "ISO-8601 extended offset date-time format string:";

fn timestamp(
    evaluation: &Evaluation<'_>,
    path: &Path,
    input: &Value,
) -> Result<Timestamp, EvaluationFault> {
    let value = evaluation.referred("Timestamp", path, input)?;
    value.as_str().and_then(Timestamp::parse).ok_or_else(|| {
        let (source, shown) = (path.source(), show(value));
        EvaluationFault::runtime(format!(
            "The TimestampPath parameter does not reference a valid {FORMAT} {source} == {shown}"
        ))
    })
}

fn evaluated_timestamp(
    evaluation: &mut Evaluation<'_>,
    string: &JsonataString,
    input: &Value,
) -> Result<Timestamp, EvaluationFault> {
    let text = evaluation.string("Timestamp", string, input)?;
    Timestamp::parse(&text).ok_or_else(|| {
        let detail = format!("The Timestamp field cannot be parsed as an {FORMAT} {text}");
        EvaluationFault::from_field("Timestamp", detail)
    })
}

/// Returns a string without its quotes, anything else as JSON.
fn show(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
