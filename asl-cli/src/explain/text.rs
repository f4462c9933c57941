//! An account as lines for a person.
use super::layout::{on_lines, on_one_line};
use crate::durations::elapsed;
use crate::terminal::{
    ERROR, FAINT, HINT, STRONG, SUCCESS, WARNING, counted, text_width, truncate,
};
use anstyle::Style;
use asl_explain::{Account, Entry, Finding, Found, Holder, Reason, Step, Strand, StrandKind};
use asl_model::Timestamp;
use serde_json::Value;

/// Columns of what stands before a value.
const LABEL: usize = 15;
/// Branches, iterations and children of one state that are shown at first.
const STRANDS: usize = 3;
/// Lines of an error.
const ERROR_LINES: usize = 4;
/// Data is shown in no fewer columns.
const NARROWEST: usize = 24;

/// How an account is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text {
    /// Columns of a line.
    pub(crate) columns: usize,
    /// Whether all data is shown, and every iteration.
    pub(crate) full: bool,
}

impl Text {
    /// All of an account.
    pub(crate) fn account(self, account: &Account) -> Vec<String> {
        let mut lines = self.without_end(account);
        lines.push_end(account);
        lines.lines
    }

    /// An account without its output or error, which follow by themselves.
    pub(crate) fn run(self, account: &Account) -> Vec<String> {
        let mut lines = self.without_end(account);
        lines.status(account);
        lines.lines
    }

    fn without_end(self, account: &Account) -> Lines {
        let mut lines = Lines::new(self);
        lines.begin(account);
        lines.steps(&account.steps, 0);
        lines
    }

    /// One state alone, and what holds it.
    pub(crate) fn step(self, holders: &[Holder], step: &Step) -> Vec<String> {
        let mut lines = Lines::new(self);
        lines.step(step, 0, &within(holders), false);
        lines.lines
    }

    /// What a state made, whose input was shown.
    pub(crate) fn made(self, holders: &[Holder], step: &Step) -> Vec<String> {
        let mut lines = Lines::new(self);
        let took = took(Some(step.entered), step.left);
        let named = (step.state.as_str(), step.state_type.as_str());
        lines.head(0, &within(holders), named, took);
        lines.findings(&step.findings, step, 0);
        lines.leave(step, 0);
        lines.lines
    }

    /// A state that is about to begin its work.
    pub(crate) fn entry(self, entry: &Entry<'_>) -> Vec<String> {
        let mut lines = Lines::new(self);
        let retry = match entry.retry_count {
            0 => None,
            count => Some(format!("retry {count}")),
        };
        lines.head(
            0,
            &within(entry.holders),
            (entry.state, entry.state_type),
            retry,
        );
        lines.value(0, ("input", FAINT), entry.input);
        lines.lines
    }
}

/// `Each #2 › Pay #0 › `.
fn within(holders: &[Holder]) -> String {
    let holder = |holder: &Holder| format!("{} #{} › ", holder.state, holder.index);
    holders.iter().map(holder).collect()
}

struct Lines {
    text: Text,
    lines: Vec<String>,
}

impl Lines {
    fn new(text: Text) -> Self {
        Self {
            text,
            lines: Vec::new(),
        }
    }

    fn begin(&mut self, account: &Account) {
        let started = account.started.map(|moment| moment.to_string());
        let started = started.unwrap_or_default();
        self.lines.push(format!(
            "{STRONG}▶ started{STRONG:#} {FAINT}{started}{FAINT:#}"
        ));
        if let Some(input) = &account.input {
            self.value(0, ("input", FAINT), input);
        }
    }

    fn status(&mut self, account: &Account) {
        let status = account.status.as_deref().unwrap_or("has not ended");
        let style = match status {
            "SUCCEEDED" => SUCCESS,
            "FAILED" | "TIMED_OUT" | "ABORTED" => ERROR,
            _ => WARNING,
        };
        let took = took(account.started, account.stopped);
        let took = took.map_or_else(String::new, |took| format!(" after {took}"));
        self.lines
            .push(format!("{style}■ {status}{style:#}{FAINT}{took}{FAINT:#}"));
    }

    fn push_end(&mut self, account: &Account) {
        self.status(account);
        if let Some(output) = &account.output {
            self.value(0, ("output", FAINT), output);
        }
        if account.error.is_some() || account.cause.is_some() {
            self.error(0, account.error.as_deref(), account.cause.as_deref(), None);
        }
    }

    fn steps(&mut self, steps: &[Step], depth: usize) {
        for step in steps {
            self.step(step, depth, "", true);
        }
    }

    fn step(&mut self, step: &Step, depth: usize, within: &str, with_strands: bool) {
        let took = took(Some(step.entered), step.left);
        self.head(depth, within, (&step.state, &step.state_type), took);
        self.value(depth, ("input", FAINT), &step.input);
        let begins = step.findings.iter().position(begins_strands);
        let (before, after) = step
            .findings
            .split_at(begins.unwrap_or(step.findings.len()));
        self.findings(before, step, depth);
        if with_strands {
            self.strands(&step.strands, depth);
        }
        self.findings(after, step, depth);
        self.leave(step, depth);
    }

