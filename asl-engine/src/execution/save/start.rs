//! The start of an execution.
use super::damage::{Damage, DamageContext as _, Read};
use super::values::{JsonText, ValueIndex, ValueTable, Values};
use crate::data::MapItem;
use crate::execution::output::ChildItem;
use crate::execution::start::{MockedChildren, Start, StartAt};
use crate::identity::Identity;
use crate::limits::Limits;
use crate::program::{Program, ScopeIndex, StateIndex, StateReference};
use asl_model::{StateMachineType, Timestamp};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedStart {
    input: ValueIndex,
    input_text: Option<Arc<str>>,
    now: Timestamp,
    identity: Identity,
    #[serde(with = "crate::saved::optional_word")]
    seed: Option<u64>,
    limits: Limits,
    state_machine_type: StateMachineType,
    record_history: bool,
    context: Option<JsonText>,
    at: Option<SavedStartAt>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    absent_activities: Vec<Arc<str>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SavedStartAt {
    state: u32,
    variables: Option<JsonText>,
    retry_count: u64,
    only: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context: Option<JsonText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    children: Option<MockedChildren>,
}

impl SavedStart {
    pub(super) fn new(start: &Start, table: &mut ValueTable) -> Self {
        let Start {
            input,
            input_text,
            now,
            identity,
            seed,
            limits,
            state_machine_type,
            record_history,
            context,
            at,
            absent_activities,
        } = start;
        Self {
            input: table.shared(input),
            input_text: input_text.clone(),
            now: *now,
            identity: (**identity).clone(),
            seed: *seed,
            limits: limits.clone(),
            state_machine_type: *state_machine_type,
            record_history: *record_history,
            context: JsonText::from_object(context),
            at: at.as_deref().map(SavedStartAt::new),
            absent_activities: absent_activities.clone(),
        }
    }

    pub(super) fn start(self, program: &Program, values: &mut Values) -> Read<Start> {
        let context = JsonText::object(self.context.as_ref()).within("context")?;
        let at = self.at.map(|at| at.start_at(program)).transpose();
        Ok(Start {
            input: values.shared(self.input).within("input")?,
            input_text: self.input_text,
            now: self.now,
            identity: Arc::new(self.identity),
            seed: self.seed,
            limits: self.limits,
            state_machine_type: self.state_machine_type,
            record_history: self.record_history,
            context,
            at: at.within("at")?.map(Box::new),
            absent_activities: self.absent_activities,
        })
    }
}

impl SavedStartAt {
    fn new(at: &StartAt) -> Self {
        let StartAt {
            state,
            variables,
            retry_count,
            only,
            context,
            children,
        } = at;
        Self {
            state: state.0.0,
            variables: JsonText::from_object(variables),
            retry_count: *retry_count,
            only: *only,
            context: context.as_ref().map(JsonText::new),
            children: children.clone(),
        }
    }

    fn start_at(self, program: &Program) -> Read<StartAt> {
        let context = self.context.map(|context| context.value()).transpose();
        Ok(StartAt {
            state: StateReference(state_index(self.state, program).within("state")?),
            variables: JsonText::object(self.variables.as_ref()).within("variables")?,
            retry_count: self.retry_count,
            only: self.only,
            context: context.within("context")?,
            children: self.children,
        })
    }
}

/// Returns a state of the program.
pub(super) fn state_index(index: u32, program: &Program) -> Read<StateIndex> {
    let count = program.state_count();
    match (index as usize) < count {
        true => Ok(StateIndex(index)),
        false => Err(Damage::unexpected(
            format_args!("one of {count} states"),
            index,
        )),
    }
}

/// The item of a child execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedItem {
    scope: u32,
    index: u64,
    key: Option<JsonText>,
    value: JsonText,
}

impl SavedItem {
    pub(super) fn new(item: &ChildItem) -> Self {
        let ChildItem { scope, item } = item;
        let (index, key, value) = item.parts();
        Self {
            scope: scope.0,
            index,
            key: key.map(JsonText::new),
            value: JsonText::new(value),
        }
    }

    pub(super) fn item(self, program: &Program) -> Read<ChildItem> {
        let count = program.scope_count();
        if self.scope as usize >= count {
            let expected = format_args!("one of {count} scopes");
            return Err(Damage::unexpected(expected, self.scope).within("scope"));
        }
        let key = self.key.map(|key| key.value()).transpose();
        let value = self.value.value().within("value")?;
        Ok(ChildItem {
            scope: ScopeIndex(self.scope),
            item: MapItem::new(self.index, key.within("key")?, value),
        })
    }
}
