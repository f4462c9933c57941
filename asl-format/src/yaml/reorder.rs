//! Sorts fields by moving lines: comments, anchors and spellings are unchanged.
use crate::FormatError;
use crate::order::Part;
use asl_model::{Options, SourceMap, escaped_segment, unique_value_from_text};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// Fields of a YAML text that were left in an order that is not the expected one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsortedFields {
    /// JSON Pointer of the object with the fields; empty for the whole text.
    pub pointer: String,
    reason: Reason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    CommentAbove,
    CommentBelow,
    NoLines,
    OtherMeaning,
}

impl fmt::Display for UnsortedFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str("the fields of the state machine")?,
            pointer => write!(f, "the fields of {pointer}")?,
        }
        f.write_str(match self.reason {
            Reason::CommentAbove => {
                ": a comment above the first field would move above another field"
            }
            Reason::CommentBelow => {
                ": a comment below the last field would move below another field"
            }
            Reason::NoLines => ": they share lines",
            Reason::OtherMeaning => ": moving their lines would change the meaning of the text",
        })
    }
}

/// Returns a text of YAML with its fields in their order, and those that were kept; it ends with a line break.
pub(crate) fn reorder(text: &str) -> Result<(String, Vec<UnsortedFields>), FormatError> {
    let value = read(text)?;
    let part = match &value {
        Value::Object(fields) => Part::of_text(fields.keys().map(String::as_str)),
        _ => None,
    };
    let part = part.ok_or(FormatError::NoDefinition)?;
    let ended = with_break(text);
    let mut lines = Lines::new(&ended);
    lines.arrange(&value, &mut String::new(), part);
    let arranged = lines.lines.concat();
    match read(&arranged) {
        Ok(read) if read == value => Ok((arranged, lines.kept)),
        _ => {
            let whole = UnsortedFields {
                pointer: String::new(),
                reason: Reason::OtherMeaning,
            };
            Ok((text.to_owned(), vec![whole]))
        }
    }
}

/// Returns the text with a line break at its end, as the first one is.
fn with_break(text: &str) -> Cow<'_, str> {
    let first = text.split_inclusive('\n').next().unwrap_or_default();
    let ending = if first.ends_with("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    match text.ends_with('\n') {
        true => Cow::Borrowed(text),
        false => Cow::Owned(format!("{text}{ending}")),
    }
}

fn read(text: &str) -> Result<Value, FormatError> {
    unique_value_from_text(text, Options::default())
        .map_err(|faults| FormatError::from_faults(&faults))
}

struct Lines<'t> {
    /// Each with its break.
    lines: Vec<Cow<'t, str>>,
    map: SourceMap<'t>,
    /// Start of each line, in bytes.
    starts: Vec<usize>,
    kept: Vec<UnsortedFields>,
}

