//! All that is to be said of a definition.
use crate::ignores::{self, without_ignored};
use crate::integrations::ServiceShelf;
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{Diagnostic, Diagnostics, Options, StateMachine, parse_with, value_from_text};
use asl_services::Services;

/// Checks definitions, and caches the services that they call.
///
/// ```
/// let checker = asl_lint::Checker::default();
/// for text in [r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#, "StartAt: A\nStates: {A: {Type: Succeed}}\n"] {
///     assert!(checker.check(text, asl_model::Options::default()).is_empty());
/// }
/// ```
#[derive(Debug)]
#[cfg_attr(feature = "services", derive(Default))]
pub struct Checker {
    shelf: ServiceShelf,
}

impl Checker {
    /// Creates a checker with services that the program has loaded itself: it need not be built with the feature `services`.
    ///
    /// ```
    /// let checker = asl_lint::Checker::with_services(asl_lint::services::Services::new());
    /// assert!(checker.check(r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#, Default::default()).is_empty());
    /// ```
    pub fn with_services(services: Services) -> Self {
        Self {
            shelf: ServiceShelf::new(services),
        }
    }

    /// Returns all errors and warnings of a definition in JSON or YAML: those of [`asl_model::validate`], and those of all
    /// lints if it is valid, in the order of the text, without those that its Comments ignore (`asl:ignore RULE`).
    pub fn check(&self, text: &str, options: Options) -> Diagnostics {
        let found = self.look(text, options);
        if !text.contains(ignores::SIGN) || found.unreadable_at().is_some() {
            return found;
        }
        let definition = value_from_text(text, options).unwrap_or_default();
        without_ignored(&found, &definition)
    }

    fn look(&self, text: &str, options: Options) -> Diagnostics {
        let lint = |machine: &StateMachine| self.lint(machine, options);
        match parse_with(text, options, lint) {
            Ok((_, found)) => found,
            Err(faults) => faults,
        }
    }

    /// Returns the findings of all lints in a valid definition, lint by lint.
    pub fn lint(&self, machine: &StateMachine, options: Options) -> Vec<Diagnostic> {
        let subject = Subject::new(machine, options, &self.shelf);
        let mut found = LintFinding::default();
        for lint in Lint::ALL {
            (lint.look)(&subject, &mut found);
        }
        found.into_diagnostics()
    }
}

/// Checks one definition, as [`Checker::check`].
#[cfg(feature = "services")]
pub fn check(text: &str, options: Options) -> Diagnostics {
    Checker::default().check(text, options)
}

/// Lints one definition, as [`Checker::lint`].
#[cfg(feature = "services")]
pub fn lint(machine: &StateMachine, options: Options) -> Vec<Diagnostic> {
    Checker::default().lint(machine, options)
}
