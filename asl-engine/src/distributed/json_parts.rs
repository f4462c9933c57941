//! JSON files that arrive in parts: the items of an array, or of an object, before the file is whole.
//!
//! The way to the items is known from "ItemsPointer". Other values are checked and dropped.
use super::error::FileFault;
use super::file_text::{FileText, ItemLimits, ReadItems};
use super::json_array::{not_iterable, pointer_without_target};
use super::json_extent::{find_value_end, skip_whitespace};
use crate::data::weigh_text;
use serde_json::{Value, json};

/// Progress in a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct JsonProgress {
    /// Arrays and objects around the next value, from the outermost.
    pub(crate) levels: Vec<JsonLevel>,
    pub(crate) place: JsonPlace,
}

/// An array or object that is being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JsonLevel {
    pub(crate) is_object: bool,
    /// Index of the next element.
    pub(crate) index: u64,
    /// True once the way to the items was found in it.
    pub(crate) is_found: bool,
}

/// The next part of the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum JsonPlace {
    /// A value on the way to the items, or the one that holds them.
    #[default]
    Value,
    /// The first element or field, or the end of what holds them.
    First,
    /// A comma with another, or the end.
    Next,
    /// Nothing.
    End,
}

/// A step in a text.
enum Step {
    /// Reading continues at this byte.
    Read(usize),
    /// The text ends within what comes next.
    Incomplete,
    /// All was read, or all that is wanted.
    Done,
}

/// Returns the complete items of a text.
///
/// # Errors
/// A text that is not JSON, a pointer to nothing, and items that are too deep or too heavy.
pub(super) fn read(
    file: FileText<'_>,
    items_pointer: Option<&str>,
    progress: &mut JsonProgress,
    limits: &mut ItemLimits,
) -> Result<ReadItems, FileFault> {
    if items_pointer.is_some_and(|pointer| !pointer.is_empty() && !pointer.starts_with('/')) {
        return Err(pointer_without_target(items_pointer.unwrap_or_default()));
    }
    let mut reader = Reader {
        file,
        pointer: items_pointer.unwrap_or_default(),
        tokens: tokens(items_pointer),
        progress,
        limits,
        items: Vec::new(),
    };
    let mut at = 0;
    loop {
        match reader.read_next(at)? {
            Step::Read(next) => at = next,
            Step::Incomplete if file.is_last => return Err(reader.unexpected_end()),
            Step::Incomplete | Step::Done => break,
        }
    }
    let items = reader.items;
    Ok(ReadItems { items, bytes: at })
}

/// Returns the names of a JSON pointer (RFC 6901).
fn tokens(pointer: Option<&str>) -> Vec<String> {
    let names = pointer.unwrap_or_default().split('/').skip(1);
    names
        .map(|name| name.replace("~1", "/").replace("~0", "~"))
        .collect()
}

struct Reader<'r> {
    file: FileText<'r>,
    pointer: &'r str,
    tokens: Vec<String>,
    progress: &'r mut JsonProgress,
    limits: &'r mut ItemLimits,
    items: Vec<Value>,
}