    fn head(
        &mut self,
        depth: usize,
        within: &str,
        (name, kind): (&str, &str),
        note: Option<String>,
    ) {
        let indent = bars(depth);
        let (within, name) = (shown(within), shown(name));
        let note = note.map_or_else(String::new, |note| format!("  {FAINT}{note}{FAINT:#}"));
        self.lines.push(format!(
            "{FAINT}{indent}{FAINT:#}● {FAINT}{within}{FAINT:#}{STRONG}{name}{STRONG:#}  {HINT}{kind}{HINT:#}{note}"
        ));
    }

    fn leave(&mut self, step: &Step, depth: usize) {
        if let Some(output) = &step.output {
            let made = step
                .findings
                .iter()
                .rev()
                .find_map(|found| match &found.finding {
                    Finding::Field { value, .. } => Some(value),
                    _ => None,
                });
            // What the last field made was shown.
            match output {
                output if *output == step.input => {
                    self.line(
                        depth,
                        ("output", FAINT),
                        &format!("{FAINT}the input{FAINT:#}"),
                    );
                }
                output if made == Some(output) => {}
                output => self.value(depth, ("output", FAINT), output),
            }
        }
        match (&step.next, &step.output) {
            (Some(next), _) => {
                let next = shown(next);
                self.line(depth, ("", FAINT), &format!("→ {STRONG}{next}{STRONG:#}"));
            }
            (None, None) if step.failure().is_none() => {
                self.line(depth, ("", FAINT), &format!("{WARNING}not left{WARNING:#}"));
            }
            (None, _) => {}
        }
    }

    fn findings(&mut self, findings: &[Found], step: &Step, depth: usize) {
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
                ("", FAINT),
                &format!("{FAINT}… {hidden} more of ItemSelector (--full){FAINT:#}"),
            );
        }
    }

    fn finding(&mut self, finding: &Finding, step: &Step, depth: usize) {
        match finding {
            Finding::Attempt { retry_count } => {
                self.line(depth, (&format!("↻ retry {retry_count}"), WARNING), "");
            }
            Finding::Field { field, value } => self.value(depth, (field, HINT), value),
            Finding::Variable { name, value } => {
                self.value(depth, (&format!("${name} :="), HINT), value);
            }
            Finding::Rule {
                index,
                matched,
                rule,
                because,
            } => self.rule(depth, (*index, *matched), rule.as_deref(), because),
            Finding::Default => {
                self.line(depth, ("✓ Default", SUCCESS), "no rule matched");
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
                self.line(depth, ("", FAINT), &counted(count, noun));
            }
            Finding::Remark { text } => {
                self.line(depth, ("!", WARNING), &shown(text));
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
                format!("{FAINT}takes {}: not this{FAINT:#}", names(error_equals)),
            ),
            Finding::Exhausted {
                index,
                error_equals,
            } => (
                format!("✗ Retry[{index}]"),
                ERROR,
                format!(
                    "takes {}, but has made all its attempts",
                    names(error_equals)
                ),
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
                    [] => "takes the error".to_owned(),
                    equals => format!("takes {}", names(equals)),
                },
            ),
            _ => return,
        };
        self.line(depth, (&label, style), &text);
    }

    fn rule(
        &mut self,
        depth: usize,
        (index, matched): (usize, bool),
        rule: Option<&str>,
        because: &[Reason],
    ) {
        let (sign, style) = if matched {
            ('✓', SUCCESS)
        } else {
            ('✗', FAINT)
        };
        let label = format!("{sign} Choices[{index}]");
        let room = self.room(depth);
        let text = match rule {
            Some(rule) if self.text.full => shown(rule),
            Some(rule) => truncate(rule, room),
            None => String::new(),
        };
        self.line(depth, (&label, style), &text);
        for reason in because {
            let name = shown(&reason.expression);
            let holds = match reason.holds {
                Some(true) => " holds:",
                Some(false) => " does not hold:",
                None => "",
            };
            let used = text_width(&name) + text_width(holds) + " is ".len();
            let value = match &reason.value {
                Some(value) if self.text.full => shown(&value.to_string()),
                Some(value) => on_one_line(value, room.saturating_sub(used).max(NARROWEST)),
                None => "nothing".to_owned(),
            };
            let text = match reason.holds {
                Some(_) => format!("{FAINT}{name}{holds}{FAINT:#} {value}"),
                None => format!("{FAINT}{name} is{FAINT:#} {value}"),
            };
            self.line(depth, ("", FAINT), &text);
        }
    }

    fn error(
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
        let told = wrapped(&shown(&told), self.room(depth), most);
        for (at, line) in told.iter().enumerate() {
            let label = if at == 0 { "✗" } else { "" };
            self.line(depth, (label, ERROR), &format!("{ERROR}{line}{ERROR:#}"));
        }
        if let Some(field) = field {
            self.line(
                depth,
                ("", FAINT),
                &format!("{FAINT}in {}{FAINT:#}", shown(field)),
            );
        }
    }

    /// Branches, iterations or children: the first of them, and those that failed.
    fn strands(&mut self, strands: &[Strand], depth: usize) {
        let mut hidden = 0;
        for (at, strand) in strands.iter().enumerate() {
            let failed = strand
                .steps
                .last()
                .is_some_and(|step| step.output.is_none());
            if at >= STRANDS && !failed && !self.text.full {
                hidden += 1;
                continue;
            }
            let noun = match strand.kind {
                StrandKind::Branch => "branch",
                StrandKind::Iteration => "iteration",
                StrandKind::Child => "child",
            };
            let status = strand.status.as_deref().unwrap_or_default();
            let attempt = match strand.retry_count {
                0 => String::new(),
                count => format!(" of retry {count}"),
            };
            let (indent, index) = (bars(depth + 1), strand.index);
            self.lines.push(
                format!("{FAINT}{indent}{noun} #{index}{attempt}{FAINT:#} {status}")
                    .trim_end()
                    .to_owned(),
            );
            self.steps(&strand.steps, depth + 1);
        }
        if hidden > 0 {
            let indent = bars(depth + 1);
            self.lines.push(format!(
                "{FAINT}{indent}… {hidden} more that did not fail (--full){FAINT:#}"
            ));
        }
    }

    /// A value behind its label.
    fn value(&mut self, depth: usize, label: (&str, Style), value: &Value) {
        let room = self.room(depth);
        if !self.text.full {
            return self.line(depth, label, &on_one_line(value, room));
        }
        let mut lines = on_lines(value, room).into_iter();
        self.line(depth, label, &lines.next().unwrap_or_default());
        for line in lines {
            self.line(depth, ("", FAINT), &line);
        }
    }

    fn line(&mut self, depth: usize, (label, style): (&str, Style), text: &str) {
        let indent = bars(depth);
        let label = truncate(label, self.text.columns / 2);
        let fill = " ".repeat(LABEL.saturating_sub(text_width(&label)).max(1));
        let line = format!("{FAINT}{indent}{FAINT:#}  {style}{label}{style:#}{fill}{text}");
        self.lines.push(line.trim_end().to_owned());
    }

    /// Columns behind a label.
    fn room(&self, depth: usize) -> usize {
        let used = text_width(&bars(depth)) + 2 + LABEL;
        self.text.columns.saturating_sub(used).max(NARROWEST)
    }
}

