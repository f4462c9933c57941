//! Changes of the data on a line, with unchanged data as `…`.
use crate::explain::compact;
use crate::terminal::{ERROR, FAINT, HINT, SUCCESS, WARNING, text_width, truncate};
use anstyle::Style;
use serde_json::{Map, Value};

/// Columns of a part, if there are many: with less, nothing could be read.
const NARROWEST: usize = 14;
/// More fields than any line shows.
const MOST_FIELDS: usize = 40;
/// Columns between two parts.
const GAP: usize = 2;
const REST: &str = "…";

/// A change of a state's input.
#[derive(Debug, PartialEq)]
pub(crate) enum Change<'v> {
    /// Nothing.
    Unchanged,
    /// Something else: the two have nothing in common.
    Replaced,
    /// Another object with some of its fields: those that differ.
    Fields(Vec<Part<'v>>),
}

impl<'v> Change<'v> {
    /// Compares the fields of two objects, and other values as a whole.
    pub(crate) fn compare(from: &'v Value, to: &'v Value) -> Self {
        if std::ptr::eq(from, to) {
            return Self::Unchanged;
        }
        match (from, to) {
            (Value::Object(from), Value::Object(to)) if to.keys().any(|k| from.contains_key(k)) => {
                Self::from_fields(from, to)
            }
            _ if from == to => Self::Unchanged,
            _ => Self::Replaced,
        }
    }

    fn from_fields(from: &'v Map<String, Value>, to: &'v Map<String, Value>) -> Self {
        let mut parts: Vec<Part<'v>> = fields(from, to).take(MOST_FIELDS).collect();
        let present = |part: &&Part<'_>| !matches!(part, Part::Removed(_));
        match parts.iter().filter(present).count() {
            _ if parts.is_empty() => return Self::Unchanged,
            present if present < to.len() || parts.len() == MOST_FIELDS => parts.push(Part::Rest),
            _ => {}
        }
        Self::Fields(parts)
    }
}

