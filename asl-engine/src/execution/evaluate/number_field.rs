//! Numbers given as themselves, by a path or by an expression: MaxConcurrency and MaxConcurrencyPath, and the like.
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::jsonata::integer;
use asl_jsonata::JsonataString;
use asl_model::{Percentage, Whole};
use asl_path::Path;
use serde_json::Value;

/// The number of items that an ItemReader reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MaxItems {
    Unlimited,
    Limit(u64),
    /// The ItemReader refuses it.
    Negative,
}

impl Evaluation<'_> {
    /// Returns a whole number, zero or more. `field` is the location in a JSONata state; its last part is the name, in a
    /// JSONPath state without "Path".
    pub(super) fn whole(
        &mut self,
        field: &str,
        whole: Option<&Whole>,
        input: &Value,
    ) -> Result<Option<u64>, EvaluationFault> {
        match whole {
            None => Ok(None),
            Some(Whole::Number(number)) => Ok(Some(*number)),
            Some(Whole::Path(path)) => self
                .referred_whole(name(field), path, input)
                .map_err(|fault| fault.at(format_args!("{field}Path")))
                .map(Some),
            Some(Whole::Expression(string)) => self.evaluated_whole(field, string, input).map(Some),
        }
    }

    fn referred_whole(
        &self,
        name: &str,
        path: &Path,
        input: &Value,
    ) -> Result<u64, EvaluationFault> {
        let number = self.referred_integer(name, path, input)?;
        u64::try_from(number)
            .map_err(|_| EvaluationFault::runtime(format!("{name} cannot be negative.")))
    }

    fn referred_integer(
        &self,
        name: &str,
        path: &Path,
        input: &Value,
    ) -> Result<i128, EvaluationFault> {
        let value = self.referred(name, path, input)?;
        // Recorded: a text that is a number will do.
        let parsed = value.as_str().and_then(|text| text.parse::<i64>().ok());
        let number = value.as_u64().map(i128::from);
        let number = number.or_else(|| value.as_i64().or(parsed).map(i128::from));
        number.ok_or_else(|| not_valid(name, "integer", path, value))
    }

    /// "MaxItems" of an ItemReader. Recorded: of a path, 0 is no limit, and a number below it is no fault of the field; the
    /// ItemReader fails.
    pub(super) fn max_items(
        &mut self,
        whole: Option<&Whole>,
        input: &Value,
    ) -> Result<MaxItems, EvaluationFault> {
        const FIELD: &str = "ItemReader/ReaderConfig/MaxItems";
        let Some(Whole::Path(path)) = whole else {
            let number = self.positive(FIELD, whole, input)?;
            return Ok(number.map_or(MaxItems::Unlimited, MaxItems::Limit));
        };
        let number = self
            .referred_integer(name(FIELD), path, input)
            .map_err(|fault| fault.at(format_args!("{FIELD}Path")))?;
        Ok(match u64::try_from(number) {
            Ok(0) => MaxItems::Unlimited,
            Ok(number) => MaxItems::Limit(number),
            Err(_) => MaxItems::Negative,
        })
    }

    fn evaluated_whole(
        &mut self,
        field: &str,
        string: &JsonataString,
        input: &Value,
    ) -> Result<u64, EvaluationFault> {
        let name = name(field);
        let whole = self.evaluated_integer(field, string, input)?;
        u64::try_from(whole)
            .map_err(|_| EvaluationFault::from_field(field, format!("{name} cannot be negative.")))
    }

    fn evaluated_integer(
        &mut self,
        field: &str,
        string: &JsonataString,
        input: &Value,
    ) -> Result<i64, EvaluationFault> {
        let number = self.number(field, string, input)?;
        integer(&number).ok_or_else(|| {
            let name = name(field);
            let detail = format!("The {name} field cannot be parsed as an integer: {number}");
            EvaluationFault::from_field(field, detail)
        })
    }

    /// Returns the seconds of a timeout (2024 specification, Task State), of which an expression is recorded to have bounds,
    /// and a path that finds nothing words of its own.
    pub(super) fn seconds(
        &mut self,
        field: &str,
        whole: Option<&Whole>,
        input: &Value,
    ) -> Result<Option<u64>, EvaluationFault> {
        const LONGEST: i64 = 99_999_999;
        let string = match whole {
            Some(Whole::Expression(string)) => string,
            Some(Whole::Path(path)) => {
                self.find(path, input)
                    .map_err(|fault| fault.at(format_args!("{field}Path")))?;
                return self.positive(field, whole, input);
            }
            _ => return self.positive(field, whole, input),
        };
        let detail = match self.evaluated_integer(field, string, input)? {
            0 => format!("{field} must be a positive integer, but was 0."),
            seconds @ 1..=LONGEST => return Ok(Some(seconds.unsigned_abs())),
            other => format!("{field} must be between 0 and {LONGEST} but was: {other}"),
        };
        Err(EvaluationFault::from_field(field, detail))
    }

    /// Returns a whole number above zero: the seconds of a timeout (2024 specification, Task State), the items that are read
    /// and the limits of a batch (Reading Items, Batching Items). Of the last two a 0 that is written as a number is no
    /// limit.
    pub(super) fn positive(
        &mut self,
        field: &str,
        whole: Option<&Whole>,
        input: &Value,
    ) -> Result<Option<u64>, EvaluationFault> {
        match self.whole(field, whole, input)? {
            Some(0) if matches!(whole, Some(Whole::Number(_))) => Ok(None),
            Some(0) => {
                let detail = format!("{} must be a positive integer, but was 0.", name(field));
                Err(rejected(
                    matches!(whole, Some(Whole::Expression(_))),
                    field,
                    detail,
                ))
            }
            number => Ok(number),
        }
    }

    /// Returns a percentage from 0 to 100.
    pub(super) fn percentage(
        &mut self,
        field: &str,
        percentage: Option<&Percentage>,
        input: &Value,
    ) -> Result<Option<f64>, EvaluationFault> {
        let (evaluated, percentage) = match percentage {
            None => return Ok(None),
            Some(Percentage::Number(number)) => (false, *number),
            Some(Percentage::Path(path)) => {
                let at_path = |fault: EvaluationFault| fault.at(format_args!("{field}Path"));
                let value = self.referred(name(field), path, input).map_err(at_path)?;
                let parsed = || value.as_str()?.parse().ok();
                let number = value.as_f64().or_else(parsed);
                (
                    false,
                    number.ok_or_else(|| at_path(not_valid(name(field), "float", path, value)))?,
                )
            }
            Some(Percentage::Expression(string)) => {
                let number = self.number(field, string, input)?;
                (true, number.as_f64().unwrap_or(f64::NAN))
            }
        };
        if (0.0..=100.0).contains(&percentage) {
            Ok(Some(percentage))
        } else {
            let detail = format!("{} must be between 0 and 100.", name(field));
            Err(rejected(evaluated, field, detail))
        }
    }

    pub(super) fn referred<'d>(
        &'d self,
        name: &str,
        path: &Path,
        input: &'d Value,
    ) -> Result<&'d Value, EvaluationFault> {
        self.find_reference(path, input).ok_or_else(|| {
            let source = path.source();
            EvaluationFault::runtime(format!(
                "The {name}Path parameter does not reference an input value: {source}"
            ))
        })
    }
}

fn name(field: &str) -> &str {
    field.rsplit('/').next().unwrap_or(field)
}

/// Returns a value that the field does not accept: of its expression, or of its path.
fn rejected(evaluated: bool, field: &str, detail: String) -> EvaluationFault {
    if evaluated {
        EvaluationFault::from_field(field, detail)
    } else {
        EvaluationFault::runtime(detail).at(format_args!("{field}Path"))
    }
}

fn not_valid(name: &str, kind: &str, path: &Path, value: &Value) -> EvaluationFault {
    let shown = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    EvaluationFault::runtime(format!(
        "The {name}Path field refers to value \"{shown}\" which is not a valid {kind}: {}",
        path.source()
    ))
}
