//! From JSON to the typed definition, gathering every fault on the way.
//!
//! What reads a part gives it, or says that its faults are reported ([`ErrorReported`]); a part that is read needs all
//! its parts, but their siblings are read in any case, so that one run finds every fault.

mod choice;
pub(crate) mod comparison;
mod errors;
mod fail;
pub(crate) mod field_owner;
mod fields;
mod item_batcher;
mod item_processor;
mod item_reader;
mod jsonata;
pub(crate) mod machine;
mod map;
mod object;
mod parallel;
mod paths;
mod place;
mod processing;
mod result_writer;
pub(crate) mod state;
mod task;
mod template;
mod variables;
mod wait;

pub(crate) use crate::rules::known_fields::Fields;
pub(crate) use fields::Pair;
pub(crate) use jsonata::{DELIMITER, Moment};
pub(crate) use object::Object;
pub(crate) use place::Place;
pub(crate) use variables::{Reference, Site, VariableUse, Way};

use crate::advice::Owners;
use crate::nearest::Comparisons;
use crate::rules::labels::Labels;
use crate::rules::state_names::StateNames;
use crate::{
    Diagnostic, DiagnosticRule, Fix, Location, Options, QueryLanguage, Severity, StateMachine,
};
use serde_json::Value;
use std::collections::HashSet;

/// Something is wrong, and a diagnostic says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ErrorReported;

/// A part, or the note that its faults are reported.
pub(crate) type Read<T> = Result<T, ErrorReported>;

/// Data about the whole definition that the reader collects.
#[derive(Debug)]
pub(crate) struct Reader<'v> {
    /// The whole that is being read.
    pub(crate) definition: &'v Value,
    pub(crate) options: Options,
    /// Of the state that is being read.
    pub(crate) query_language: QueryLanguage,
    /// Of the state that is being read, nothing is said of fields of the other language.
    pub(crate) takes_any_language: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) state_names: StateNames<'v>,
    pub(crate) labels: Labels<'v>,
    /// Of the states whose scopes are not read to their end.
    pub(crate) variables: VariableUse<'v>,
    /// Remaining budget for suggestions of names.
    pub(crate) comparisons: Comparisons,
    /// Of every state, the state that its scope is in; worked out when it is requested.
    pub(crate) owners: Option<Owners<'v>>,
    /// Error names of the Fail States of the definition; collected on first use.
    pub(crate) raised_errors: Option<HashSet<&'v str>>,
    /// Remaining budget for the regular expressions of paths.
    path_patterns: asl_path::PatternBudget,
    /// The regular expressions of all JSONata.
    jsonata_patterns: asl_jsonata::Patterns,
    /// Bytes of the locations of variables that may still be kept.
    sites_left: usize,
    /// Bytes of locations that may still be written.
    pub(crate) locations_left: usize,
    /// An error is not among the diagnostics.
    is_cut: bool,
}

/// Bytes of all locations together; a thousand times what any real definition needs.
const LOCATIONS: usize = 64 << 20;

/// Reads a definition: None if there is a fault that refuses it. The diagnostics are not sorted.
pub(crate) fn read(
    definition: &Value,
    options: Options,
) -> (Option<StateMachine>, Vec<Diagnostic>) {
    let mut reader = Reader::new(definition, options);
    let machine = reader.machine(definition);
    reader.warn_of_left_placeholders(definition);
    if reader.is_cut {
        reader.locations_left = usize::MAX;
        reader.fault(
            &Place::Whole,
            DiagnosticRule::TOO_MANY_FAULTS,
            "too many problems to list",
        );
    }
    (machine.ok(), reader.diagnostics)
}

