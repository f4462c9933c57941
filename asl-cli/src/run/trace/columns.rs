//! Lines of a trace: name, type, data, duration.
use super::flow::{Entry, Place};
use crate::terminal::{self, FAINT, HINT, STRONG, text_width, truncate};
use anstyle::Style;
use asl_model::{StateKind, StateMachine, States};
use serde_json::Value;
use std::io::{self, Write};

/// Columns of names, at most.
const WIDEST_NAME: usize = 36;
/// Columns of types: "Parallel".
const KIND: usize = 8;

/// How wide what is.
pub(crate) struct Columns {
    name: usize,
    all: usize,
}

/// A state's line.
pub(crate) struct Row<'r> {
    pub(crate) entry: &'r Entry,
    /// What stands before the name.
    pub(crate) sign: char,
    pub(crate) kind: &'r str,
    pub(crate) from: Option<&'r Value>,
    pub(crate) to: Option<&'r Value>,
    pub(crate) note: &'r str,
    pub(crate) took: Option<String>,
}

impl Columns {
    /// Wide enough for the machine's names.
    pub(crate) fn of_machine(machine: &StateMachine) -> Self {
        let widest = widest_name(&machine.states);
        Self {
            name: widest.min(WIDEST_NAME),
            all: terminal::width(),
        }
    }

    /// One line for a state.
    pub(crate) fn row(&self, row: &Row<'_>) -> String {
        let (indent, used) = self.indent(&row.entry.place, row.sign);
        let name_width = self.name.saturating_sub(used).max(8);
        let name = truncate(&row.entry.name, name_width);
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
            false => 2,
        };
        let took = match took {
            "" => String::new(),
            _ => format!("{}{FAINT}{took}{FAINT:#}", " ".repeat(gap)),
        };
        let kind = row.kind;
        format!("{indent}{STRONG}{name}{STRONG:#}{fill}  {HINT}{kind:<KIND$}{HINT:#}  {data}{took}")
            .trim_end()
            .to_owned()
    }

    /// A line below a state's.
    pub(crate) fn remark(&self, entry: &Entry, style: Style, text: &str) -> String {
        let (indent, used) = self.indent(&entry.place, ' ');
        let name = truncate(&entry.name, 40);
        let room = self
            .all
            .saturating_sub(used + text_width(&name) + 4)
            .max(24);
        let text = truncate(text, room);
        format!("{indent}{FAINT}{name}{FAINT:#}  {style}{text}{style:#}")
    }

    /// Bars for what holds the state, its branch or iteration, and the sign; with their width.
    fn indent(&self, place: &Place, sign: char) -> (String, usize) {
        let depth = place.depth.min(8);
        let label = match &place.label {
            Some(label) => format!("{label} "),
            None => String::new(),
        };
        let text = format!("{}{sign} {label}", "│ ".repeat(depth));
        let width = text_width(&text);
        (format!("{FAINT}{text}{FAINT:#}"), width)
    }
}

/// Input, arrow, output and note, with their width.
fn data(row: &Row<'_>, room: usize) -> (String, usize) {
    let note = match row.note {
        "" => String::new(),
        note => format!("  {note}"),
    };
    let room = room.saturating_sub(text_width(&note));
    let plain = match (row.from, row.to) {
        (Some(from), Some(to)) => {
            let (from, to) = (compact(from, room), compact(to, room));
            let (left, right) = shares(text_width(&from), text_width(&to), room.saturating_sub(3));
            format!("{} → {}", truncate(&from, left), truncate(&to, right))
        }
        (Some(from), None) => truncate(&compact(from, room), room),
        (None, Some(to)) => format!("→ {}", truncate(&compact(to, room), room.saturating_sub(2))),
        (None, None) => String::new(),
    };
    let width = text_width(&plain) + text_width(&note);
    (format!("{plain}{FAINT}{note}{FAINT:#}"), width)
}

/// Divides `room` between two texts: what one does not need, the other has.
fn shares(left: usize, right: usize, room: usize) -> (usize, usize) {
    let half = room / 2;
    match (left <= half, right <= room - half) {
        (true, _) => (left, room - left),
        (false, true) => (room - right, right),
        (false, false) => (half, room - half),
    }
}

/// A value as JSON, no more of it than shows.
fn compact(value: &Value, columns: usize) -> String {
    let mut start = Start {
        bytes: Vec::new(),
        // A column holds a character, and that at most four bytes.
        limit: 4 * columns + 4,
    };
    // An error says that the limit is reached.
    let _ = serde_json::to_writer(&mut start, value);
    String::from_utf8_lossy(&start.bytes).into_owned()
}

/// The start of what is written.
struct Start {
    bytes: Vec<u8>,
    limit: usize,
}

impl Write for Start {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.limit.saturating_sub(self.bytes.len());
        if room == 0 {
            return Err(io::Error::other("enough"));
        }
        let taken = bytes.len().min(room);
        self.bytes.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Columns of the longest name with its indent.
fn widest_name(states: &States) -> usize {
    let mut widest = 0;
    let mut open = vec![(states, 0)];
    while let Some((States { states, .. }, depth)) = open.pop() {
        for (name, state) in states {
            let indent = if depth == 0 { 2 } else { 2 * depth + 5 };
            widest = widest.max(indent + text_width(name.as_str()));
            match &state.kind {
                StateKind::Parallel(parallel) => {
                    open.extend(parallel.branches.iter().map(|branch| (branch, depth + 1)));
                }
                StateKind::Map(map) => open.push((&map.item_processor.states, depth + 1)),
                _ => {}
            }
        }
    }
    widest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_short_side_leaves_its_room_to_the_other() {
        assert_eq!(shares(5, 100, 40), (5, 35));
        assert_eq!(shares(100, 5, 40), (35, 5));
        assert_eq!(shares(100, 100, 41), (20, 21));
    }

    #[test]
    fn of_a_large_value_only_the_start_is_written() {
        let large = json!({ "a": "x".repeat(1_000_000) });
        assert_eq!(compact(&large, 10).len(), 44);
        assert_eq!(compact(&json!([1, "é"]), 10), r#"[1,"é"]"#);
    }
}
