//! The data of a state where a field may pass it on whole, and how each plan of an expression is acted on.
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::output_data::OutputData;
use super::roots::Sources;
use crate::data::{Data, measure};
use crate::program::{CompiledExpression, CompiledNode, CompiledTemplate, WholeValue};
use asl_jsonata::StatesField;
use serde_json::{Map, Value};

/// The data of a state.
pub(super) struct Documents<'d> {
    /// `$` of a JSONPath state, `$states.input` of a JSONata state.
    pub(super) input: &'d mut Data,
    /// `$states.result`.
    pub(super) result: Option<&'d mut Data>,
    /// `$states.errorOutput`.
    pub(super) error_output: Option<&'d mut Data>,
}

/// What a field comes to.
enum FieldValue {
    /// A field of `$states`, whole: shared or moved.
    Whole(StatesField),
    /// A field of `$states` in which these are set.
    Merged(StatesField, Map<String, Value>),
    /// A value of its own.
    Made(Data),
}

impl<'d> Documents<'d> {
    pub(super) fn from_input(input: &'d mut Data) -> Self {
        Self {
            input,
            result: None,
            error_output: None,
        }
    }

    fn sources(&self) -> Sources<'_> {
        Sources {
            input: self.input,
            result: self.result.as_deref().map(|data| &**data),
            error_output: self.error_output.as_deref().map(|data| &**data),
        }
    }

    /// The data of a field of `$states` that the state has.
    fn states_field(&mut self, field: StatesField) -> Option<&mut Data> {
        match field {
            StatesField::Input => Some(self.input),
            StatesField::Result => self.result.as_deref_mut(),
            StatesField::ErrorOutput => self.error_output.as_deref_mut(),
            StatesField::Context => None,
        }
    }
}

impl Evaluation<'_> {
    /// The value of a part of a field after which others may want the same data: what it only names is shared.
    /// `name` names the part to causes of JSONPath.
    pub(super) fn shared(
        &mut self,
        node: &CompiledNode,
        name: &str,
        documents: &mut Documents<'_>,
    ) -> Result<Data, EvaluationFault> {
        if let CompiledNode::Path(path) = node
            && path.is_whole_input()
        {
            return Ok(documents.input.duplicate());
        }
        match self.field_value(node, name, documents, false)? {
            FieldValue::Whole(field) => Ok(documents
                .states_field(field)
                .map(Data::duplicate)
                .unwrap_or_default()),
            FieldValue::Made(data) => Ok(data),
            FieldValue::Merged(..) => Ok(Data::default()),
        }
    }

    /// A state's output by a field after which nothing wants the data any more: what it only names is moved, and fields
    /// that it only sets are set in the data itself.
    pub(super) fn moved<'p>(
        &mut self,
        template: &CompiledTemplate,
        field: &'static str,
        mut documents: Documents<'_>,
    ) -> Result<OutputData<'p>, EvaluationFault> {
        let value = self
            .field_value(&template.root, "", &mut documents, true)
            .map_err(|fault| fault.at(field))?;
        Ok(match value {
            FieldValue::Made(data) => OutputData::Replaced(data),
            FieldValue::Whole(StatesField::Input) => OutputData::Unchanged,
            FieldValue::Whole(field) => OutputData::Replaced(
                documents
                    .states_field(field)
                    .map(std::mem::take)
                    .unwrap_or_default(),
            ),
            FieldValue::Merged(field, fields) => {
                let set = Value::Object(fields);
                let measure = measure(&set, self.counts_bytes());
                let merged = OutputData::Merged(set, measure);
                match (field, documents.states_field(field)) {
                    (StatesField::Input, _) | (_, None) => merged,
                    (_, Some(data)) => {
                        let mut data = std::mem::take(data);
                        merged.apply(&mut data)?;
                        OutputData::Replaced(data)
                    }
                }
            }
        })
    }

    /// The one place where the plan of an expression is acted on.
    fn field_value(
        &mut self,
        node: &CompiledNode,
        name: &str,
        documents: &mut Documents<'_>,
        may_merge: bool,
    ) -> Result<FieldValue, EvaluationFault> {
        match node {
            CompiledNode::Literal(literal) => {
                let data = Data::new(literal.value.clone(), literal.measure);
                return Ok(FieldValue::Made(data));
            }
            CompiledNode::Expression(expression) => match &expression.whole {
                Some(WholeValue::Path(field, names))
                    if names.is_empty() && documents.states_field(*field).is_some() =>
                {
                    return Ok(FieldValue::Whole(*field));
                }
                Some(WholeValue::Variable(name)) => {
                    if let Some(variable) = self.variables.get(name) {
                        return Ok(FieldValue::Made(variable.data()));
                    }
                }
                Some(WholeValue::Merge(field)) if may_merge => {
                    if let Some(fields) = self.merge(*field, expression, documents) {
                        return Ok(FieldValue::Merged(*field, fields?));
                    }
                }
                _ => {}
            },
            _ => {}
        }
        let value = self.node(node, name, &documents.sources())?;
        Ok(FieldValue::Made(Data::measured(value, self.limits)))
    }

    /// `$merge([$states.input, {…}])`: the fields that it sets, where the data is an object and `$merge` is the built-in
    /// function.
    fn merge(
        &mut self,
        field: StatesField,
        expression: &CompiledExpression,
        documents: &mut Documents<'_>,
    ) -> Option<Result<Map<String, Value>, EvaluationFault>> {
        let hidden = self.variables.get("merge").is_some();
        if hidden || !documents.states_field(field)?.is_object() {
            return None;
        }
        match self.merged_fields(&expression.string, &documents.sources())? {
            Ok(Value::Object(fields)) => Some(Ok(fields)),
            Ok(_) => None,
            Err(fault) => Some(Err(fault)),
        }
    }
}
