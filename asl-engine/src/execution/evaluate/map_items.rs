//! Items of a Map State (2024 specification, Map State; ItemsPath and Items).
use super::documents::Documents;
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::jsonata::unexpected_type;
use crate::data::{Data, Items, Measure, item_steps, measure};
use crate::error_names;
use crate::execution::departure::Departure;
use crate::program::{self, CompiledNode, CompiledTemplate, MapState, Processing};
use asl_model::ProcessorMode;
use asl_path::{Path, ReferencePath, Root, Step};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Returns the items from "ItemsPath" or "Items", or else the whole effective input.
pub(super) fn state_items(
    evaluation: &mut Evaluation<'_>,
    (map, processing): (&MapState, &Processing),
    effective_input: &Arc<Value>,
    input_measure: Measure,
) -> Result<Items, EvaluationFault> {
    match &map.items {
        Some(program::ItemSource::Template(template)) => {
            let mut input = Data::shared(Arc::clone(effective_input), input_measure);
            template_items(evaluation, map, template, &mut input)
        }
        Some(program::ItemSource::Path(path, reference)) => {
            let input = (effective_input, input_measure);
            path_items(evaluation, map, (path, reference.as_ref()), input)
                .map_err(|fault| fault.at("ItemsPath"))
        }
        None => match object_of_items(evaluation, map, effective_input) {
            Some(object) => Ok(Items::from_object(object, evaluation.counts_bytes())),
            None => {
                let length = match processing {
                    Processing::Jsonata(_) => input_length(effective_input)?,
                    Processing::JsonPath(_) => array_length(effective_input, "$")?,
                };
                let document = Arc::clone(effective_input);
                Ok(Items::from_document(document, length, input_measure))
            }
        },
    }
}

fn path_items(
    evaluation: &mut Evaluation<'_>,
    map: &MapState,
    (path, reference): (&Path, Option<&ReferencePath>),
    (effective_input, input_measure): (&Arc<Value>, Measure),
) -> Result<Items, EvaluationFault> {
    let found = evaluation
        .find(path, effective_input)
        .map_err(|fault| match reference {
            Some(reference) => conflict(evaluation, reference, effective_input).unwrap_or(fault),
            None => fault,
        })?;
    if let Some(object) = object_of_items(evaluation, map, &found) {
        return Ok(Items::from_object(object, evaluation.counts_bytes()));
    }
    let length = array_length(&found, show_source(path))?;
    let steps = reference.and_then(|reference| item_steps(reference.steps(), effective_input));
    let items = match steps {
        Some(steps) => Items {
            steps,
            ..Items::from_document(Arc::clone(effective_input), length, input_measure)
        },
        // Gathered, or of another document: an array of its own.
        None => {
            let measure = measure(&found, evaluation.counts_bytes());
            Items::from_document(Arc::new(found.into_owned()), length, measure)
        }
    };
    evaluation.report_items("ItemsPath", &items);
    Ok(items)
}

/// Returns a step of "ItemsPath" finds nothing: reported the service by those who met it.
#[cold]
fn conflict(
    evaluation: &Evaluation<'_>,
    reference: &ReferencePath,
    effective_input: &Value,
) -> Option<EvaluationFault> {
    if !evaluation.profile.reports_reference_path_conflicts() {
        return None;
    }
    let step = match reference.find(effective_input).err()? {
        Step::Field(name) => name.clone(),
        Step::Index(index) => index.to_string(),
    };
    let input = evaluation.show(effective_input);
    let detail = format!("Unable to apply step \"{step}\" to input {input}");
    Some(EvaluationFault::new(
        error_names::REFERENCE_PATH_CONFLICT,
        detail,
    ))
}

fn template_items(
    evaluation: &mut Evaluation<'_>,
    map: &MapState,
    template: &CompiledTemplate,
    input: &mut Data,
) -> Result<Items, EvaluationFault> {
    let items = evaluation
        .shared(&template.root, "", &mut Documents::from_input(input))
        .map_err(|fault| fault.at("Items"))?;
    evaluation.report_field("Items", &items);
    if let Some(object) = object_of_items(evaluation, map, &items) {
        return Ok(Items::from_object(object, evaluation.counts_bytes()));
    }
    match (&*items, &template.root) {
        (Value::Array(array), _) => {
            let length = u32::try_from(array.len()).unwrap_or(u32::MAX);
            let measure = items.measure;
            Ok(Items::from_document(items.into_shared(), length, measure))
        }
        (value, CompiledNode::Expression(expression)) => {
            Err(unexpected_type(&expression.string, "array", value).at("Items"))
        }
        (value, _) => {
            let detail = format!("The Items field must be an array, but was {value}");
            Err(EvaluationFault::from_field("Items", detail))
        }
    }
}

/// The object whose pairs are items, where the Map State takes one.
fn object_of_items<'v>(
    evaluation: &mut Evaluation<'_>,
    map: &MapState,
    value: &'v Value,
) -> Option<&'v Map<String, Value>> {
    let takes =
        map.mode == ProcessorMode::Distributed && evaluation.profile.takes_objects_as_items();
    let object = value.as_object().filter(|_| takes)?;
    evaluation.departures.note(Departure::ObjectAsItems);
    Some(object)
}

/// Of a JSONata state's own input (recorded from the service).
fn input_length(value: &Value) -> Result<u32, EvaluationFault> {
    let Some(array) = value.as_array() else {
        let detail = format!("Map state input must be an array but was: {value}");
        return Err(EvaluationFault::from_input(detail));
    };
    Ok(u32::try_from(array.len()).unwrap_or(u32::MAX))
}

/// Recorded: a path into the Context Object is shown with one dollar sign.
fn show_source(path: &Path) -> &str {
    let source = path.source();
    match path.root() {
        Root::Context => source.strip_prefix('$').unwrap_or(source),
        _ => source,
    }
}

fn array_length(value: &Value, source: &str) -> Result<u32, EvaluationFault> {
    let Some(array) = value.as_array() else {
        return Err(EvaluationFault::runtime(format!(
            "Reference path \"{source}\" must point to array."
        )));
    };
    Ok(u32::try_from(array.len()).unwrap_or(u32::MAX))
}
