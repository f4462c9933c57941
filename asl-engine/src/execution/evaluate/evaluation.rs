//! Context for evaluating the fields of a state.
use super::fault::EvaluationFault;
use super::inspection::{ActiveInspector, InspectionEvent};
use super::roots::{Sources, StateRoots};
use super::variables::VisibleVariables;
use crate::Limits;
use crate::data::{
    Data, Items, Measure, Memory, OutOfMemory, VALUE, measure, measure_and_weigh_exactly, weigh,
};
use crate::execution::departure::Departures;
use crate::program::{CompiledTemplate, Literal};
use asl_intrinsics::random::RandomSource;
use asl_model::{Profile, Timestamp};
use serde_json::Value;
use std::borrow::Cow;
use std::cell::Cell;

/// Maximum weight of a byte of JSON text: that of a digit with a comma in an array.
const MOST_OF_A_BYTE: u64 = VALUE / 2 + 1;

/// Context for evaluating a state's fields, without the data.
pub(crate) struct Evaluation<'e> {
    /// The execution's input, and the text that it was sent as.
    pub(crate) sent: Option<(&'e Value, &'e str)>,
    /// The Context Object, or null where the state does not read it.
    pub(crate) context: &'e Value,
    pub(crate) variables: &'e dyn VisibleVariables,
    pub(crate) random: &'e mut dyn RandomSource,
    pub(crate) limits: &'e Limits,
    pub(crate) memory: &'e mut Memory,
    /// Data created before this evaluation.
    pub(crate) made_before: u64,
    /// Steps that expressions and paths took so far.
    pub(crate) steps: Cell<u64>,
    /// Steps that all may take.
    pub(crate) max_steps: u64,
    /// Steps of the Choice Rules evaluated so far.
    pub(crate) choice_steps: Cell<u64>,
    pub(crate) profile: Profile,
    pub(crate) departures: &'e mut Departures,
    pub(crate) now: Timestamp,
    pub(crate) inspector: Option<ActiveInspector<'e>>,
}

