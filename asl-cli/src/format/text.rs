//! Texts of definitions that are to be written anew.
use crate::definition::Definition;
use crate::diagnostics;
use crate::exit::Failure;
use crate::snippet::Snippet;
use crate::source::Source;
use crate::terminal;
use asl_format::FormatError;
use asl_lint::Checker;
use asl_model::{Options, SourceMap};
use asl_template::{Contents, File, FileSystem, Kind, ReadOptions, Substitutions, read_file};

const MARK: char = '\u{FEFF}';

/// A text with its kind.
pub(super) struct Text {
    name: String,
    written: String,
    contents: Contents,
}

/// The report about a text that is not formatted.
pub(super) enum FormatOutcome {
    /// It cannot be read at all.
    Unreadable,
    /// It is left as it is.
    Left,
}

impl Text {
    /// Reads a file, or stdin for `-`.
    pub(super) fn read(path: &str) -> Result<Self, Failure> {
        let source = Source::read_definition(path)?;
        let substitutions = Substitutions::default();
        let reading = ReadOptions::new(&FileSystem, &substitutions);
        let contents = read_file(File::new(&source.name, source.text.as_str()), &reading);
        let written = match source.begins_with_mark {
            true => format!("{MARK}{}", source.text),
            false => source.text,
        };
        Ok(Self {
            name: source.name,
            written,
            contents,
        })
    }

    /// Returns the name of the text.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// All of it.
    pub(super) fn as_written(&self) -> &str {
        &self.written
    }

    /// Returns the kind with its article, for a template.
    pub(super) fn template(&self) -> Option<&'static str> {
        let kind = self.contents.kind();
        (kind != Kind::Definition).then_some(kind.described())
    }

    /// Reports that the file is unchanged, with the reason.
    pub(super) fn report_unchanged(&self, why: &str) {
        terminal::error_line(&format!("{} is unchanged: {why}", self.name));
    }

    /// Reports why the text is not formatted; syntax errors are reported as by `asl validate`.
    pub(super) fn report_error(&self, error: &FormatError) -> FormatOutcome {
        match error {
            FormatError::Duplicate { pointer, .. } => {
                self.duplicate(pointer, error).report();
                FormatOutcome::Unreadable
            }
            FormatError::Unreadable { .. } => self.report_unreadable(error),
            _ => {
                self.report_unchanged(&error.to_string());
                FormatOutcome::Left
            }
        }
    }

    /// The same where nothing can be done with it.
    pub(super) fn failure(&self, error: &FormatError) -> Failure {
        match error {
            FormatError::Duplicate { pointer, .. } => self.duplicate(pointer, error),
            FormatError::Unreadable { .. } => {
                self.report_unreadable(error);
                Failure::new(format!("{} cannot be read", self.name))
            }
            _ => Failure::new(format!("{}: {error}", self.name)),
        }
    }

    fn duplicate(&self, pointer: &str, error: &FormatError) -> Failure {
        let text = self.contents.file().text();
        let Some(place) = SourceMap::new(text).locate_name(pointer) else {
            return Failure::new(format!("{}: {error}", self.name));
        };
        let snippet = Snippet::new(&self.name, text, place.line, place.column);
        Failure::new(format!("{error}\n{snippet}"))
    }

    fn report_unreadable(&self, error: &FormatError) -> FormatOutcome {
        let definitions = self.contents.machines().iter();
        for definition in definitions.map(|found| Definition::of_found(found.clone())) {
            let options = definition.options(Options::default(), false);
            let faults = Checker::default().check_source(definition.source(), options);
            if faults.unreadable_at().is_some() {
                diagnostics::print(&definition, &faults);
                return FormatOutcome::Unreadable;
            }
        }
        // YAML in braces, or an expression of Terraform where a value is.
        self.report_unchanged(&format!("it cannot be read as JSON: {error}"));
        FormatOutcome::Left
    }
}