impl Reader<'_> {
    fn read_next(&mut self, at: usize) -> Result<Step, FileFault> {
        if self.items.len() >= self.limits.max_items {
            return Ok(Step::Done);
        }
        let start = skip_whitespace(self.file.text, at);
        let Some(byte) = self.byte(start) else {
            return Ok(match self.progress.place {
                JsonPlace::End => Step::Done,
                _ => Step::Incomplete,
            });
        };
        match (self.progress.place, byte) {
            (JsonPlace::End, _) => Err(self.expected("the end of the text", start)),
            (JsonPlace::Value, _) => self.open(start, byte),
            (_, b']' | b'}') => self.close(start, byte),
            (JsonPlace::Next, b',') => self.read_member(start + 1),
            (JsonPlace::Next, _) => {
                Err(self.expected("',' or the end of the array or object", start))
            }
            (JsonPlace::First, _) => self.read_member(start),
        }
    }

    /// Enters an array or object on the way to the items.
    fn open(&mut self, at: usize, byte: u8) -> Result<Step, FileFault> {
        if !matches!(byte, b'[' | b'{') {
            let is_target = self.progress.levels.len() == self.tokens.len();
            return Err(match is_target {
                true => not_iterable(),
                false => pointer_without_target(self.pointer),
            });
        }
        self.progress.levels.push(JsonLevel {
            is_object: byte == b'{',
            index: 0,
            is_found: false,
        });
        self.progress.place = JsonPlace::First;
        Ok(Step::Read(at + 1))
    }

    fn close(&mut self, at: usize, byte: u8) -> Result<Step, FileFault> {
        let holds_items = self.holds_items();
        let Some(level) = self.progress.levels.pop() else {
            return Err(self.expected("a value", at));
        };
        if level.is_object != (byte == b'}') {
            let end = if level.is_object { "'}'" } else { "']'" };
            return Err(self.expected(end, at));
        }
        if !holds_items && !level.is_found {
            return Err(pointer_without_target(self.pointer));
        }
        self.progress.place = match self.progress.levels.is_empty() {
            true => JsonPlace::End,
            false => JsonPlace::Next,
        };
        Ok(Step::Read(at + 1))
    }

    /// Returns true if the innermost array or object is the one with the items.
    fn holds_items(&self) -> bool {
        self.progress.levels.len() == self.tokens.len() + 1
    }

    /// Reads an element or a field: an item, a step on the way to the items, or another value.
    fn read_member(&mut self, at: usize) -> Result<Step, FileFault> {
        let holds_items = self.holds_items();
        let Some(level) = self.progress.levels.last() else {
            return Err(self.expected("a value", at));
        };
        let (is_object, index, is_found) = (level.is_object, level.index, level.is_found);
        let (key, start) = match is_object {
            false => (None, skip_whitespace(self.file.text, at)),
            true => match self.read_key(at)? {
                Some((key, value)) => (Some(key), value),
                None => return Ok(Step::Incomplete),
            },
        };
        let token = self.tokens.get(self.progress.levels.len() - 1);
        let is_step = !is_found
            && !holds_items
            && token.is_some_and(|token| match &key {
                Some(key) => key == token,
                None => *token == index.to_string(),
            });
        let end = match is_step {
            true => start,
            false => match self.read_value(start, holds_items, key)? {
                Some(end) => end,
                None => return Ok(Step::Incomplete),
            },
        };
        if let Some(level) = self.progress.levels.last_mut() {
            level.index += 1;
            level.is_found |= is_step;
        }
        self.progress.place = match is_step {
            true => JsonPlace::Value,
            false => JsonPlace::Next,
        };
        Ok(Step::Read(end))
    }

    /// Returns a field's name and the start of its value; None if the text ends before.
    fn read_key(&self, at: usize) -> Result<Option<(String, usize)>, FileFault> {
        let start = skip_whitespace(self.file.text, at);
        match self.byte(start) {
            None => return Ok(None),
            Some(b'"') => {}
            Some(_) => return Err(self.expected("a field name in double quotes", start)),
        }
        let Some(end) = find_value_end(self.file, start) else {
            return Ok(None);
        };
        let Value::String(key) = self.parse(start, end)? else {
            return Err(self.expected("a field name in double quotes", start));
        };
        let colon = skip_whitespace(self.file.text, end);
        match self.byte(colon) {
            None => Ok(None),
            Some(b':') => Ok(Some((key, skip_whitespace(self.file.text, colon + 1)))),
            Some(_) => Err(self.expected("':' after a field name", colon)),
        }
    }

    /// Reads a whole value, and keeps it if it is an item. Returns its end; None if the text ends before.
    fn read_value(
        &mut self,
        start: usize,
        is_item: bool,
        key: Option<String>,
    ) -> Result<Option<usize>, FileFault> {
        let Some(end) = find_value_end(self.file, start) else {
            return Ok(None);
        };
        if end == start {
            return Err(self.expected("a value", start));
        }
        if is_item {
            self.limits.room.take(weigh_text(self.slice(start, end)))?;
        }
        let value = self.parse(start, end)?;
        if is_item {
            self.items.push(match key {
                None => value,
                Some(key) => json!({ "Key": key, "Value": value }),
            });
        }
        Ok(Some(end))
    }

    fn parse(&self, start: usize, end: usize) -> Result<Value, FileFault> {
        let parsed = asl_path::json::parse(self.slice(start, end), self.limits.max_depth);
        parsed.map_err(|error| {
            let offset = self.file.offset + start as u64;
            FileFault::File(format!("not JSON: {error} of the value at offset {offset}"))
        })
    }

    fn slice(&self, start: usize, end: usize) -> &str {
        self.file.text.get(start..end).unwrap_or_default()
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.file.text.as_bytes().get(at).copied()
    }

    fn expected(&self, what: &str, at: usize) -> FileFault {
        let offset = self.file.offset + at as u64;
        let found = self
            .file
            .text
            .get(at..)
            .and_then(|rest| rest.chars().next());
        let found = found.map_or("the end".to_owned(), |found| format!("{found:?}"));
        FileFault::File(format!(
            "not JSON: expected {what}, found {found} at offset {offset}"
        ))
    }

    fn unexpected_end(&self) -> FileFault {
        let end = self.file.offset + self.file.text.len() as u64;
        FileFault::File(format!(
            "not JSON: the text ends at offset {end}, before the end of its value"
        ))
    }
}