impl<'e> Evaluation<'e> {
    /// Returns the documents of the state's paths.
    pub(crate) fn roots<'d>(&self, input: &'d Value) -> StateRoots<'d>
    where
        'e: 'd,
    {
        StateRoots {
            input,
            sent: self.sent,
            context: self.context,
            variables: self.variables,
        }
    }

    /// Returns a document as causes show it, if there is room for that: the execution's input as it was sent, with its white
    /// space, where its first state sees it unchanged (recorded from the service).
    pub(super) fn show(&self, document: &Value) -> Cow<'e, str> {
        match self.sent {
            Some((input, text)) if std::ptr::eq(input, document) => Cow::Borrowed(text),
            _ => Cow::Owned(show_within(document, self.memory.remaining())),
        }
    }

    /// Returns the payload of a template in `field`.
    pub(crate) fn payload(
        &mut self,
        template: &CompiledTemplate,
        field: &'static str,
        input: &Value,
    ) -> Result<Data, EvaluationFault> {
        let payload = self
            .node(&template.root, "", &Sources::from_input(input))
            .map_err(|fault| fault.at(field))?;
        self.report_field(field, &payload);
        Ok(Data::measured(payload, self.limits))
    }

    /// Charges steps of Choice Rules.
    #[inline]
    pub(super) fn charge_choice(&self, steps: u64) -> Result<(), EvaluationFault> {
        let charged = self.choice_steps.get().saturating_add(steps);
        self.choice_steps.set(charged);
        match charged <= self.limits.max_expression_steps.min(self.max_steps) {
            true => Ok(()),
            false => Err(self.too_many_choice_steps()),
        }
    }

    /// Steps that all fields took so far.
    pub(crate) fn steps_taken(&self) -> u64 {
        self.steps.get().saturating_add(self.choice_steps.get())
    }

    /// Steps that the next evaluation may take.
    fn steps_left(&self) -> u64 {
        let left = self.max_steps.saturating_sub(self.steps_taken());
        left.min(self.limits.max_expression_steps)
    }

    /// Returns the limits of the next evaluation of a path.
    pub(super) fn path_limits(&self) -> asl_path::EvaluationLimits {
        asl_path::EvaluationLimits::default()
            .with_max_steps(self.steps_left())
            .with_max_memory(self.limits.max_expression_memory)
    }

    /// Returns the limits of the next evaluation of an expression.
    pub(super) fn expression_limits(&self) -> asl_jsonata::Limits {
        self.limits.expressions().with_max_steps(self.steps_left())
    }

    #[cold]
    fn too_many_choice_steps(&self) -> EvaluationFault {
        EvaluationFault::runtime(format!(
            "The Choice Rules of the state take more than {} steps.",
            self.limits.max_expression_steps
        ))
    }

    /// Charges data that is about to be created.
    #[inline]
    pub(super) fn charge(&mut self, weight: u64) -> Result<(), EvaluationFault> {
        let charged = self.memory.charge(weight);
        charged.map_err(|error| self.out_of_memory(&error))
    }

    /// Converts the error. Data heavier than any payload exceeds the service's limit before the memory limit.
    #[cold]
    fn out_of_memory(&self, error: &OutOfMemory) -> EvaluationFault {
        let made = self.memory.created().saturating_sub(self.made_before);
        match self.limits.max_payload_bytes {
            Some(max) if made / MOST_OF_A_BYTE > max => EvaluationFault::too_large(),
            _ => EvaluationFault::runtime(error.to_string()),
        }
    }

    /// Returns a copy, charged in advance; small values are charged with their container.
    #[inline]
    pub(super) fn copied(&mut self, value: &Value) -> Result<Value, EvaluationFault> {
        if let Value::String(_) | Value::Array(_) | Value::Object(_) = value {
            self.charge(weigh(value))?;
        }
        Ok(value.clone())
    }

    /// Charges a value as a copy of it is charged; returns its measure.
    #[inline]
    pub(super) fn charge_copy(&mut self, value: &Value) -> Result<Measure, EvaluationFault> {
        let (measure, weight) = measure_and_weigh_exactly(value, self.counts_bytes());
        if let Value::String(_) | Value::Array(_) | Value::Object(_) = value {
            self.charge(weight)?;
        }
        Ok(measure)
    }

    /// Returns the value of a path, and charges data that it created.
    pub(super) fn owned(&mut self, found: Cow<'_, Value>) -> Result<Value, EvaluationFault> {
        match found {
            Cow::Borrowed(node) => self.copied(node),
            Cow::Owned(made) => {
                self.charge(weigh(&made))?;
                Ok(made)
            }
        }
    }

    /// Bytes that may be made before it would be too much.
    pub(super) fn room(&self) -> usize {
        usize::try_from(self.memory.remaining()).unwrap_or(usize::MAX)
    }

    /// That more would be made than there is room for.
    #[cold]
    pub(super) fn out_of_room(&mut self) -> EvaluationFault {
        let beyond = self.memory.remaining().saturating_add(1);
        match self.charge(beyond) {
            Err(fault) => fault,
            Ok(()) => EvaluationFault::runtime("there is no room for more data"),
        }
    }

    /// Returns a literal of the definition, charged before it is copied.
    pub(super) fn literal(&mut self, literal: &Literal) -> Result<Data, EvaluationFault> {
        self.charge(literal.weight)?;
        Ok(literal.data())
    }

    /// Returns true if bytes of data count.
    pub(crate) fn counts_bytes(&self) -> bool {
        self.limits.max_payload_bytes.is_some()
    }

    /// Reports the data that a field produced.
    #[inline]
    pub(crate) fn report_field(&mut self, field: &'static str, value: &Value) {
        self.inspect(|| InspectionEvent::Field { field, value });
    }

    /// Reports which items a Map State has.
    pub(super) fn report_items(&mut self, field: &'static str, items: &Items) {
        if self.inspector.is_some() {
            let all = (0..items.length).map(|index| items.get(index).clone());
            self.report_field(field, &all.collect());
        }
    }

    #[inline]
    pub(crate) fn inspect<'v>(&mut self, inspected: impl FnOnce() -> InspectionEvent<'v>) {
        if let Some(inspector) = &mut self.inspector {
            inspector.report(inspected());
        }
    }
}

/// Number of copies of a text while a cause is built: the text, the error, and the cause.
const COPIES: u64 = 3;

/// Returns a document as shown in causes, or its length if there is not enough memory. A cause that is caught may become
/// part of the data, and be shown again with twice as many backslashes.
pub(super) fn show_within(document: &Value, room: u64) -> String {
    let bytes = measure(document, true).bytes;
    match bytes.saturating_mul(COPIES) > room {
        true => format!("({bytes} bytes)"),
        false => document.to_string(),
    }
}