/// The lines of a field: those from its first comment up to the next field.
#[derive(Debug, Clone, Copy)]
struct Block {
    first: usize,
    /// The line with the name.
    name: usize,
    end: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let lines: Vec<Cow<'t, str>> = text.split_inclusive('\n').map(Cow::Borrowed).collect();
        let mut start = 0;
        let starts = lines.iter().map(|line| {
            let this = start;
            start += line.len();
            this
        });
        Self {
            starts: starts.collect(),
            lines,
            map: SourceMap::new(text),
            kept: Vec::new(),
        }
    }

    /// Sorts the fields in a value, innermost first, so that their lines are unchanged when outer fields move.
    fn arrange(&mut self, value: &Value, pointer: &mut String, part: Part) {
        if part == Part::Data {
            return;
        }
        let length = pointer.len();
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    pointer.push('/');
                    pointer.push_str(&escaped_segment(name));
                    self.arrange(value, pointer, part.of_field(name));
                    pointer.truncate(length);
                }
                if !fields.keys().is_sorted_by_key(|name| part.rank(name))
                    && let Err(reason) = self.arrange_fields(fields, pointer, part)
                {
                    let pointer = pointer.clone();
                    self.kept.push(UnsortedFields { pointer, reason });
                }
            }
            Value::Array(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    pointer.push('/');
                    pointer.push_str(&index.to_string());
                    self.arrange(element, pointer, part.of_element());
                    pointer.truncate(length);
                }
            }
            _ => {}
        }
    }

    fn arrange_fields(
        &mut self,
        fields: &Map<String, Value>,
        pointer: &str,
        part: Part,
    ) -> Result<(), Reason> {
        let (blocks, column) = self.blocks(fields, pointer).ok_or(Reason::NoLines)?;
        let names: Vec<&str> = fields.keys().map(String::as_str).collect();
        let mut order: Vec<usize> = (0..blocks.len()).collect();
        order.sort_by_key(|field| names.get(*field).map(|name| part.rank(name)));
        let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
            return Ok(());
        };
        if order.first() != Some(&0) && self.is_comment_above(first.name) {
            return Err(Reason::CommentAbove);
        }
        if order.last() != Some(&(blocks.len() - 1))
            && self.comment_column(last.end) == Some(column)
        {
            return Err(Reason::CommentBelow);
        }
        let region = first.first..last.end;
        let prefix = self.prefix(first.name, column)?;
        let mut moved = Vec::with_capacity(region.len());
        for (place, field) in order.iter().enumerate() {
            let block = blocks.get(*field).ok_or(Reason::NoLines)?;
            if place == 0 && block.first < block.name && !prefix.trim().is_empty() {
                return Err(Reason::CommentAbove);
            }
            let begins = if place == 0 {
                prefix.clone()
            } else {
                " ".repeat(column)
            };
            moved.extend(self.moved(*block, column, begins)?);
        }
        let old = self.lines.get_mut(region).ok_or(Reason::NoLines)?;
        old.iter_mut().zip(moved).for_each(|(old, new)| *old = new);
        Ok(())
    }

    /// Returns the lines of a field, with what the line of its name is to begin with.
    fn moved(
        &self,
        block: Block,
        column: usize,
        begins: String,
    ) -> Result<Vec<Cow<'t, str>>, Reason> {
        let lines = self.lines.get(block.first..block.end);
        let mut lines = lines.ok_or(Reason::NoLines)?.to_vec();
        let name = lines.get_mut(block.name - block.first);
        let name = name.ok_or(Reason::NoLines)?;
        if !name.starts_with(&begins) {
            let rest = name.get(column..).ok_or(Reason::NoLines)?;
            *name = Cow::Owned(begins + rest);
        }
        Ok(lines)
    }

    /// Returns the text before the first field on its line: spaces, or the dash of an element.
    fn prefix(&self, line: usize, column: usize) -> Result<String, Reason> {
        let line = self.lines.get(line).ok_or(Reason::NoLines)?;
        let prefix = line.get(..column).ok_or(Reason::NoLines)?;
        match prefix.bytes().all(|byte| matches!(byte, b' ' | b'-')) {
            true => Ok(prefix.to_owned()),
            false => Err(Reason::NoLines),
        }
    }

    /// Returns the lines of each field, and the column of their names, where each has lines of its own.
    fn blocks(&self, fields: &Map<String, Value>, pointer: &str) -> Option<(Vec<Block>, usize)> {
        let mut blocks: Vec<Block> = Vec::with_capacity(fields.len());
        let mut column = None;
        for name in fields.keys() {
            let pointer = format!("{pointer}/{}", escaped_segment(name));
            let offset = self.map.name_offset_of(&pointer)?;
            let line = self.line_of(offset);
            let here = offset - self.starts.get(line)?;
            if *column.get_or_insert(here) != here {
                return None;
            }
            let mut first = line;
            if let Some(before) = blocks.last_mut() {
                while first > before.name + 1 && self.comment_column(first - 1) == Some(here) {
                    first -= 1;
                }
                let is_alone = self.lines.get(line)?.get(..here)?.trim().is_empty();
                if first <= before.name || !is_alone {
                    return None;
                }
                before.end = first;
            }
            blocks.push(Block {
                first,
                name: line,
                end: line + 1,
            });
        }
        let whole = match pointer {
            "" => "/",
            pointer => pointer,
        };
        let last = blocks.last_mut()?;
        last.end = (*self.map.lines_of(whole)?.end()).max(last.end);
        Some((blocks, column?))
    }

    fn line_of(&self, offset: usize) -> usize {
        let after = self.starts.partition_point(|start| *start <= offset);
        after.saturating_sub(1)
    }

    fn is_comment_above(&self, line: usize) -> bool {
        line.checked_sub(1)
            .is_some_and(|above| self.comment_column(above).is_some())
    }

    /// Returns the column of a comment line.
    fn comment_column(&self, line: usize) -> Option<usize> {
        let line = self.lines.get(line)?;
        let content = line.trim_start_matches(' ');
        content.starts_with('#').then(|| line.len() - content.len())
    }
}

