//! Findings about a state, in one or more lines each.
use super::{Label, Lines, NARROWEST, STRANDS};
use crate::durations::elapsed;
use crate::explain::layout::{escape_controls, on_one_line, wrapped};
use crate::terminal::{ERROR, FAINT, HINT, SUCCESS, WARNING, count_noun, text_width, truncate};
use asl_model::Timestamp;
use asl_trace::{Finding, Reason, Step, StrandKind, TimedFinding};

/// Lines of an error.
const ERROR_LINES: usize = 4;

impl Lines {
    pub(super) fn findings(&mut self, findings: &[TimedFinding], step: &Step, depth: usize) {
        let mut selected = 0;
        for found in findings {
            // There is one for each iteration.
            if matches!(&found.finding, Finding::Field { field, .. } if field == "ItemSelector") {
                selected += 1;
                if selected > STRANDS && !self.text.full {
                    continue;
                }
            }
            self.finding(&found.finding, step, depth);
        }
        if selected > STRANDS && !self.text.full {
            let hidden = selected - STRANDS;
            self.line(
                depth,
                Label::NONE,
                &format!("{FAINT}… {hidden} more of ItemSelector (--full){FAINT:#}"),
            );
        }
    }

    fn finding(&mut self, finding: &Finding, step: &Step, depth: usize) {
        match finding {
            Finding::Attempt { retry_count } => {
                self.line(
                    depth,
                    Label::new(&format!("↻ retry {retry_count}"), WARNING),
                    "",
                );
            }
            Finding::Field { field, value } => self.value(depth, Label::new(field, HINT), value),
            Finding::Variable { name, value } => {
                self.value(depth, Label::new(&format!("${name} :="), HINT), value);
            }
            Finding::Rule {
                index,
                matched,
                rule,
                because,
            } => self.rule(depth, *index, *matched, rule.as_deref(), because),
            Finding::Default => {
                self.line(depth, Label::new("✓ Default", SUCCESS), "no rule matched");
            }
            Finding::Error {
                error,
                cause,
                field,
            } => self.error(depth, error.as_deref(), cause.as_deref(), field.as_deref()),
            Finding::Iterations { count } => {
                let count = usize::try_from(*count).unwrap_or(usize::MAX);
                let noun = match step.strands.first().map(|strand| strand.kind) {
                    Some(StrandKind::Child) => "child execution",
                    _ => "iteration",
                };
                self.line(depth, Label::NONE, &count_noun(count, noun));
            }
            Finding::Remark { text } => {
                self.line(depth, Label::new("!", WARNING), &escape_controls(text));
            }
            handler => self.handler(depth, handler),
        }
    }

    fn handler(&mut self, depth: usize, finding: &Finding) {
        let (label, style, text) = match finding {
            Finding::PassedBy {
                field,
                index,
                error_equals,
            } => (
                format!("  {field}[{index}]"),
                FAINT,
                format!(
                    "{FAINT}matches {}, not this error{FAINT:#}",
                    names(error_equals)
                ),
            ),
            Finding::Exhausted {
                index,
                error_equals,
            } => (
                format!("✗ Retry[{index}]"),
                ERROR,
                format!("matches {}, but has no attempts left", names(error_equals)),
            ),
            Finding::Retry {
                index,
                error_equals,
                max_attempts,
                delay_seconds,
            } => (
                index.map_or_else(|| "↻ Retry".to_owned(), |index| format!("↻ Retry[{index}]")),
                WARNING,
                retried(error_equals, *max_attempts, *delay_seconds),
            ),
            Finding::Catch {
                index,
                error_equals,
            } => (
                index.map_or_else(|| "✓ Catch".to_owned(), |index| format!("✓ Catch[{index}]")),
                SUCCESS,
                match error_equals.as_slice() {
                    [] => "matches the error".to_owned(),
                    equals => format!("matches {}", names(equals)),
                },
            ),
            _ => return,
        };
        self.line(depth, Label::new(&label, style), &text);
    }

    fn rule(
        &mut self,
        depth: usize,
        index: usize,
        matched: bool,
        rule: Option<&str>,
        because: &[Reason],
    ) {
        let (sign, style) = if matched {
            ('✓', SUCCESS)
        } else {
            ('✗', FAINT)
        };
        let label = format!("{sign} Choices[{index}]");
        let room = self.columns_after(depth);
        let text = match rule {
            Some(rule) if self.text.full => escape_controls(rule),
            Some(rule) => truncate(rule, room),
            None => String::new(),
        };
        self.line(depth, Label::new(&label, style), &text);
        for reason in because {
            let name = escape_controls(&reason.expression);
            let holds = match reason.holds {
                Some(true) => " holds:",
                Some(false) => " does not hold:",
                None => "",
            };
            let used = text_width(&name) + text_width(holds) + " is ".len();
            let value = match &reason.value {
                Some(value) if self.text.full => escape_controls(&value.to_string()),
                Some(value) => on_one_line(value, room.saturating_sub(used).max(NARROWEST)),
                None => "nothing".to_owned(),
            };
            let text = match reason.holds {
                Some(_) => format!("{FAINT}{name}{holds}{FAINT:#} {value}"),
                None => format!("{FAINT}{name} is{FAINT:#} {value}"),
            };
            self.line(depth, Label::NONE, &text);
        }
    }

    pub(super) fn error(
        &mut self,
        depth: usize,
        error: Option<&str>,
        cause: Option<&str>,
        field: Option<&str>,
    ) {
        let told = match (error, cause) {
            (Some(error), Some(cause)) => format!("{error}: {cause}"),
            (Some(text), None) | (None, Some(text)) => text.to_owned(),
            (None, None) => "failed".to_owned(),
        };
        let most = if self.text.full {
            usize::MAX
        } else {
            ERROR_LINES
        };
        let told = wrapped(&escape_controls(&told), self.columns_after(depth), most);
        for (at, line) in told.iter().enumerate() {
            let label = if at == 0 { "✗" } else { "" };
            self.line(
                depth,
                Label::new(label, ERROR),
                &format!("{ERROR}{line}{ERROR:#}"),
            );
        }
        if let Some(field) = field {
            self.line(
                depth,
                Label::NONE,
                &format!("{FAINT}in {}{FAINT:#}", escape_controls(field)),
            );
        }
    }
}

fn names(names: &[String]) -> String {
    escape_controls(&names.join(", "))
}

fn retried(error_equals: &[String], max_attempts: Option<u64>, delay_seconds: f64) -> String {
    let takes = match error_equals {
        [] => String::new(),
        equals => format!("matches {}: ", names(equals)),
    };
    let most = max_attempts.map_or_else(String::new, |most| format!(", {most} times at most"));
    let begin = Timestamp::from_milliseconds(0);
    let end = Timestamp::from_milliseconds((delay_seconds * 1_000.0).round() as i64);
    let delay = elapsed(begin, end);
    let delay = delay.map_or_else(|| "at once".to_owned(), |delay| format!("in {delay}"));
    format!("{takes}again {delay}{most}")
}
