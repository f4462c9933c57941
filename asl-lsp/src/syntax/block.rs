//! Block YAML, parsed by indentation, also if it is incomplete or invalid.
use super::flow::{self, Flow, quoted, unclosed};
use super::node::{Builder, Kind, Name, Style};
use std::ops::Range;

/// A block collection that continues.
#[derive(Debug, Clone, Copy)]
struct Open {
    kind: Kind,
    column: usize,
}

/// A name, or a dash, whose value comes in the lines after it.
#[derive(Debug)]
struct PendingEntry {
    name: Option<Name>,
    /// The column of the collection that it is in.
    column: usize,
    /// Possible start of the value.
    at: usize,
}

pub(crate) struct Reader<'t, 'b> {
    text: &'t str,
    /// Start of the next line.
    at: usize,
    builder: &'b mut Builder,
    open: Vec<Open>,
    pending: Option<PendingEntry>,
    /// End of the last content.
    content_end: usize,
}

/// Reads a whole text.
pub(crate) fn read(text: &str, builder: &mut Builder) {
    let mut reader = Reader {
        text,
        at: 0,
        builder,
        open: Vec::new(),
        pending: None,
        content_end: 0,
    };
    while !reader.builder.is_full()
        && let Some(line) = reader.next_line()
    {
        reader.line(line);
    }
    reader.missing(reader.text.len());
    while !reader.open.is_empty() {
        reader.close();
    }
}

