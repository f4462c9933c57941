//! Lints and their findings.
use crate::subject::Subject;
use asl_model::{Diagnostic, DiagnosticRule, Fix, Location, Severity};

/// A lint: a rule of which the service knows nothing, or that it looks at only when a state machine is created.
#[derive(Debug, Clone, Copy)]
pub struct Lint {
    /// Rule that the lint checks.
    pub rule: DiagnosticRule,
    /// Severity of the findings, unless settings override it.
    pub severity: Severity,
    pub(crate) look: fn(&Subject<'_>, &mut LintFinding),
}

/// Bytes of all locations together: deep in a definition with long names each is as long as the text.
const LOCATIONS: usize = 64 << 20;

/// Findings of a lint.
#[derive(Debug, Default)]
pub(crate) struct LintFinding {
    diagnostics: Vec<Diagnostic>,
    bytes: usize,
}

impl LintFinding {
    /// Reports a finding at `location`. The returned value adds details.
    pub(crate) fn report(
        &mut self,
        lint: &Lint,
        location: Location,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> LastReport<'_> {
        self.bytes = self.bytes.saturating_add(location.pointer().len());
        if self.bytes > LOCATIONS {
            return LastReport(None);
        }
        self.diagnostics.push(Diagnostic {
            severity: lint.severity,
            rule: lint.rule,
            message: message.into(),
            location,
            field: None,
            offset: None,
            hint: Some(hint.into()),
            fix: None,
        });
        LastReport(self.diagnostics.last_mut())
    }

    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }
}

/// The last report.
pub(crate) struct LastReport<'f>(Option<&'f mut Diagnostic>);

impl LastReport<'_> {
    /// Says where in the string at the location it is, in bytes.
    pub(crate) fn with_offset(self, offset: usize) -> Self {
        let Self(mut last) = self;
        if let Some(last) = &mut last {
            last.offset = Some(offset);
        }
        Self(last)
    }

    /// Names the field at fault, where the location is the object that it is in.
    pub(crate) fn with_field(self, field: impl Into<String>) -> Self {
        let Self(mut last) = self;
        if let Some(last) = &mut last {
            last.field = Some(field.into());
        }
        Self(last)
    }

    /// Makes the report a warning, regardless of the lint's severity.
    pub(crate) fn with_warning_only(self) -> Self {
        let Self(mut last) = self;
        if let Some(last) = &mut last {
            last.severity = Severity::Warning;
        }
        Self(last)
    }

    /// Says what would fix it.
    pub(crate) fn with_fix(self, fix: Fix) -> Self {
        let Self(mut last) = self;
        if let Some(last) = &mut last {
            last.fix = Some(fix);
        }
        Self(last)
    }
}
