//! An account as lines for a person.
mod findings;

use super::layout::{escape_controls, on_lines, on_one_line};
use crate::durations::elapsed;
use crate::terminal::{self, ERROR, FAINT, HINT, STRONG, SUCCESS, WARNING, text_width, truncate};
use anstyle::Style;
use asl_model::Timestamp;
use asl_trace::{Account, Entry, Finding, Holder, Step, Strand, StrandKind, TimedFinding};
use serde_json::Value;

/// Columns of what stands before a value.
const LABEL: usize = 15;
/// Branches, iterations and children of one state that are shown at first.
const STRANDS: usize = 3;
/// Data is shown in no fewer columns.
const NARROWEST: usize = 24;

/// Options of an explanation's text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text {
    /// Columns of a line.
    pub(crate) columns: usize,
    /// True if all data is shown, and every iteration.
    pub(crate) full: bool,
}

impl Text {
    /// For a person who follows what happens.
    pub(crate) fn on_stderr(full: bool) -> Self {
        Self {
            columns: terminal::width(),
            full,
        }
    }

    /// All of an account.
    pub(crate) fn account(self, account: &Account) -> Vec<String> {
        let mut lines = self.without_end(account);
        lines.push_end(account);
        lines.lines
    }

    /// Returns an account without its output or error, which follow by themselves.
    pub(crate) fn run(self, account: &Account) -> Vec<String> {
        let mut lines = self.without_end(account);
        lines.status(account);
        lines.lines
    }

    fn without_end(self, account: &Account) -> Lines {
        let mut lines = Lines::new(self);
        lines.print_header(account);
        lines.steps(&account.steps, 0);
        lines
    }

    /// Returns the text of one state, with its enclosing states.
    pub(crate) fn step(self, holders: &[Holder], step: &Step) -> Vec<String> {
        let mut lines = Lines::new(self);
        lines.step(step, 0, &format_holders(holders), false);
        lines.lines
    }

    /// Prints the data after each field of a state whose input was printed.
    pub(crate) fn print_fields(self, holders: &[Holder], step: &Step) -> Vec<String> {
        let mut lines = Lines::new(self);
        let took = took(Some(step.entered), step.left);
        let within = format_holders(holders);
        lines.head(0, &within, &step.state, &step.state_type, took);
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
            &format_holders(entry.holders),
            entry.state,
            entry.state_type,
            retry,
        );
        lines.value(0, Label::new("input", FAINT), entry.input);
        lines.lines
    }
}

/// `Each #2 › Pay #0 › `.
fn format_holders(holders: &[Holder]) -> String {
    let holder = |holder: &Holder| format!("{} #{} › ", holder.state, holder.index);
    holders.iter().map(holder).collect()
}

/// The label of a line.
#[derive(Clone, Copy)]
struct Label<'l> {
    text: &'l str,
    style: Style,
}

impl<'l> Label<'l> {
    /// Of lines that continue another one.
    const NONE: Self = Self {
        text: "",
        style: FAINT,
    };

    const fn new(text: &'l str, style: Style) -> Self {
        Self { text, style }
    }
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

    fn print_header(&mut self, account: &Account) {
        let started = account.started.map(|moment| moment.to_string());
        let started = started.unwrap_or_default();
        self.lines.push(format!(
            "{STRONG}▶ started{STRONG:#} {FAINT}{started}{FAINT:#}"
        ));
        if let Some(input) = &account.input {
            self.value(0, Label::new("input", FAINT), input);
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
            self.value(0, Label::new("output", FAINT), output);
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
        self.head(depth, within, &step.state, &step.state_type, took);
        self.value(depth, Label::new("input", FAINT), &step.input);
        let begins = step.findings.iter().position(starts_strands);
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

    fn head(&mut self, depth: usize, within: &str, name: &str, kind: &str, note: Option<String>) {
        let indent = bars(depth);
        let (within, name) = (escape_controls(within), escape_controls(name));
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
                        Label::new("output", FAINT),
                        &format!("{FAINT}the input{FAINT:#}"),
                    );
                }
                output if made == Some(output) => {}
                output => self.value(depth, Label::new("output", FAINT), output),
            }
        }
        match (&step.next, &step.output) {
            (Some(next), _) => {
                let next = escape_controls(next);
                self.line(depth, Label::NONE, &format!("→ {STRONG}{next}{STRONG:#}"));
            }
            (None, None) if step.failure().is_none() => {
                self.line(depth, Label::NONE, &format!("{WARNING}not left{WARNING:#}"));
            }
            (None, _) => {}
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
    fn value(&mut self, depth: usize, label: Label<'_>, value: &Value) {
        let room = self.columns_after(depth);
        if !self.text.full {
            return self.line(depth, label, &on_one_line(value, room));
        }
        let mut lines = on_lines(value, room).into_iter();
        self.line(depth, label, &lines.next().unwrap_or_default());
        for line in lines {
            self.line(depth, Label::NONE, &line);
        }
    }

    fn line(&mut self, depth: usize, label: Label<'_>, text: &str) {
        let Label { text: label, style } = label;
        let indent = bars(depth);
        let label = truncate(label, self.text.columns / 2);
        let fill = " ".repeat(LABEL.saturating_sub(text_width(&label)).max(1));
        let line = format!("{FAINT}{indent}{FAINT:#}  {style}{label}{style:#}{fill}{text}");
        self.lines.push(line.trim_end().to_owned());
    }

    /// Columns behind a label.
    fn columns_after(&self, depth: usize) -> usize {
        let used = text_width(&bars(depth)) + 2 + LABEL;
        self.text.columns.saturating_sub(used).max(NARROWEST)
    }
}

fn starts_strands(found: &TimedFinding) -> bool {
    // What came of branches and iterations is their result.
    matches!(&found.finding, Finding::Field { field, .. } if field == "Result")
        || matches!(found.finding, Finding::Error { .. })
}

fn bars(depth: usize) -> String {
    "│ ".repeat(depth.min(8))
}

fn took(from: Option<Timestamp>, to: Option<Timestamp>) -> Option<String> {
    elapsed(from?, to?)
}
