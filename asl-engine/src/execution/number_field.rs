//! Numbers given as themselves or by a path: MaxConcurrency and MaxConcurrencyPath, and the like.
use super::error::EvaluationFault;
use super::input_output::Evaluation;
use asl_model::{Percentage, Whole};
use asl_path::Path;
use serde_json::Value;

impl Evaluation<'_> {
    /// A whole number, zero or more; `name` is the field's without "Path".
    pub(super) fn whole(
        &self,
        name: &str,
        field: Option<&Whole>,
        input: &Value,
    ) -> Result<Option<u64>, EvaluationFault> {
        let path = match field {
            None => return Ok(None),
            Some(Whole::Number(number)) => return Ok(Some(*number)),
            Some(Whole::Path(path)) => path,
            Some(Whole::Expression(_)) => return Err(not_run()),
        };
        let value = self.referred(name, path, input)?;
        match (value.as_u64(), value.as_i64()) {
            (Some(number), _) => Ok(Some(number)),
            (None, Some(_)) => Err(EvaluationFault::runtime(format!(
                "{name} cannot be negative."
            ))),
            (None, None) => Err(not_valid(name, "integer", path, value)),
        }
    }

    /// A whole number above zero: the seconds of a timeout (specification, Task State), the items that are read and the
    /// limits of a batch (Reading Items, Batching Items).
    pub(super) fn positive(
        &self,
        name: &str,
        field: Option<&Whole>,
        input: &Value,
    ) -> Result<Option<u64>, EvaluationFault> {
        match self.whole(name, field, input)? {
            Some(0) => Err(EvaluationFault::runtime(format!(
                "{name} must be a positive integer, but was 0."
            ))),
            number => Ok(number),
        }
    }

    /// A percentage from 0 to 100.
    pub(super) fn percentage(
        &self,
        name: &str,
        field: Option<&Percentage>,
        input: &Value,
    ) -> Result<Option<f64>, EvaluationFault> {
        let percentage = match field {
            None => return Ok(None),
            Some(Percentage::Number(number)) => *number,
            Some(Percentage::Path(path)) => {
                let value = self.referred(name, path, input)?;
                value
                    .as_f64()
                    .ok_or_else(|| not_valid(name, "float", path, value))?
            }
            Some(Percentage::Expression(_)) => return Err(not_run()),
        };
        if (0.0..=100.0).contains(&percentage) {
            Ok(Some(percentage))
        } else {
            Err(EvaluationFault::runtime(format!(
                "{name} must be between 0 and 100."
            )))
        }
    }

    fn referred<'d>(
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

fn not_valid(name: &str, kind: &str, path: &Path, value: &Value) -> EvaluationFault {
    let shown = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    EvaluationFault::runtime(format!(
        "The {name}Path field refers to value \"{shown}\" which is not a valid {kind}: {}",
        path.source()
    ))
}

/// JSONata, which no program has.
fn not_run() -> EvaluationFault {
    EvaluationFault::runtime("JSONata is not supported.")
}
