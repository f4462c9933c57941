//! A state's output, before it takes the place of the raw input.
use super::evaluation::show_within;
use super::fault::EvaluationFault;
use crate::data::{Data, Measure};
use crate::error_names;
use asl_path::ReferencePath;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// A state's output as a change of its raw input.
pub(crate) enum OutputData<'p> {
    /// It is the output.
    Unchanged,
    /// Other data takes its place.
    Replaced(Data),
    /// A result is written into it (ResultPath).
    Written(&'p ReferencePath, Data),
    /// Fields are set in it, which is an object; those of the definition are copied one by one.
    Merged(Cow<'p, Value>, Measure),
}

impl OutputData<'_> {
    /// Returns an upper bound of the output for a raw input with this measure.
    #[inline]
    pub(crate) fn measure(&self, raw: Measure) -> Measure {
        match self {
            Self::Unchanged => raw,
            Self::Replaced(data) => data.measure,
            Self::Written(path, result) => raw.with_written(
                path.steps().len(),
                path.source().len() as u64 + 8,
                result.measure,
            ),
            Self::Merged(_, measure) => raw.with_written(0, 1, *measure),
        }
    }

    /// Changes the raw input to the output. On an error it is unchanged, and the error shows it if there is enough memory.
    #[inline]
    pub(crate) fn apply(self, raw: &mut Data, room: u64) -> Result<(), EvaluationFault> {
        let measure = self.measure(raw.measure);
        match self {
            Self::Unchanged => return Ok(()),
            Self::Replaced(data) => *raw = data,
            Self::Written(path, result) => {
                if path.write(raw.make_mut(), result.into_value()).is_err() {
                    return Err(not_written(path, raw, room));
                }
            }
            Self::Merged(fields, _) => {
                if let Value::Object(object) = raw.make_mut() {
                    merge(object, fields);
                }
            }
        }
        raw.measure = measure;
        Ok(())
    }
}

fn merge(object: &mut Map<String, Value>, fields: Cow<'_, Value>) {
    match fields {
        Cow::Owned(Value::Object(fields)) => object.extend(fields),
        Cow::Borrowed(Value::Object(fields)) => {
            for (name, value) in fields {
                object.insert(name.clone(), value.clone());
            }
        }
        _ => {}
    }
}

#[cold]
fn not_written(path: &ReferencePath, raw: &Data, room: u64) -> EvaluationFault {
    let detail = format!(
        "Unable to apply ReferencePath {} to input {}",
        path.source(),
        show_within(raw, room)
    );
    EvaluationFault::new(error_names::RESULT_PATH_MATCH_FAILURE, detail)
}
