//! Diagnostics of a definition, with their places in the text.
use crate::exit::Failure;
use crate::snippet::{Lines, Snippet};
use crate::source::Source;
use crate::terminal::{self, ERROR, FRAME, HINT, STRONG, WARNING};
use asl_model::{Diagnostic, Diagnostics, Options, Position, Severity, SourceMap, StateMachine};
use serde_json::{Value, json};

/// A diagnostic and where it is in the text.
#[derive(Debug)]
pub(crate) struct Located<'d> {
    diagnostic: &'d Diagnostic,
    position: Option<Position>,
}

impl<'d> Located<'d> {
    /// All of a text's diagnostics.
    pub(crate) fn all(source: &Source, diagnostics: &'d Diagnostics) -> Vec<Self> {
        let unreadable = diagnostics.unreadable_at();
        // What cannot be read is not read on.
        let map = match unreadable {
            Some(_) => SourceMap::default(),
            None => SourceMap::new(&source.text),
        };
        diagnostics
            .iter()
            .map(|diagnostic| Self {
                diagnostic,
                position: unreadable.or_else(|| map.place_of(diagnostic)),
            })
            .collect()
    }

    /// For programs.
    pub(crate) fn to_json(&self) -> Value {
        let Diagnostic {
            severity,
            code,
            message,
            location,
            ..
        } = self.diagnostic;
        let mut object = json!({
            "severity": severity, "code": code, "message": message, "location": location.as_str(),
        });
        if let Some(position) = self.position {
            object["line"] = position.line.into();
            object["column"] = position.column.into();
        }
        object
    }

    fn print(&self, source: &Source, lines: &Lines<'_>) {
        let Diagnostic {
            severity,
            code,
            message,
            location,
            hint,
            ..
        } = self.diagnostic;
        let (style, word) = match severity {
            Severity::Error => (ERROR, "error"),
            Severity::Warning => (WARNING, "warning"),
        };
        terminal::error_line(&format!(
            "{style}{word}[{code}]{style:#}{STRONG}: {message}{STRONG:#}"
        ));
        match self.position {
            Some(Position { line, column }) => terminal::error_line(
                &Snippet::in_lines(&source.name, lines, line, column)
                    .with_style(style)
                    .to_string(),
            ),
            None => {
                let place = match location.as_str() {
                    "" | "/" => source.name.clone(),
                    location => format!("{}: {location}", source.name),
                };
                terminal::error_line(&format!(" {FRAME}-->{FRAME:#} {place}"));
            }
        }
        if let Some(hint) = hint {
            terminal::error_line(&format!("  {FRAME}={FRAME:#} {HINT}hint:{HINT:#} {hint}"));
        }
        terminal::error_line("");
    }
}

/// Tells all of a text's diagnostics on stderr.
pub(crate) fn print(source: &Source, diagnostics: &Diagnostics) {
    let lines = Lines::new(&source.text);
    for located in Located::all(source, diagnostics) {
        located.print(source, &lines);
    }
}

/// The definition in a text with its warnings, its faults told on stderr where it is refused.
pub(crate) fn parse_definition(
    source: &Source,
    options: Options,
) -> Result<(StateMachine, Diagnostics), Failure> {
    match asl_model::parse(&source.text, options) {
        Ok(parsed) => Ok(parsed),
        Err(diagnostics) => {
            print(source, &diagnostics);
            let name = &source.name;
            let way = match diagnostics.iter().any(is_of_placeholder) {
                true => "; --substitute NAME=VALUE and --substitutions FILE replace placeholders",
                false => "",
            };
            Err(Failure::new(format!(
                "{name} is not a valid definition{way}"
            )))
        }
    }
}

/// Whether it would not be there but for a placeholder.
fn is_of_placeholder(diagnostic: &Diagnostic) -> bool {
    let hint = diagnostic.hint.as_deref().unwrap_or_default();
    diagnostic.severity == Severity::Error
        && (diagnostic.message.starts_with("the placeholder ")
            || hint.starts_with("replace the placeholder "))
}
