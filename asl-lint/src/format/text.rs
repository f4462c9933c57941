//! The parts of a problem in a text for people, without styles.
use crate::LocatedDiagnostic;
use asl_model::{DiagnosticRule, Severity};
use asl_template::Place;
use std::borrow::Cow;

/// Parts of a text about a problem. A program adds its own styles and source lines.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TextParts<'d> {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// Violated rule.
    pub rule: DiagnosticRule,
    /// Message, shortened if it names something very long.
    pub message: Cow<'d, str>,
    /// Place in a source file, or the name of the definition with the location in it.
    pub place: Result<Place<'d>, String>,
    /// Hint, shortened like the message.
    pub hint: Option<Cow<'d, str>>,
}

impl<'d> TextParts<'d> {
    /// Returns the parts; `definition` names the definition if the problem has no place.
    pub fn new(one: &'d LocatedDiagnostic<'d>, definition: &str) -> Self {
        Self {
            severity: match one.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            rule: one.rule,
            message: shorten(&one.message),
            place: one.place.ok_or_else(|| match one.location.as_str() {
                "" | "/" => definition.to_owned(),
                location => format!("{definition}: {}", shorten(location)),
            }),
            hint: one.hint.as_deref().map(shorten),
        }
    }
}

/// Returns the start of a text that can contain a long name of a definition.
fn shorten(text: &str) -> Cow<'_, str> {
    const MAX_CHARACTERS: usize = 2_000;
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}
