//! The data of a state where a field may pass it on whole, and how each plan of an expression is acted on.
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::output_data::OutputData;
use super::roots::Sources;
use crate::data::{Data, Measure, measure, weigh};
use crate::program::{CompiledExpression, CompiledNode, CompiledTemplate};
use asl_jsonata::{Plan, ScalarOperation, StatesField};
use asl_path::field;
use serde_json::Value;
use std::borrow::Cow;

/// The data of a state.
pub(super) struct Documents<'d> {
    /// `$` of a JSONPath state, `$states.input` of a JSONata state.
    pub(super) input: &'d mut Data,
    /// `$states.result`.
    pub(super) result: Option<&'d mut Data>,
    /// `$states.errorOutput`.
    pub(super) error_output: Option<&'d mut Data>,
}

/// The value of a field.
enum FieldValue<'p> {
    /// A field of `$states`, whole: shared or moved.
    Whole(StatesField),
    /// A field of `$states` in which these are set.
    Merged(StatesField, Cow<'p, Value>, Measure),
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

    /// Returns the data of a field of `$states` that the state has.
    fn states_field(&mut self, field: StatesField) -> Option<&mut Data> {
        match field {
            StatesField::Input => Some(self.input),
            StatesField::Result => self.result.as_deref_mut(),
            StatesField::ErrorOutput => self.error_output.as_deref_mut(),
            StatesField::Context => None,
        }
    }
}

impl<'e> Evaluation<'e> {
    /// Returns the value of a part of a field after which other fields use the same data: references share it. `name` is the
    /// part's name in causes of JSONPath.
    pub(super) fn shared(
        &mut self,
        node: &CompiledNode,
        name: &str,
        documents: &mut Documents<'_>,
    ) -> Result<Data, EvaluationFault> {
        if let CompiledNode::Path(path) = node
            && path.is_whole_input()
        {
            self.charge(weigh(documents.input))?;
            return Ok(documents.input.duplicate());
        }
        match self.field_value(node, name, documents, false)? {
            FieldValue::Whole(field) => match documents.states_field(field) {
                Some(data) => {
                    self.charge(weigh(data))?;
                    Ok(data.duplicate())
                }
                None => Ok(Data::default()),
            },
            FieldValue::Made(data) => Ok(data),
            FieldValue::Merged(..) => Ok(Data::default()),
        }
    }