/// A text in lines of so many columns, broken between words where there are some; its end is cut off beyond so many lines.
fn wrapped(text: &str, columns: usize, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last().map_or(0, |line| text_width(line));
        let fits = last == 0 || last + 1 + text_width(word) <= columns;
        if !fits && lines.len() == most {
            let last = lines.pop().unwrap_or_default();
            lines.push(truncate(&format!("{last} {word}"), columns));
            return lines;
        }
        match lines.last_mut().filter(|_| fits) {
            Some(line) if last == 0 => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

fn begins_strands(found: &Found) -> bool {
    // What came of branches and iterations is their result.
    matches!(&found.finding, Finding::Field { field, .. } if field == "Result")
        || matches!(found.finding, Finding::Error { .. })
}

fn bars(depth: usize) -> String {
    "│ ".repeat(depth.min(8))
}

fn shown(text: &str) -> String {
    text.chars().map(crate::terminal::visible).collect()
}

fn names(names: &[String]) -> String {
    shown(&names.join(", "))
}

fn retried(error_equals: &[String], max_attempts: Option<u64>, delay_seconds: f64) -> String {
    let takes = match error_equals {
        [] => String::new(),
        equals => format!("takes {}: ", names(equals)),
    };
    let most = max_attempts.map_or_else(String::new, |most| format!(", {most} times at most"));
    let begin = Timestamp::from_milliseconds(0);
    let end = Timestamp::from_milliseconds((delay_seconds * 1_000.0).round() as i64);
    let delay = elapsed(begin, end);
    let delay = delay.map_or_else(|| "at once".to_owned(), |delay| format!("in {delay}"));
    format!("{takes}again {delay}{most}")
}

fn took(from: Option<Timestamp>, to: Option<Timestamp>) -> Option<String> {
    elapsed(from?, to?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_broken_between_words() {
        assert_eq!(wrapped("one two three", 7, 9), ["one two", "three"]);
        assert_eq!(wrapped("one two three four", 7, 2), ["one two", "three …"]);
        assert_eq!(wrapped("incomprehensible", 7, 2), ["incomprehensible"]);
        assert_eq!(wrapped("", 7, 2), [""]);
    }
}