impl<'v> Reader<'v> {
    pub(crate) fn new(definition: &'v Value, options: Options) -> Self {
        Self {
            definition,
            options,
            query_language: QueryLanguage::default(),
            takes_any_language: false,
            diagnostics: Vec::new(),
            state_names: StateNames::default(),
            labels: Labels::default(),
            comparisons: Comparisons::default(),
            owners: None,
            raised_errors: None,
            variables: VariableUse::default(),
            path_patterns: asl_path::PatternBudget::default(),
            jsonata_patterns: asl_jsonata::Patterns::default(),
            sites_left: LOCATIONS,
            locations_left: LOCATIONS,
            is_cut: false,
        }
    }

    /// Reports a fault.
    pub(crate) fn fault(
        &mut self,
        place: &Place<'_>,
        rule: DiagnosticRule,
        message: impl Into<String>,
    ) -> ErrorReported {
        self.report(place, Severity::Error, rule, message.into())
    }

    /// Reports a fault, and what to do about it.
    pub(crate) fn fault_with_hint(
        &mut self,
        place: &Place<'_>,
        rule: DiagnosticRule,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> ErrorReported {
        self.fault(place, rule, message).with_hint(self, hint)
    }

    /// Warns.
    pub(crate) fn warn(
        &mut self,
        place: &Place<'_>,
        rule: DiagnosticRule,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> ErrorReported {
        let reported = self.report(place, Severity::Warning, rule, message.into());
        reported.with_hint(self, hint)
    }

    /// Adds a diagnostic, unless their locations have grown beyond all use: deep in a definition with long names each
    /// is as long as the text.
    pub(crate) fn report(
        &mut self,
        place: &Place<'_>,
        severity: Severity,
        rule: DiagnosticRule,
        message: String,
    ) -> ErrorReported {
        match self.locations_left {
            0 => {
                self.is_cut |= severity == Severity::Error;
                ErrorReported
            }
            _ => self.push(place.location(), severity, rule, message),
        }
    }

    /// Returns true if another location may be written.
    pub(crate) fn may_report(&self) -> bool {
        self.locations_left > 0
    }

    /// Adds a diagnostic of a variable, whose location is known already.
    pub(crate) fn report_at(
        &mut self,
        site: &Site,
        severity: Severity,
        rule: DiagnosticRule,
        message: String,
    ) -> ErrorReported {
        match (self.locations_left, &site.location) {
            (0, _) | (_, None) => {
                self.is_cut |= severity == Severity::Error;
                ErrorReported
            }
            (_, Some(location)) => {
                self.push(location.clone(), severity, rule, message);
                match site.offset {
                    Some(offset) => ErrorReported.with_offset(self, offset),
                    None => ErrorReported,
                }
            }
        }
    }

    fn push(
        &mut self,
        location: Location,
        severity: Severity,
        rule: DiagnosticRule,
        message: String,
    ) -> ErrorReported {
        self.locations_left = self.locations_left.saturating_sub(location.len());
        self.diagnostics.push(Diagnostic {
            severity,
            rule,
            message,
            location,
            field: None,
            offset: None,
            hint: None,
            fix: None,
        });
        ErrorReported
    }
}

impl ErrorReported {
    /// Adds a hint to the last reported problem.
    pub(crate) fn with_hint(self, reader: &mut Reader<'_>, hint: impl Into<String>) -> Self {
        if let Some(last) = reader.diagnostics.last_mut() {
            last.hint = Some(hint.into());
        }
        self
    }

    /// Says what would fix it.
    pub(crate) fn with_fix(self, reader: &mut Reader<'_>, fix: Fix) -> Self {
        if let Some(last) = reader.diagnostics.last_mut() {
            last.fix = Some(fix);
        }
        self
    }

    /// Says where in the string at the location it is.
    pub(crate) fn with_offset(self, reader: &mut Reader<'_>, offset: usize) -> Self {
        if let Some(last) = reader.diagnostics.last_mut() {
            last.offset = Some(offset);
        }
        self
    }

    /// Says which field of the object at the location it is.
    pub(crate) fn with_field(self, reader: &mut Reader<'_>, name: &str) -> Self {
        if let Some(last) = reader.diagnostics.last_mut() {
            last.field = Some(name.to_owned());
        }
        self
    }
}