    /// Returns the output of a state by its last field: references move the data, and fields that are only set are set in
    /// the data itself.
    pub(super) fn moved<'p>(
        &mut self,
        template: &'p CompiledTemplate,
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
            FieldValue::Merged(field, fields, measure) => {
                let merged = OutputData::Merged(fields, measure);
                match (field, documents.states_field(field)) {
                    (StatesField::Input, _) | (_, None) => merged,
                    (_, Some(data)) => {
                        let mut data = std::mem::take(data);
                        merged.apply(&mut data, self.memory.remaining())?;
                        OutputData::Replaced(data)
                    }
                }
            }
        })
    }

    /// Returns the one place where the plan of an expression is acted on. What holds only under a condition that is not met
    /// is evaluated.
    fn field_value<'p>(
        &mut self,
        node: &'p CompiledNode,
        name: &str,
        documents: &mut Documents<'_>,
        may_merge: bool,
    ) -> Result<FieldValue<'p>, EvaluationFault> {
        match node {
            CompiledNode::Literal(literal) => {
                return self.literal(literal).map(FieldValue::Made);
            }
            CompiledNode::Expression(expression) => {
                let planned = self.planned(expression, documents, may_merge)?;
                if let Some(value) = planned {
                    return Ok(value);
                }
            }
            _ => {}
        }
        let value = self.node(node, name, &documents.sources())?;
        Ok(FieldValue::Made(Data::measured(value, self.limits)))
    }

    fn planned<'p>(
        &mut self,
        expression: &'p CompiledExpression,
        documents: &mut Documents<'_>,
        may_merge: bool,
    ) -> Result<Option<FieldValue<'p>>, EvaluationFault> {
        Ok(match expression.plan() {
            Plan::Constant(_) => {
                let literal = expression.constant.as_ref();
                let made = literal.map(|literal| self.literal(literal)).transpose()?;
                made.map(FieldValue::Made)
            }
            Plan::Field(field) => documents
                .states_field(*field)
                .map(|_| FieldValue::Whole(*field)),
            Plan::Variable(name) => match self.variables.get(name) {
                Some(variable) => {
                    // Whoever writes into it makes a copy.
                    self.charge(weigh(&variable.value))?;
                    Some(FieldValue::Made(variable.data()))
                }
                None => None,
            },
            // What bounds the whole bounds the part.
            Plan::Walk(field, names) => {
                let data = documents.states_field(*field);
                let found = data.and_then(|data| Some((&*data, walked(data, names)?)));
                let part = found.map(|(data, part)| Ok(data.part(self.copied(part)?)));
                part.transpose()?.map(FieldValue::Made)
            }
            Plan::Merge(field, _) if may_merge => self.merge(*field, expression, documents)?,
            _ => None,
        })
    }

    /// `$merge([$states.input, {…}])`: the fields that it sets, where the data is an object and `$merge` is the built-in
    /// function.
    fn merge<'p>(
        &mut self,
        field: StatesField,
        expression: &'p CompiledExpression,
        documents: &mut Documents<'_>,
    ) -> Result<Option<FieldValue<'p>>, EvaluationFault> {
        let data = documents.states_field(field);
        if !data.is_some_and(|data| data.is_object()) || self.hides(expression.plan()) {
            return Ok(None);
        }
        if let Some(literal) = &expression.constant {
            let fields = Cow::Borrowed(&literal.value);
            return Ok(Some(FieldValue::Merged(field, fields, literal.measure)));
        }
        let fields = self.jsonata_rest(&expression.string, &documents.sources())?;
        Ok(fields.filter(Value::is_object).map(|fields| {
            let measure = measure(&fields, self.counts_bytes());
            FieldValue::Merged(field, Cow::Owned(fields), measure)
        }))
    }

    /// Returns true if a variable hides the function that a plan stands for.
    fn hides(&self, plan: &Plan) -> bool {
        let function = plan.function();
        function.is_some_and(|name| self.variables.get(name).is_some())
    }

    /// Returns the value that an expression only names.
    pub(super) fn find_named<'v>(&self, plan: &Plan, sources: &Sources<'v>) -> Option<&'v Value>
    where
        'e: 'v,
    {
        match plan {
            Plan::Field(field) => sources.states_field(*field, self.context),
            Plan::Walk(field, names) => walked(sources.states_field(*field, self.context)?, names),
            Plan::Variable(name) => Some(&self.variables.get(name)?.value),
            Plan::WalkVariable(name, names) => walked(&self.variables.get(name)?.value, names),
            Plan::Constant(_)
            | Plan::Merge(..)
            | Plan::Append(_)
            | Plan::Operation(_)
            | Plan::Evaluate => None,
        }
    }

    /// Returns the value of an operator between values that are at hand.
    pub(super) fn operated(
        &self,
        operation: &ScalarOperation,
        sources: &Sources<'_>,
    ) -> Option<Value> {
        let [left, right] = operation.operands();
        operation.apply(self.operand(left, sources)?, self.operand(right, sources)?)
    }

    fn operand<'v>(&self, plan: &'v Plan, sources: &Sources<'v>) -> Option<&'v Value>
    where
        'e: 'v,
    {
        match plan {
            Plan::Constant(value) => Some(value),
            plan => self.find_named(plan, sources),
        }
    }

    /// Returns the values that `$append($x, …)`, assigned to `x`, adds to the variable, if it is an array and `$append` is
    /// the built-in function.
    pub(super) fn appended(
        &mut self,
        name: &str,
        node: &CompiledNode,
        documents: &Documents<'_>,
    ) -> Result<Option<(Vec<Value>, Measure)>, EvaluationFault> {
        let CompiledNode::Expression(expression) = node else {
            return Ok(None);
        };
        let variables = self.variables;
        let variable = match expression.plan() {
            Plan::Append(appended) if appended == name => variables.get(name),
            _ => None,
        };
        let Some(variable) = variable.filter(|variable| variable.value.is_array()) else {
            return Ok(None);
        };
        if self.hides(expression.plan()) {
            return Ok(None);
        }
        let elements = match self.jsonata_rest(&expression.string, &documents.sources())? {
            None => Vec::new(),
            Some(Value::Array(elements)) => elements,
            Some(element) => vec![element],
        };
        let mut whole = variable.measure;
        for element in &elements {
            whole = whole.with_element(measure(element, true));
        }
        // The first element of all has no comma before it.
        let was_empty = variable.value.as_array().is_some_and(Vec::is_empty);
        whole.bytes -= u64::from(was_empty && !elements.is_empty());
        Ok(Some((elements, whole)))
    }
}

/// Returns the value at names, if each name except the last selects an object.
fn walked<'v>(value: &'v Value, names: &[String]) -> Option<&'v Value> {
    let mut names = names.iter();
    names.try_fold(value, |value, name| field(value.as_object()?, name))
}