impl<'t> Reader<'t, '_> {
    /// Returns the next line with content, without its end.
    fn next_line(&mut self) -> Option<Range<usize>> {
        loop {
            let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
            let length = rest.find('\n').unwrap_or(rest.len());
            let start = self.at;
            self.at = (start + length + 1).min(self.text.len());
            let line = rest.get(..length)?.trim_end();
            let content = line.trim_start_matches([' ', '\u{feff}']);
            let is_marker =
                line.starts_with("---") || line.starts_with("...") || line.starts_with('%');
            if !(content.is_empty() || content.starts_with('#') || is_marker) {
                return Some(start..start + line.len());
            }
        }
    }

    fn slice(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or_default()
    }

    fn line(&mut self, line: Range<usize>) {
        let text = self.slice(line.clone());
        let mut column = text.len() - text.trim_start_matches([' ', '\u{feff}']).len();
        let mut start = line.start + column;
        self.leave_deeper(column, is_dash(self.slice(start..line.end)));
        loop {
            let content = self.slice(start..line.end);
            if !is_dash(content) {
                break;
            }
            if self.builder.is_full() {
                return;
            }
            self.dash(column, start);
            let after = content.get(1..).unwrap_or_default();
            let spaces = after.len() - after.trim_start().len();
            let is_empty = after.trim_start().is_empty() || after.trim_start().starts_with('#');
            self.content_end = start + 1;
            if is_empty {
                return;
            }
            start += 1 + spaces;
            column += 1 + spaces;
        }
        self.content(start, line.end, column);
    }

    /// Ends what a line of that column is not in.
    fn leave_deeper(&mut self, column: usize, is_dash: bool) {
        while let Some(open) = self.open.last().copied() {
            let stays = open.column < column
                || (open.column == column && (open.kind == Kind::Object || is_dash));
            if stays {
                break;
            }
            let is_pending_within = self
                .pending
                .as_ref()
                .is_some_and(|it| it.column >= open.column);
            if is_pending_within {
                self.missing(self.content_end);
            }
            self.close();
        }
        // A name whose value would have to be deeper has none.
        if let Some(pending) = &self.pending
            && (column < pending.column
                || (column == pending.column && !(is_dash && pending.name.is_some())))
        {
            self.missing(self.content_end);
        }
    }

    /// Ends the innermost collection.
    fn close(&mut self) {
        self.open.pop();
        self.builder.close(self.content_end);
    }

    /// Adds a missing value for a pending name or dash.
    fn missing(&mut self, end: usize) {
        if let Some(pending) = self.pending.take() {
            let end = end.max(pending.at);
            self.builder
                .add(Kind::Missing, pending.at..end, pending.name);
        }
    }

    fn open(&mut self, kind: Kind, column: usize, start: usize) {
        let name = self.pending.take().and_then(|pending| pending.name);
        let id = self.builder.open(kind, start, name);
        if let Some(node) = self.builder.nodes.get_mut(id) {
            node.column = Some(column);
        }
        self.open.push(Open { kind, column });
    }

    fn dash(&mut self, column: usize, start: usize) {
        let top = self.open.last().copied();
        let is_there = top.is_some_and(|top| {
            top.kind == Kind::Array && top.column == column && self.pending.is_none()
        });
        if !is_there {
            self.builder.is_broken |= self.pending.is_none() && !self.open.is_empty();
            self.open(Kind::Array, column, start);
        }
        self.pending = Some(PendingEntry {
            name: None,
            column,
            at: start + 1,
        });
    }

    /// Parses the content of a line after its dashes: a name with or without a value, or a value.
    fn content(&mut self, start: usize, end: usize, column: usize) {
        let content = self.slice(start..end);
        let Some((length, style)) = name(content) else {
            self.value_or_name(start, end, column);
            return;
        };
        let is_there =
            self.open.last().is_some_and(|top| top.kind == Kind::Object) && self.pending.is_none();
        if !is_there {
            let is_stray = self.pending.is_none() && !self.open.is_empty();
            self.builder.is_broken |= is_stray;
            self.open(Kind::Object, column, start);
        }
        let name = Name {
            span: start..start + length,
            style,
        };
        let rest = content.get(length..).unwrap_or_default();
        let colon = length + rest.find(':').map_or(rest.len(), |at| at + 1);
        let map = self.open.last().map_or(column, |open| open.column);
        self.content_end = start + colon;
        self.pending = Some(PendingEntry {
            name: Some(name),
            column: map,
            at: start + colon,
        });
        self.value(start + colon, end, map);
    }

    /// A text without a colon: the value of what waits for one, or a name that is not written to its end.
    fn value_or_name(&mut self, start: usize, end: usize, column: usize) {
        let outer = self.pending.as_ref().map(|pending| pending.column);
        match outer {
            Some(outer) if !self.is_before_name(column) => return self.value(start, end, outer),
            Some(_) => self.open(Kind::Object, column, start),
            None if self.builder.nodes.is_empty() => return self.value(start, end, 0),
            None => {}
        }
        self.content_end = end;
        let name = Name {
            span: start..end,
            style: Style::Plain,
        };
        self.builder.add(Kind::NameAlone, end..end, Some(name));
    }

    /// Returns true if the next line has a name in that column.
    fn is_before_name(&mut self, column: usize) -> bool {
        let at = self.at;
        let line = self.next_line();
        self.at = at;
        let line = line.map_or("", |line| self.slice(line));
        let content = line.trim_start_matches(' ');
        line.len() - content.len() == column && name(content).is_some()
    }

    /// A value that begins on a line, after its tag and anchor; `outer` is the column of the collection that it is in.
    fn value(&mut self, from: usize, end: usize, outer: usize) {
        let start = self.after_properties(from, end);
        let rest = self.slice(start..end);
        match rest.chars().next() {
            None | Some('#') => {}
            Some('{' | '[') => {
                let name = self.take_name();
                let after = flow::read(
                    self.text,
                    start..self.text.len(),
                    Flow::Yaml { outer },
                    name,
                    self.builder,
                );
                self.continue_after(after);
            }
            Some(sign @ ('|' | '>')) => self.block(sign, start, end, outer),
            Some(quote @ ('"' | '\'')) => {
                let rest = self.slice(start..self.text.len());
                let length = quoted(rest, quote, true).unwrap_or_else(|| {
                    self.builder.is_broken = true;
                    unclosed(rest)
                });
                let style = if quote == '"' {
                    Style::Double
                } else {
                    Style::Single
                };
                self.scalar(style, start..start + length);
                self.continue_after(start + length);
            }
            Some(_) => self.plain(start, end, outer),
        }
    }

    fn take_name(&mut self) -> Option<Name> {
        self.pending.take().and_then(|pending| pending.name)
    }

    fn scalar(&mut self, style: Style, span: Range<usize>) {
        let name = self.take_name();
        self.content_end = span.end;
        self.builder.add(Kind::Scalar(style), span, name);
    }

    /// Continues at the line after the one with `end`.
    fn continue_after(&mut self, end: usize) {
        self.content_end = end;
        if end >= self.at {
            let rest = self.slice(end..self.text.len());
            self.at = end + rest.find('\n').map_or(rest.len(), |length| length + 1);
        }
    }

    /// Returns the start of the value after white space, `!Tag` and `&anchor`.
    fn after_properties(&self, from: usize, end: usize) -> usize {
        let mut rest = self.slice(from..end).trim_start();
        while rest.starts_with(['!', '&']) {
            let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
            rest = rest.get(length..).unwrap_or_default().trim_start();
        }
        end - rest.len()
    }

    /// A text without quotes, which continues in deeper lines that have no colon.
    fn plain(&mut self, start: usize, end: usize, outer: usize) {
        let mut last = start + without_comment(self.slice(start..end)).len();
        let mut line_end = end;
        loop {
            let next = self.at;
            let Some(line) = self.next_line() else {
                break;
            };
            let text = self.slice(line.clone());
            let content = text.trim_start_matches(' ');
            let column = text.len() - content.len();
            let goes_on = line.start == next
                && column > outer
                && !is_dash(content)
                && name(content).is_none()
                && last == line_end;
            if !goes_on {
                self.at = next;
                break;
            }
            last = line.start + column + without_comment(content).len();
            line_end = line.end;
        }
        self.scalar(Style::Plain, start..last);
    }

    /// Parses a block scalar, whose lines are indented more deeply. JSON in it is parsed as well.
    fn block(&mut self, sign: char, start: usize, end: usize, outer: usize) {
        let begin = self.at;
        let mut last = end;
        let mut indentation = None;
        while let Some(rest) = self.text.get(self.at..).filter(|rest| !rest.is_empty()) {
            let length = rest.find('\n').unwrap_or(rest.len());
            let line = rest.get(..length).unwrap_or_default();
            let column = line.len() - line.trim_start_matches(' ').len();
            let is_empty = line.trim().is_empty();
            // The document itself has no column, so that its blocks may begin at none.
            if !is_empty && column <= outer && !(self.open.is_empty() && outer == 0) {
                break;
            }
            if !is_empty {
                indentation = indentation.or(Some(column));
                last = self.at + line.trim_end().len();
            }
            self.at = (self.at + length + 1).min(self.text.len());
        }
        let content = self.slice(begin..last);
        if content.trim_start().starts_with('{') {
            let name = self.take_name();
            flow::read(self.text, begin..last, Flow::Json, name, self.builder);
            self.content_end = last;
            return;
        }
        let columns = indentation.unwrap_or(outer + 1);
        let style = match sign {
            '|' => Style::Literal(columns),
            _ => Style::Folded(columns),
        };
        let first = if last > begin { begin } else { start };
        self.scalar(style, first..last.max(first));
    }
}

