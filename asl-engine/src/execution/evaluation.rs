//! What evaluating the fields of a state needs, and the fields whose value is any JSON.
use super::data::Data;
use super::fault::EvaluationFault;
use super::flow::FlowId;
use super::machine::Machine;
use super::measure::measure;
use super::random::Random;
use super::roots::{Sources, StateRoots};
use super::variables::VisibleVariables;
use crate::program::{
    CompiledExpression, CompiledNode, CompiledTemplate, StateProgram, WholeValue,
};
use crate::{Limits, Program};
use asl_jsonata::StatesField;
use asl_model::{Profile, Timestamp};
use serde_json::Value;

/// What evaluating a state's fields needs besides the data.
pub(super) struct Evaluation<'e> {
    /// The Context Object, or null where the state does not read it.
    pub(super) context: &'e Value,
    pub(super) variables: VisibleVariables<'e>,
    pub(super) random: &'e mut Random,
    pub(super) limits: &'e Limits,
    pub(super) profile: Profile,
    pub(super) now: Timestamp,
}

/// The data of a state where a field may pass it on whole.
pub(super) struct Documents<'d> {
    /// `$` of a JSONPath state, `$states.input` of a JSONata state.
    pub(super) input: &'d mut Data,
    /// `$states.result`.
    pub(super) result: Option<&'d mut Data>,
    /// `$states.errorOutput`.
    pub(super) error_output: Option<&'d mut Data>,
}

impl<'d> Documents<'d> {
    pub(super) fn of_input(input: &'d mut Data) -> Self {
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

    /// The data that a field only names.
    fn named(&mut self, node: &CompiledNode) -> Option<&mut Data> {
        match node {
            CompiledNode::Path(path) if path.is_whole_input() => Some(self.input),
            CompiledNode::Expression(expression) => match expression.whole.as_ref()? {
                WholeValue::Path(field, names) if names.is_empty() => self.states_field(*field),
                WholeValue::Variable(_) | WholeValue::Path(..) | WholeValue::Merge(_) => None,
            },
            _ => None,
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
    /// The documents of the state's paths.
    pub(super) fn roots<'d>(&'d self, input: &'d Value) -> StateRoots<'d> {
        StateRoots {
            input,
            context: self.context,
            variables: self.variables,
        }
    }

    /// The payload of a template in `field`.
    pub(super) fn payload(
        &mut self,
        template: &CompiledTemplate,
        field: &str,
        input: &Value,
    ) -> Result<Data, EvaluationFault> {
        let payload = self
            .node(&template.root, "", &Sources::of_input(input))
            .map_err(|fault| fault.at(field))?;
        Ok(Data::measured(payload, self.limits))
    }

    /// The value of a part of a field after which others may want the same data: what it only names is shared.
    /// `name` names the part to causes of JSONPath.
    pub(super) fn shared(
        &mut self,
        node: &CompiledNode,
        name: &str,
        documents: &mut Documents<'_>,
    ) -> Result<Data, EvaluationFault> {
        self.value(node, name, documents, Data::duplicate)
    }

    /// The value of a field after which nothing wants the data any more: what it only names is moved.
    pub(super) fn moved(
        &mut self,
        template: &CompiledTemplate,
        field: &str,
        mut documents: Documents<'_>,
    ) -> Result<Data, EvaluationFault> {
        let merged = match &template.root {
            CompiledNode::Expression(expression) => self.merged(expression, &mut documents),
            _ => None,
        };
        let value = match merged {
            Some(merged) => merged,
            None => self.value(&template.root, "", &mut documents, std::mem::take),
        };
        value.map_err(|fault| fault.at(field))
    }

    /// `$merge([$states.input, {…}])`: the fields are set in the data itself, where it is an object and `$merge` is the built-in function.
    fn merged(
        &mut self,
        expression: &CompiledExpression,
        documents: &mut Documents<'_>,
    ) -> Option<Result<Data, EvaluationFault>> {
        let Some(WholeValue::Merge(field)) = expression.whole else {
            return None;
        };
        let hidden = self.variables.get("merge").is_some();
        if hidden || !documents.states_field(field)?.is_object() {
            return None;
        }
        let fields = match self.merged_fields(&expression.string, &documents.sources())? {
            Ok(fields) => fields,
            Err(fault) => return Some(Err(fault)),
        };
        let set = measure(&fields, self.limits.max_payload_bytes.is_some());
        let data = documents.states_field(field)?;
        let measure = data.measure.with_written(0, 1, set);
        let mut data = std::mem::take(data);
        if let (Value::Object(object), Value::Object(fields)) = (data.make_mut(), fields) {
            object.extend(fields);
        }
        data.measure = measure;
        Some(Ok(data))
    }

    fn value(
        &mut self,
        node: &CompiledNode,
        name: &str,
        documents: &mut Documents<'_>,
        pass_on: impl FnOnce(&mut Data) -> Data,
    ) -> Result<Data, EvaluationFault> {
        if let Some(data) = documents.named(node) {
            return Ok(pass_on(data));
        }
        match node {
            CompiledNode::Literal(literal) => {
                return Ok(Data::new(literal.value.clone(), literal.measure));
            }
            CompiledNode::Expression(expression) => {
                if let Some(WholeValue::Variable(name)) = &expression.whole
                    && let Some(variable) = self.variables.get(name)
                {
                    return Ok(variable.data());
                }
            }
            _ => {}
        }
        let value = self.node(node, name, &documents.sources())?;
        Ok(Data::measured(value, self.limits))
    }
}

impl Machine {
    /// Evaluates fields of the state at hand.
    #[inline]
    pub(super) fn evaluate<T>(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        evaluate: impl FnOnce(&mut Evaluation<'_>) -> T,
    ) -> T {
        let context = self.take_context(id, state);
        let evaluated = evaluate(&mut Evaluation {
            context: &context,
            variables: self.flows.visible_variables(id),
            random: &mut self.random,
            limits: &self.start.limits,
            profile: program.profile(),
            now: self.now,
        });
        self.return_context(context);
        evaluated
    }
}