#[cfg(test)]
mod tests {
    use super::reorder;
    use crate::FormatError;

    #[track_caller]
    fn check(text: &str, expected: &str, kept: &[&str]) {
        let (arranged, told) = reorder(text).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert_eq!(arranged, expected);
        let told: Vec<String> = told.iter().map(ToString::to_string).collect();
        assert_eq!(told, kept);
        assert_eq!(reorder(&arranged).unwrap().0, arranged);
    }

    #[test]
    fn lines_move_with_their_comments() {
        check(
            "\
# All of it.

States:
  # Takes the money.
  Charge:
    Next: Ship # at once
    # Why we try again.
    # And again.
    Retry:
      - MaxAttempts: 3
        ErrorEquals: [Busy]
    Resource: >-
      arn:aws:
      # no comment

    Type: Task

  Ship: {Type: Succeed}
# Where it begins.
StartAt: Charge",
            "\
# All of it.

# Where it begins.
StartAt: Charge
States:
  # Takes the money.
  Charge:
    Type: Task
    Resource: >-
      arn:aws:
      # no comment

    # Why we try again.
    # And again.
    Retry:
      - ErrorEquals: [Busy]
        MaxAttempts: 3
    Next: Ship # at once

  Ship: {Type: Succeed}
",
            &[],
        );
    }

    #[test]
    fn anchors_and_tags_move_with_their_fields() {
        check(
            "StartAt: A\r\nStates:\r\n  A:\r\n    Next: B\r\n    Resource: !Sub '${F.Arn}'\r\n    Retry: &retry\r\n      - \
             ErrorEquals: [A]\r\n    Type: Task\r\n  B:\r\n    End: true\r\n    Retry: *retry\r\n    Type: Task",
            "StartAt: A\r\nStates:\r\n  A:\r\n    Type: Task\r\n    Resource: !Sub '${F.Arn}'\r\n    Retry: &retry\r\n      - \
             ErrorEquals: [A]\r\n    Next: B\r\n  B:\r\n    Type: Task\r\n    Retry: *retry\r\n    End: true\r\n",
            &[],
        );
    }

    #[test]
    fn what_cannot_be_moved_stays_and_is_told() {
        for (text, kept) in [
            (
                "# Why.\nStates: {}\nStartAt: A\n",
                "the fields of the state machine: a comment above the first field would move above another field",
            ),
            (
                "States: {}\nStartAt: A\n# Why.\n",
                "the fields of the state machine: a comment below the last field would move below another field",
            ),
            (
                "States: {A/b: {End: true, Type: Pass}}\n",
                "the fields of /States/A~1b: they share lines",
            ),
            (
                "x: &x {StartAt: A}\nStates: {}\n<<: *x\n",
                "the fields of the state machine: they share lines",
            ),
            (
                "States: &s {}\nStartAt: *s\n",
                "the fields of the state machine: moving their lines would change the meaning of the text",
            ),
            (
                "States:\n  A:\n    Branches:\n      - States: {}\n        # Why.\n        StartAt: B\n",
                "the fields of /States/A/Branches/0: a comment above the first field would move above another field",
            ),
        ] {
            check(text, text, &[kept]);
        }
    }

    #[test]
    fn payloads_stay_as_they_are() {
        let text = "States:\n  A:\n    Type: Task\n    Arguments:\n      Next: 1\n      Type: 2\n    End: true\n";
        check(text, text, &[]);
        assert_eq!(
            reorder("b: 1\nType: 2").unwrap_err(),
            FormatError::NoDefinition
        );
    }
}
