//! Scopes: states in a row, each reachable from the one before; some lead back.
use super::setting::{Languages, Setting};
use super::{Tape, values};
use crate::StateType;
use serde_json::{Map, Value, json};

/// Scopes are nested no deeper below the machine's own.
const DEEPEST: usize = 3;

/// Generates one definition.
pub(super) struct Generator<'t, 'b> {
    pub(super) tape: &'t mut Tape<'b>,
    languages: Languages,
    /// Number of names of states and labels so far; names are unique.
    pub(super) names: usize,
}

impl<'t, 'b> Generator<'t, 'b> {
    pub(super) fn new(tape: &'t mut Tape<'b>, languages: Languages) -> Self {
        Self {
            tape,
            languages,
            names: 0,
        }
    }

    pub(super) fn scope(&mut self, depth: usize) -> Value {
        let first = self.names;
        let count = 1 + self.tape.below(if depth == 0 { 8 } else { 3 });
        self.names += count;
        let name = |index: usize| format!("State {}", first + index);
        let mut states = Map::new();
        for index in 0..count {
            let next = (index + 1 < count).then(|| name(index + 1));
            let any = name(self.tape.below(count));
            let language = self.languages.choose(self.tape);
            let state = self.state(&Setting {
                language,
                depth,
                next: next.as_deref(),
                any: &any,
            });
            states.insert(name(index), state);
        }
        json!({"StartAt": name(0), "States": states})
    }

    fn state(&mut self, setting: &Setting<'_>) -> Value {
        let state_type = self.state_type(setting);
        let mut state = match state_type {
            StateType::Pass => self.pass(setting),
            StateType::Succeed => json!({}),
            StateType::Fail => self.fail(setting),
            StateType::Choice => self.choice(setting),
            StateType::Wait => self.wait(setting),
            StateType::Task => self.task(setting),
            StateType::Parallel => self.parallel(setting),
            StateType::Map => self.map(setting),
        };
        state["Type"] = state_type.as_str().into();
        self.common_fields(&mut state, state_type, setting);
        match (state_type, setting.next) {
            (StateType::Choice | StateType::Succeed | StateType::Fail, _) => {}
            (_, Some(next)) => state["Next"] = next.into(),
            (_, None) => state["End"] = true.into(),
        }
        state
    }

    fn state_type(&mut self, setting: &Setting<'_>) -> StateType {
        let is_last = setting.next.is_none();
        let leaves = match setting.depth {
            0 | 1 => 14,
            2.. if setting.depth < DEEPEST && self.tape.one_in(6) => 14,
            _ => 10,
        };
        match self.tape.below(leaves) {
            2 if is_last => StateType::Succeed,
            3 if is_last && self.tape.one_in(2) => StateType::Fail,
            2 | 3 if !is_last => StateType::Choice,
            0..=3 => StateType::Pass,
            4 => StateType::Wait,
            5..=9 => StateType::Task,
            10 | 11 => StateType::Parallel,
            _ => StateType::Map,
        }
    }

    /// Adds fields that several types of states have.
    fn common_fields(&mut self, state: &mut Value, kind: StateType, setting: &Setting<'_>) {
        let is_default = setting.language == self.languages.default_language();
        if !is_default || self.tape.one_in(12) {
            state["QueryLanguage"] = setting.language.as_str().into();
        }
        if self.tape.one_in(12) {
            state["Comment"] = values::text(self.tape).into();
        }
        if kind == StateType::Fail {
            return;
        }
        self.output(state, kind, setting);
        if kind != StateType::Succeed {
            self.assign(state, setting);
        }
        if matches!(kind, StateType::Task | StateType::Parallel | StateType::Map) {
            self.error_handling(state, setting);
        }
    }
}