/// A piece of the data column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part<'v> {
    Value(&'v Value),
    /// A value and what took its place.
    Replaced(&'v Value, &'v Value),
    /// The output.
    Output(&'v Value),
    /// The state that comes next.
    Next(&'v str),
    Added(&'v str, &'v Value),
    Altered(&'v str, &'v Value, &'v Value),
    Removed(&'v str),
    /// A variable and its new value.
    Assigned(&'v str, &'v Value),
    /// Omitted data.
    Rest,
}

/// Returns the fields in which two objects differ: those of the new one in its order, then those that are gone.
fn fields<'v>(
    from: &'v Map<String, Value>,
    to: &'v Map<String, Value>,
) -> impl Iterator<Item = Part<'v>> {
    let present = to.iter().filter_map(|(name, value)| match from.get(name) {
        None => Some(Part::Added(name, value)),
        Some(before) if before != value => Some(Part::Altered(name, before, value)),
        Some(_) => None,
    });
    let gone = from.keys().filter(|name| !to.contains_key(*name));
    present.chain(gone.map(|name| Part::Removed(name)))
}

/// Returns the parts in at most `room` columns, with the columns they take.
pub(crate) fn render(parts: &[Part<'_>], room: usize) -> (String, usize) {
    let most = (room / NARROWEST).max(1);
    let (shown, hidden) = parts.split_at(most.min(parts.len()));
    let rest: &[Part<'_>] = if hidden.is_empty() {
        &[]
    } else {
        &[Part::Rest]
    };
    let parts: Vec<&Part<'_>> = shown.iter().chain(rest).collect();
    let gaps = GAP * parts.len().saturating_sub(1);
    let widths: Vec<usize> = parts.iter().map(|p| text_width(&p.text(room))).collect();
    let widths = shares(&widths, room.saturating_sub(gaps));
    let mut rendered = String::new();
    let mut used = 0;
    for (part, width) in parts.iter().zip(widths) {
        if used > 0 {
            rendered.push_str(&" ".repeat(GAP));
            used += GAP;
        }
        let text = part.text(width);
        used += text_width(&text);
        rendered.push_str(&part.coloured(&text));
    }
    (rendered, used)
}

impl Part<'_> {
    /// In at most `width` columns.
    fn text(&self, width: usize) -> String {
        match self {
            Self::Value(value) => shortened(value, width),
            Self::Replaced(from, to) => pair(from, to, width),
            Self::Output(value) => after("→ ", width, |rest| shortened(value, rest)),
            Self::Next(name) => truncate(&format!("→ {name}"), width),
            Self::Added(name, value) => after(&field('+', name, width), width, |rest| {
                shortened(value, rest)
            }),
            Self::Altered(name, before, value) => after(&field('~', name, width), width, |rest| {
                pair(before, value, rest)
            }),
            Self::Removed(name) => truncate(&format!("- {name}"), width),
            Self::Assigned(name, value) => {
                after(&variable(name, width), width, |rest| shortened(value, rest))
            }
            Self::Rest => REST.to_owned(),
        }
    }

    /// Returns the text in its colour: the sign, or everything that is not data.
    fn coloured(&self, text: &str) -> String {
        let style: Style = match self {
            Self::Added(..) => SUCCESS,
            Self::Altered(..) => WARNING,
            Self::Removed(_) => ERROR,
            Self::Assigned(..) => HINT,
            Self::Rest => FAINT,
            _ => return text.to_owned(),
        };
        let sign = text.chars().next().map_or(0, char::len_utf8);
        let (sign, rest) = text.split_at(sign);
        format!("{style}{sign}{style:#}{rest}")
    }
}

/// `+ name: `, no wider than half of the room where the name is long.
fn field(sign: char, name: &str, width: usize) -> String {
    format!("{sign} {}: ", halved(name, width))
}

/// `$name := `, as JSONata writes it, no wider than half of the room where the name is long.
fn variable(name: &str, width: usize) -> String {
    format!("${} := ", halved(name, width))
}

fn halved(name: &str, width: usize) -> String {
    truncate(name, (width / 2).max(NARROWEST / 2))
}

/// `start` and what fits behind it.
fn after(start: &str, width: usize, text: impl FnOnce(usize) -> String) -> String {
    let text = text(width.saturating_sub(text_width(start)));
    truncate(&format!("{start}{text}"), width)
}

/// `from → to`, what one does not need left to the other; without the beginning they share where both do not fit.
fn pair(from: &Value, to: &Value, width: usize) -> String {
    let (mut from, mut to) = (compact(from, width), compact(to, width));
    let room = width.saturating_sub(text_width(" → "));
    if text_width(&from) + text_width(&to) > room {
        let shared = shared_start(&from, &to);
        if shared > REST.len() {
            from.replace_range(..shared, REST);
            to.replace_range(..shared, REST);
        }
    }
    let shares = shares(&[text_width(&from), text_width(&to)], room);
    let (from, to) = (truncate(&from, shares[0]), truncate(&to, shares[1]));
    format!("{from} → {to}")
}

/// Returns the number of bytes before the first field or item that differs; 0 if the difference is not in the known part.
fn shared_start(left: &str, right: &str) -> usize {
    let mut begin = 0;
    for ((at, character), other) in left.char_indices().zip(right.chars()) {
        if character != other {
            return begin;
        }
        if matches!(character, '{' | '[' | ',') {
            begin = at + character.len_utf8();
        }
    }
    0
}

/// Divides `room` evenly: what one does not need, the others have.
fn shares(widths: &[usize], room: usize) -> Vec<usize> {
    let mut narrowest_first: Vec<usize> = (0..widths.len()).collect();
    narrowest_first.sort_by_key(|at| widths[*at]);
    let mut shares = vec![0; widths.len()];
    let mut left = room;
    for (done, at) in narrowest_first.into_iter().enumerate() {
        shares[at] = widths[at].min(left / (widths.len() - done));
        left -= shares[at];
    }
    shares
}

fn shortened(value: &Value, columns: usize) -> String {
    truncate(&compact(value, columns), columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns the change between two values, as shown in `room` columns.
    fn show(from: &Value, to: &Value, room: usize) -> String {
        let parts = match Change::compare(from, to) {
            Change::Unchanged => return "unchanged".to_owned(),
            Change::Replaced => vec![Part::Replaced(from, to)],
            Change::Fields(parts) => parts,
        };
        let (rendered, width) = render(&parts, room);
        let plain = anstream::adapter::strip_str(&rendered).to_string();
        assert_eq!(text_width(&plain), width);
        assert!(width <= room, "{plain}");
        plain
    }

    #[test]
    fn of_objects_only_the_fields_that_differ_are_shown() {
        let from = json!({"id": 1, "status": "running", "x": [1]});
        let to = json!({"id": 1, "status": "failed", "log": {"lastRun": null}});
        assert_eq!(
            show(&from, &to, 80),
            r#"~ status: "running" → "failed"  + log: {"lastRun":null}  - x  …"#
        );
        assert_eq!(show(&from, &from.clone(), 80), "unchanged");
        let reordered = json!({"x": [1], "status": "running", "id": 1});
        assert_eq!(show(&from, &reordered, 80), "unchanged");
        assert_eq!(show(&json!({"a": 1}), &json!({"a": 2}), 80), "~ a: 1 → 2");
    }

    #[test]
    fn what_has_nothing_in_common_is_shown_whole() {
        assert_eq!(show(&json!({}), &json!({"a": 1}), 80), r#"{} → {"a":1}"#);
        assert_eq!(
            show(&json!({"a": 1}), &json!({"b": 1}), 80),
            r#"{"a":1} → {"b":1}"#
        );
        assert_eq!(show(&json!({"a": 1}), &json!([1]), 80), r#"{"a":1} → [1]"#);
        assert_eq!(show(&json!(1), &json!(1), 80), "unchanged");
    }

    #[test]
    fn values_are_shortened_to_the_room() {
        let from = json!({"id": 1, "long": "a".repeat(1_000)});
        let to = json!({"id": 2, "long": "b".repeat(1_000), "more": "c".repeat(1_000)});
        assert_eq!(
            show(&from, &to, 60),
            r#"~ id: 1 → 2  ~ long: "aaa… → "bbbb…  + more: "ccccccccccccc…"#
        );
    }

    #[test]
    fn two_long_values_begin_where_they_differ() {
        let log =
            |seconds| json!({"log": {"payload": {"retryable": true, "backoffSeconds": seconds}}});
        assert_eq!(
            show(&log(30), &log(60), 120),
            r#"~ log: {"payload":{"retryable":true,"backoffSeconds":30}} → {"payload":{"retryable":true,"backoffSeconds":60}}"#
        );
        assert_eq!(
            show(&log(30), &log(60), 80),
            r#"~ log: …"backoffSeconds":30}} → …"backoffSeconds":60}}"#
        );
        assert_eq!(shared_start("[1,22", "[1,23"), 3);
        assert_eq!(shared_start("[1,2", "[1,2"), 0);
    }

    #[test]
    fn of_many_fields_the_first_are_shown() {
        let object = |value: i64| -> Value {
            let fields = (0..10_000).map(|n| (format!("field{n}"), json!(value)));
            Value::Object(fields.collect())
        };
        assert_eq!(
            show(&object(1), &object(2), 40),
            "~ field0: 1 → 2  ~ field1: 1 → 2  …"
        );
    }

    #[test]
    fn nothing_is_wider_than_its_room() {
        let from =
            json!({"a": "日本語日本語", "a very long name of a field": 1, "kept": 1, "b": 2});
        let to = json!({"a": "日本", "a very long name of a field": [2, 3], "kept": 1, "c": 3});
        for room in 24..120 {
            show(&from, &to, room);
        }
    }

    #[test]
    fn a_short_side_leaves_its_room_to_the_others() {
        assert_eq!(shares(&[5, 100], 40), [5, 35]);
        assert_eq!(shares(&[100, 5], 40), [35, 5]);
        assert_eq!(shares(&[100, 100], 41), [20, 21]);
        assert_eq!(shares(&[100, 4, 100, 10], 44), [15, 4, 15, 10]);
    }

    #[test]
    fn variables_are_shown_as_they_are_assigned() {
        let value = json!({"a": 1});
        let (rendered, _) = render(&[Part::Assigned("x", &value)], 40);
        let plain = anstream::adapter::strip_str(&rendered).to_string();
        assert_eq!(plain, r#"$x := {"a":1}"#);
        let name = "n".repeat(80);
        assert!(render(&[Part::Assigned(&name, &value)], 40).1 <= 40);
    }

    #[test]
    fn of_a_large_value_only_the_start_is_written() {
        let large = json!({ "a": "x".repeat(1_000_000) });
        assert_eq!(compact(&large, 10).len(), 44);
        assert_eq!(compact(&json!([1, "é"]), 10), r#"[1,"é"]"#);
    }
}
