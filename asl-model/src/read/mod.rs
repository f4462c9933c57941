//! From JSON to the typed definition, gathering every fault on the way.
//!
//! What reads a part gives it, or says that its faults are reported ([`Reported`]); a part that is read needs all
//! its parts, but their siblings are read in any case, so that one run finds every fault.

mod choice;
mod errors;
mod fields;
mod item_reader;
pub(crate) mod machine;
mod map;
mod object;
mod paths;
mod place;
pub(crate) mod state;
mod task;
mod template;

pub(crate) use fields::Pair;
pub(crate) use object::Object;
pub(crate) use place::Place;

use crate::rules::labels::Labels;
use crate::rules::state_names::StateNames;
use crate::{Diagnostic, DiagnosticCode, Options, Severity, StateMachine};
use serde_json::Value;

/// Something is wrong, and a diagnostic says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reported;

/// A part, or the note that its faults are reported.
pub(crate) type Read<T> = Result<T, Reported>;

/// Where reading puts what it finds out about the whole definition.
#[derive(Debug)]
pub(crate) struct Reader<'v> {
    pub(crate) options: Options,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) state_names: StateNames<'v>,
    pub(crate) labels: Labels<'v>,
}

/// Reads a definition: None where there is a fault that refuses it. The diagnostics are not sorted.
pub(crate) fn read(
    definition: &Value,
    options: Options,
) -> (Option<StateMachine>, Vec<Diagnostic>) {
    let mut reader = Reader {
        options,
        diagnostics: Vec::new(),
        state_names: StateNames::default(),
        labels: Labels::default(),
    };
    let machine = reader.machine(definition);
    (machine.ok(), reader.diagnostics)
}

impl Reader<'_> {
    /// Reports a fault.
    pub(crate) fn fault(
        &mut self,
        place: &Place<'_>,
        code: DiagnosticCode,
        message: impl Into<String>,
    ) -> Reported {
        self.report(place, Severity::Error, code, message.into(), None);
        Reported
    }

    /// Reports a fault of the most usual kind.
    pub(crate) fn schema(&mut self, place: &Place<'_>, message: impl Into<String>) -> Reported {
        self.fault(place, DiagnosticCode::SchemaValidationFailed, message)
    }

    /// Reports a fault of the most usual kind, and what to do about it.
    pub(crate) fn schema_with_hint(
        &mut self,
        place: &Place<'_>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Reported {
        self.report(
            place,
            Severity::Error,
            DiagnosticCode::SchemaValidationFailed,
            message.into(),
            Some(hint.into()),
        );
        Reported
    }

    /// Warns.
    pub(crate) fn warn(
        &mut self,
        place: &Place<'_>,
        code: DiagnosticCode,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let hint = Some(hint.into());
        self.report(place, Severity::Warning, code, message.into(), hint);
    }

    fn report(
        &mut self,
        place: &Place<'_>,
        severity: Severity,
        code: DiagnosticCode,
        message: String,
        hint: Option<String>,
    ) {
        self.diagnostics.push(Diagnostic {
            severity,
            code,
            message,
            location: place.pointer(),
            hint,
        });
    }
}
