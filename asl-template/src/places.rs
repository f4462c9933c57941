//! Locations of the parts of a definition in the source files.
use crate::{DefinitionText, File, Place};
use asl_model::{Diagnostic, Diagnostics, LineIndex, Position, SourceMap};
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// The places of all parts of a definition: built once, it answers for any number of JSON pointers and faults.
///
/// It answers as [`SourceMap`] does of a text, but with places in files: of a template, of a definition that it names, or of a part that
/// came from a third.
#[derive(Debug)]
pub struct Places<'d> {
    text: &'d DefinitionText,
    /// The only diagnostics whose places are requested, if known.
    diagnostics: Option<&'d Diagnostics>,
    /// Made when the first pointer is requested: a text that cannot be read has none.
    map: OnceLock<SourceMap<'d>>,
    lines: LineIndex,
}

impl<'d> Places<'d> {
    /// Reads the definition's text; a fault in it ends the map there.
    pub fn new(text: &'d DefinitionText) -> Self {
        Self {
            text,
            diagnostics: None,
            map: OnceLock::new(),
            lines: LineIndex::new(text.as_str()),
        }
    }

    /// Reads the definition's text for the places of some diagnostics only. This costs a fraction of all places.
    pub fn of_diagnostics(text: &'d DefinitionText, diagnostics: &'d Diagnostics) -> Self {
        Self {
            diagnostics: Some(diagnostics),
            ..Self::new(text)
        }
    }

    fn map(&self) -> &SourceMap<'d> {
        self.map.get_or_init(|| match self.diagnostics {
            Some(diagnostics) => SourceMap::of_diagnostics(self.text.as_str(), diagnostics),
            None => SourceMap::new(self.text.as_str()),
        })
    }

    /// Converts a line and column of the definition's text.
    pub fn in_file(&self, position: Position) -> Option<Place<'d>> {
        self.text
            .place_at(self.lines.offset(self.text.as_str(), position))
    }

    /// Returns the location of a problem of the definition.
    pub fn place_of(&self, diagnostic: &Diagnostic) -> Option<Place<'d>> {
        self.in_file(self.map().place_of(diagnostic)?)
    }

    /// Returns the location of the value at a pointer, or of its parent.
    pub fn locate(&self, pointer: &str) -> Option<Place<'d>> {
        self.in_file(self.map().locate(pointer)?)
    }

    /// Returns the location of the name of the field at a pointer, or of its parent.
    pub fn locate_name(&self, pointer: &str) -> Option<Place<'d>> {
        self.in_file(self.map().locate_name(pointer)?)
    }

    /// The file that a field's name is in, and the lines there from the first of its name to the last of its value.
    pub fn lines_of(&self, pointer: &str) -> Option<(&'d File, RangeInclusive<usize>)> {
        let (start, end) = (self.map().name_offset_of(pointer)?, self.end_of(pointer)?);
        let first = self.text.place_at(start)?;
        let last = self.text.last_place(start..end.max(start + 1))?;
        let line = first.position().line;
        Some((first.file, line..=last.position().line.max(line)))
    }

    /// Returns the byte after the last one of a value, or of its last line with more than a comment.
    fn end_of(&self, pointer: &str) -> Option<usize> {
        let text = self.text.as_str();
        let end = self.map().end_of(pointer)?;
        let rest = text.get(end..).unwrap_or_default();
        if rest.starts_with(['}', ']']) {
            return Some(end + 1);
        }
        let line = *self.map().lines_of(pointer)?.end();
        let column = usize::MAX;
        Some(end.min(self.lines.offset(text, Position { line, column })))
    }
}
