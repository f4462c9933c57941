//! Text delimited files, as the service parses them (developer guide, How Step Functions parses input CSV files).
//!
//! - Records end at a newline, fields at the delimiter; every field is a string.
//! - A field in double quotes may hold delimiters and newlines; two double quotes are one, in a field without
//!   enclosing quotes too.
//! - A backslash takes the special meaning of a backslash, a double quote or the delimiter behind it; before anything
//!   else it is silently removed.
//! - Missing fields of a record are empty strings, fields beyond the header are dropped.
use super::file_text::{FileText, ItemLimits, ReadItems};
use super::room::TooHeavy;
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
        line: u64,
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

/// Progress in a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct CsvProgress {
    /// The field names; None at the beginning of the file.
    pub(crate) header: Option<Vec<String>>,
    /// Lines that were read.
    pub(crate) lines: u64,
}

/// Returns the complete records of a text as objects, in one pass. A byte order mark at the beginning of the file is no part of
/// the data.
///
/// # Errors
/// A header that is missing, too long or not unique, and a quote that is never closed.
pub(super) fn read(
    file: FileText<'_>,
    format: &CsvFormat,
    progress: &mut CsvProgress,
    limits: &mut ItemLimits,
) -> Result<ReadItems, CsvError> {
    let mut records = Records::new(file, format.delimiter, progress.lines);
    let mut items = Vec::new();
    if progress.header.is_none() {
        progress.header = header(&mut records, format)?;
    }
    if let Some(header) = &progress.header {
        while items.len() < limits.max_items
            && let NextRecord::Record(record) = records.next_record(header.len())?
        {
            let item = item(header, record);
            limits.room.take(weigh(&item))?;
            items.push(item);
        }
    }
    let bytes = records.read_bytes();
    let read = file.text.get(..bytes).unwrap_or_default();
    progress.lines += read.bytes().filter(|byte| *byte == b'\n').count() as u64;
    Ok(ReadItems { items, bytes })
}

/// Returns the field names; None if the first row is incomplete.
fn header(records: &mut Records<'_>, format: &CsvFormat) -> Result<Option<Vec<String>>, CsvError> {
    let header = match &format.header {
        Header::Given(names) => names.clone(),
        Header::FirstRow => match records.next_record(usize::MAX)? {
            NextRecord::Record(names) => names,
            NextRecord::End => return Err(CsvError::NoHeader),
            NextRecord::Incomplete => return Ok(None),
        },
    };
    check_header(&header)?;
    Ok(Some(header))
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

/// The next record of a text.
#[derive(Debug, PartialEq, Eq)]
enum NextRecord {
    Record(Vec<String>),
    /// The text ends within the record, and the file does not.
    Incomplete,
    End,
}

/// The records of a text, one after the other.
struct Records<'t> {
    file: FileText<'t>,
    rest: &'t str,
    delimiter: u8,
    lines_before: u64,
    /// Bytes that were left when the current record began.
    left_at_record: usize,
}

impl<'t> Records<'t> {
    fn new(file: FileText<'t>, delimiter: CsvDelimiter, lines_before: u64) -> Self {
        let text = file.text;
        let unmarked = text.strip_prefix('\u{feff}').filter(|_| file.offset == 0);
        Self {
            file,
            rest: unmarked.unwrap_or(text),
            delimiter: byte(delimiter),
            lines_before,
            left_at_record: text.len(),
        }
    }

    /// Returns the next record, of which no more than `wanted` fields are kept.
    fn next_record(&mut self, wanted: usize) -> Result<NextRecord, CsvError> {
        self.left_at_record = self.rest.len();
        if self.rest.is_empty() {
            return Ok(match self.file.is_last {
                true => NextRecord::End,
                false => NextRecord::Incomplete,
            });
        }
        let mut record = Vec::with_capacity(wanted.min(64));
        loop {
            let mut field = String::new();
            let Some(end) = self.read_field(&mut field)? else {
                return Ok(NextRecord::Incomplete);
            };
            if record.len() < wanted {
                record.push(field);
            }
            if end != FieldEnd::Delimiter {
                self.left_at_record = self.rest.len();
                return Ok(NextRecord::Record(record));
            }
        }
    }

    /// Returns the number of bytes of all records that were read.
    fn read_bytes(&self) -> usize {
        self.file.text.len() - self.left_at_record
    }

    /// Returns the end of the field; None if the text ends before.
    fn read_field(&mut self, field: &mut String) -> Result<Option<FieldEnd>, CsvError> {
        if let Some(rest) = self.rest.strip_prefix('"') {
            self.rest = rest;
            if !self.read_quoted(field) {
                return match self.file.is_last {
                    true => Err(self.open_quote()),
                    false => Ok(None),
                };
            }
        }
        let end = self.read_unquoted(field);
        Ok(Some(end).filter(|end| self.file.is_last || *end != FieldEnd::Text))
    }

    /// Reads from behind an opening quote to behind the closing one. Returns true if there is one.
    fn read_quoted(&mut self, field: &mut String) -> bool {
        loop {
            match self.read_up_to(field, |byte| matches!(byte, b'"' | b'\\')) {
                Some(b'"') if self.take(b'"') => field.push('"'),
                Some(b'"') => return true,
                Some(_) => self.read_escaped(field),
                None => return false,
            }
        }
    }

    fn open_quote(&self) -> CsvError {
        let before = self.file.text.get(..self.read_bytes()).unwrap_or_default();
        let newlines = before.bytes().filter(|&byte| byte == b'\n').count() as u64;
        CsvError::OpenQuote {
            line: self.lines_before + newlines + 1,
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
                // A newline may follow it in the next part.
                Some(b'\r') if self.rest.is_empty() && !self.file.is_last => {
                    return FieldEnd::Text;
                }
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
