//! Text delimited files, as the service parses them (developer guide, How Step Functions parses input CSV files).
//!
//! - Records end at a newline, fields at the delimiter; every field is a string.
//! - A field in double quotes may hold delimiters and newlines; two double quotes are one, in a field without
//!   enclosing quotes too.
//! - A backslash takes the special meaning of a backslash, a double quote or the delimiter behind it; before anything
//!   else it is silently removed.
//! - Missing fields of a record are empty strings, fields beyond the header are dropped.
use super::room::{Room, TooHeavy};
use crate::data::weigh;
use asl_model::CsvDelimiter;
use serde_json::{Map, Value};

/// The header may have this many bytes.
const MAX_HEADER_BYTES: usize = 10 * 1024;

/// "CSVDelimiter" and "CSVHeaderLocation".
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CsvFormat {
    /// The delimiter of fields.
    pub(crate) delimiter: CsvDelimiter,
    /// The source of the field names.
    pub(crate) header: Header,
}

/// "CSVHeaderLocation".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Header {
    /// FIRST_ROW.
    #[default]
    FirstRow,
    /// GIVEN, with "CSVHeaders".
    Given(Vec<String>),
}

/// The reason why a text is not a CSV dataset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CsvError {
    /// `id,id`; the text is the service's.
    #[error("CSV headers cannot contain duplicates.")]
    DuplicateHeader,
    /// FIRST_ROW and an empty file.
    #[error("expected a header in the first row, found an empty file")]
    NoHeader,
    /// Names of more than 10 KiB.
    #[error("the header has {0} bytes, more than the {MAX_HEADER_BYTES} allowed")]
    HeaderTooLong(usize),
    /// `"abc`.
    #[error("the record that begins at line {line} opens a double quote that nothing closes")]
    OpenQuote {
        /// From 1.
        line: usize,
    },
    /// More than the execution has room for.
    #[error(transparent)]
    TooHeavy(#[from] TooHeavy),
}

fn byte(delimiter: CsvDelimiter) -> u8 {
    match delimiter {
        CsvDelimiter::Comma => b',',
        CsvDelimiter::Pipe => b'|',
        CsvDelimiter::Semicolon => b';',
        CsvDelimiter::Space => b' ',
        CsvDelimiter::Tab => b'\t',
    }
}

/// Returns the first `max_items` records of `text` as objects, in one pass. A byte order mark at the beginning is no part of
/// the data.
///
/// # Errors
/// A header that is missing, too long or not unique, and a quote that is never closed.
pub(super) fn read(
    text: &str,
    format: &CsvFormat,
    max_items: usize,
    room: &mut Room,
) -> Result<Vec<Value>, CsvError> {
    let mut records = Records::new(text, format.delimiter);
    let header = match &format.header {
        Header::Given(names) => names.clone(),
        Header::FirstRow => records.next_record(usize::MAX)?.ok_or(CsvError::NoHeader)?,
    };
    check_header(&header)?;
    let mut items = Vec::new();
    while items.len() < max_items {
        let Some(record) = records.next_record(header.len())? else {
            break;
        };
        let item = item(&header, record);
        room.take(weigh(&item))?;
        items.push(item);
    }
    Ok(items)
}

fn check_header(header: &[String]) -> Result<(), CsvError> {
    let bytes = header.iter().map(String::len).sum();
    if bytes > MAX_HEADER_BYTES {
        return Err(CsvError::HeaderTooLong(bytes));
    }
    let mut names: Vec<&str> = header.iter().map(String::as_str).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(CsvError::DuplicateHeader);
    }
    Ok(())
}

fn item(header: &[String], record: Vec<String>) -> Value {
    let mut object = Map::with_capacity(header.len());
    let mut fields = record.into_iter();
    for name in header {
        let field = fields.next().unwrap_or_default();
        object.insert(name.clone(), Value::String(field));
    }
    Value::Object(object)
}

/// The end of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldEnd {
    Delimiter,
    Newline,
    Text,
}

/// The records of a text, one after the other.
struct Records<'t> {
    text: &'t str,
    rest: &'t str,
    delimiter: u8,
    /// Bytes that were left when the current record began.
    left_at_record: usize,
}

impl<'t> Records<'t> {
    fn new(text: &'t str, delimiter: CsvDelimiter) -> Self {
        Self {
            text,
            rest: text.strip_prefix('\u{feff}').unwrap_or(text),
            delimiter: byte(delimiter),
            left_at_record: text.len(),
        }
    }

    /// Returns the next record, of which no more than `wanted` fields are kept; None at the end of the text.
    fn next_record(&mut self, wanted: usize) -> Result<Option<Vec<String>>, CsvError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.left_at_record = self.rest.len();
        let mut record = Vec::with_capacity(wanted.min(64));
        loop {
            let mut field = String::new();
            let end = self.read_field(&mut field)?;
            if record.len() < wanted {
                record.push(field);
            }
            if end != FieldEnd::Delimiter {
                return Ok(Some(record));
            }
        }
    }

    fn read_field(&mut self, field: &mut String) -> Result<FieldEnd, CsvError> {
        if let Some(rest) = self.rest.strip_prefix('"') {
            self.rest = rest;
            self.read_quoted(field)?;
        }
        Ok(self.read_unquoted(field))
    }

    /// From behind an opening quote to behind the closing one.
    fn read_quoted(&mut self, field: &mut String) -> Result<(), CsvError> {
        loop {
            match self.read_up_to(field, |byte| matches!(byte, b'"' | b'\\')) {
                Some(b'"') if self.take(b'"') => field.push('"'),
                Some(b'"') => return Ok(()),
                Some(_) => self.read_escaped(field),
                None => return Err(self.open_quote()),
            }
        }
    }

    fn open_quote(&self) -> CsvError {
        let before = self.text.len() - self.left_at_record;
        let newlines = self.text.bytes().take(before).filter(|&b| b == b'\n');
        CsvError::OpenQuote {
            line: newlines.count() + 1,
        }
    }

    fn read_unquoted(&mut self, field: &mut String) -> FieldEnd {
        let delimiter = self.delimiter;
        let special = |byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r') || byte == delimiter;
        loop {
            match self.read_up_to(field, special) {
                Some(b'"') => {
                    self.take(b'"');
                    field.push('"');
                }
                Some(b'\\') => self.read_escaped(field),
                Some(b'\n') => return FieldEnd::Newline,
                Some(b'\r') => {
                    self.take(b'\n');
                    return FieldEnd::Newline;
                }
                Some(_) => return FieldEnd::Delimiter,
                None => return FieldEnd::Text,
            }
        }
    }

    /// Reads the character after a backslash.
    fn read_escaped(&mut self, field: &mut String) {
        for byte in [b'\\', b'"', self.delimiter] {
            if self.take(byte) {
                field.push(char::from(byte));
                return;
            }
        }
    }

    /// Moves everything up to a special byte into the field, and past that byte, which is ASCII.
    fn read_up_to(&mut self, field: &mut String, special: impl Fn(u8) -> bool) -> Option<u8> {
        let at = self.rest.bytes().position(special);
        let (plain, rest) = self.rest.split_at(at.unwrap_or(self.rest.len()));
        field.push_str(plain);
        self.rest = rest;
        let byte = rest.bytes().next()?;
        self.rest = &rest[1..];
        Some(byte)
    }

    /// Moves past `byte`, which is ASCII, if it is next.
    fn take(&mut self, byte: u8) -> bool {
        let rest = self.rest.strip_prefix(char::from(byte));
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
}

#[cfg(test)]
mod tests;