fn is_dash(content: &str) -> bool {
    content == "-" || content.starts_with("- ")
}

/// The bytes of the name that a line begins with, up to its colon.
fn name(content: &str) -> Option<(usize, Style)> {
    let quote = content.chars().next().filter(|it| matches!(it, '"' | '\''));
    if let Some(quote) = quote {
        let length = quoted(content, quote, false)?;
        let after = content.get(length..)?.trim_start();
        let is_name = after
            .strip_prefix(':')
            .is_some_and(|it| it.is_empty() || it.starts_with(' '));
        let style = if quote == '"' {
            Style::Double
        } else {
            Style::Single
        };
        return is_name.then_some((length, style));
    }
    if content.starts_with(['{', '[', '|', '>', '#', '!', '&', '*', '%', '@']) {
        return None;
    }
    let mut is_after_space = false;
    for (at, character) in content.char_indices() {
        let rest = content.get(at + character.len_utf8()..).unwrap_or_default();
        match character {
            ':' if rest.is_empty() || rest.starts_with([' ', '\t']) => {
                let plain = content.get(..at)?.trim_end();
                return Some((plain.len(), Style::Plain));
            }
            '#' if is_after_space => return None,
            _ => {}
        }
        is_after_space = character == ' ';
    }
    None
}

fn without_comment(content: &str) -> &str {
    let end = content.find(" #").unwrap_or(content.len());
    content.get(..end).unwrap_or(content).trim_end()
}
