//! Findings about templates, in addition to problems of their definitions.
use crate::{File, Place};
use asl_model::{DiagnosticRule, Severity};
use std::fmt;
use std::sync::Arc;

/// Kinds of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FindingCode {
    /// A placeholder `${Name}` has no value, neither in the template nor given.
    UnreplacedPlaceholder,
    /// The definition is not on this machine, or not known yet.
    DefinitionElsewhere,
    /// The state machine has no definition, or none that can be read.
    MissingDefinition,
    /// A function of the template names what the template does not have, or is not written as it must be.
    InvalidReference,
    /// An expression of a tool that only this tool can evaluate.
    TemplateExpression,
    /// An object has a field twice.
    DuplicateField,
    /// A plain scalar of a definition that is not a text in YAML 1.1, the format of templates.
    YamlScalar,
    /// The template cannot be read.
    UnreadableTemplate,
}

impl FindingCode {
    /// All codes.
    pub const ALL: &'static [Self] = &[
        Self::UnreplacedPlaceholder,
        Self::DefinitionElsewhere,
        Self::MissingDefinition,
        Self::InvalidReference,
        Self::TemplateExpression,
        Self::DuplicateField,
        Self::YamlScalar,
        Self::UnreadableTemplate,
    ];

    /// The rule by which it is ignored, or made an error: those of definitions have others.
    ///
    /// ```
    /// assert_eq!(asl_template::FindingCode::DefinitionElsewhere.rule().name(), "definition-elsewhere");
    /// ```
    pub const fn rule(self) -> DiagnosticRule {
        match self {
            Self::UnreplacedPlaceholder => DiagnosticRule::UNREPLACED_PLACEHOLDER,
            Self::DefinitionElsewhere => DiagnosticRule::lint("definition-elsewhere"),
            Self::MissingDefinition => DiagnosticRule::lint("missing-definition"),
            Self::InvalidReference => DiagnosticRule::lint("invalid-reference"),
            Self::TemplateExpression => DiagnosticRule::lint("template-expression"),
            Self::DuplicateField => DiagnosticRule::DUPLICATE_FIELD,
            Self::YamlScalar => DiagnosticRule::lint("yaml-1-1-scalar"),
            Self::UnreadableTemplate => DiagnosticRule::lint("unreadable-template"),
        }
    }

    /// Returns the code in the style of the service's codes.
    ///
    /// ```
    /// assert_eq!(asl_template::FindingCode::UnreplacedPlaceholder.as_str(), "UNREPLACED_PLACEHOLDER");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnreplacedPlaceholder => "UNREPLACED_PLACEHOLDER",
            Self::DefinitionElsewhere => "DEFINITION_ELSEWHERE",
            Self::MissingDefinition => "MISSING_DEFINITION",
            Self::InvalidReference => "INVALID_REFERENCE",
            Self::TemplateExpression => "TEMPLATE_EXPRESSION",
            // As the service has it.
            Self::DuplicateField => "INVALID_JSON_DESCRIPTION",
            Self::YamlScalar => "YAML_1_1_SCALAR",
            Self::UnreadableTemplate => "UNREADABLE_TEMPLATE",
        }
    }
}

impl fmt::Display for FindingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A problem of a template, with its place in a file.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The severity: an error if the intended value is unknown.
    pub severity: Severity,
    /// Kind of the problem.
    pub code: FindingCode,
    /// The expected and the actual content.
    pub message: String,
    /// A hint about the solution.
    pub hint: Option<String>,
    pub(crate) file: Arc<File>,
    pub(crate) offset: usize,
}

impl Finding {
    pub(crate) fn error(
        code: FindingCode,
        (file, offset): (&Arc<File>, usize),
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            hint: None,
            file: Arc::clone(file),
            offset,
        }
    }

    pub(crate) fn warning(
        code: FindingCode,
        place: (&Arc<File>, usize),
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, place, message)
        }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Returns the location.
    pub fn place(&self) -> Place<'_> {
        Place {
            file: &self.file,
            offset: self.offset,
        }
    }
}

/// `FILE:LINE:COLUMN: CODE: message`
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.place(), self.code, self.message)
    }
}
