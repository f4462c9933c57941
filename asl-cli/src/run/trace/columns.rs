//! Lines of a trace: name, type, data, duration.
use super::data::{self, Part};
use crate::terminal::{self, FAINT, HINT, STRONG, text_width, truncate};
use anstyle::Style;
use asl_model::{StateMachine, States};
use asl_trace::{StrandKind, Visit};

/// Columns of names, at most.
const WIDEST_NAME: usize = 36;
/// Columns of types: "Parallel".
const KIND: usize = 8;

/// Widths of columns.
pub(crate) struct Columns {
    name: usize,
    all: usize,
}

/// A state's line.
pub(crate) struct Row<'r> {
    pub(crate) visit: &'r Visit,
    /// The sign before the name.
    pub(crate) sign: char,
    pub(crate) kind: &'r str,
    pub(crate) data: &'r [Part<'r>],
    pub(crate) note: &'r str,
    pub(crate) took: Option<String>,
}

impl Columns {
    /// Wide enough for the machine's names.
    pub(crate) fn from_machine(machine: &StateMachine) -> Self {
        let widest = widest_name(&machine.states);
        Self {
            name: widest.min(WIDEST_NAME),
            all: terminal::width(),
        }
    }

    /// Returns one line for a state.
    pub(crate) fn row(&self, row: &Row<'_>) -> String {
        let (indent, used) = self.indent(row.visit, row.sign);
        let name_width = self.name.saturating_sub(used).max(8);
        let name = truncate(&row.visit.state, name_width);
        let fill = " ".repeat(name_width.saturating_sub(text_width(&name)));
        let took = row.took.as_deref().unwrap_or_default();
        let fixed = used + name_width + 2 + KIND + 2;
        let tail = match took {
            "" => 0,
            _ => text_width(took) + 2,
        };
        let room = self.all.saturating_sub(fixed + tail).max(24);
        let (data, data_width) = data(row, room);
        let gap = match terminal::is_interactive() {
            true => room.saturating_sub(data_width) + 2,
            false if data_width == 0 => 0,
            false => 2,
        };
        let took = match took {
            "" => String::new(),
            _ => format!("{}{FAINT}{took}{FAINT:#}", " ".repeat(gap)),
        };
        let name = format!("{indent}{STRONG}{name}{STRONG:#}{fill}");
        let kind = row.kind;
        match data.is_empty() && took.is_empty() {
            true if kind.is_empty() => name,
            true => format!("{name}  {HINT}{kind}{HINT:#}"),
            false => format!("{name}  {HINT}{kind:<KIND$}{HINT:#}  {data}{took}"),
        }
    }

    /// Returns a line below a state's.
    pub(crate) fn remark(&self, visit: &Visit, style: Style, text: &str) -> String {
        let (indent, used) = self.indent(visit, ' ');
        let name = truncate(&visit.state, 40);
        let room = self
            .all
            .saturating_sub(used + text_width(&name) + 4)
            .max(24);
        let text = truncate(text, room);
        format!("{indent}{FAINT}{name}{FAINT:#}  {style}{text}{style:#}")
    }

    /// Bars for what holds the state, its branch or iteration, and the sign; with their width.
    fn indent(&self, visit: &Visit, sign: char) -> (String, usize) {
        let depth = visit.holders.len().min(8);
        let label = match visit.holders.last() {
            Some(holder) if holder.kind == StrandKind::Branch => format!("{} ", holder.index + 1),
            Some(holder) => format!("#{} ", holder.index),
            None => String::new(),
        };
        let text = format!("{}{sign} {label}", "│ ".repeat(depth));
        let width = text_width(&text);
        (format!("{FAINT}{text}{FAINT:#}"), width)
    }
}

/// Data and note, with their width.
fn data(row: &Row<'_>, room: usize) -> (String, usize) {
    let note = row.note;
    if note.is_empty() {
        return data::render(row.data, room);
    }
    let gap = if row.data.is_empty() { "" } else { "  " };
    let tail = gap.len() + text_width(note);
    let (data, width) = data::render(row.data, room.saturating_sub(tail));
    (format!("{data}{gap}{FAINT}{note}{FAINT:#}"), width + tail)
}

/// Columns of the longest name with its indent.
fn widest_name(states: &States) -> usize {
    let mut widest = 0;
    let mut open = vec![(states, 0)];
    while let Some((States { states, .. }, depth)) = open.pop() {
        for (name, state) in states {
            let indent = if depth == 0 { 2 } else { 2 * depth + 5 };
            widest = widest.max(indent + text_width(name.as_str()));
            open.extend(state.scopes().iter().map(|scope| (scope, depth + 1)));
        }
    }
    widest
}
