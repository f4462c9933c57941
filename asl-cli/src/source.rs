//! Texts that come in: files, stdin, arguments.
use crate::exit::Failure;
use crate::snippet::Snippet;
use asl_model::Position;
use asl_path::json::{self, DEFAULT_MAX_DEPTH};
use asl_template::{nearest_file, open_regular};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The byte order mark.
const MARK: char = '\u{FEFF}';

/// A text with its name.
#[derive(Debug)]
pub(crate) struct Source {
    /// For people: a file's path, `stdin`, `--context` …
    pub(crate) name: String,
    /// All of it.
    pub(crate) text: String,
    /// True if a byte order mark came before it.
    pub(crate) begins_with_mark: bool,
}

/// Bytes of a file that are read at most: more data than this no execution may hold.
const MOST_BYTES: u64 = 256 << 20;

/// The same of a definition, whose text takes a hundredfold of memory; sixteen times what the service takes.
const MOST_OF_A_DEFINITION: u64 = 16 << 20;

impl Source {
    /// Reads a file, or stdin where `path` is `-`.
    pub(crate) fn read(path: &str) -> Result<Self, Failure> {
        Self::read_within(path, MOST_BYTES)
    }

    /// The same, of a definition.
    pub(crate) fn read_definition(path: &str) -> Result<Self, Failure> {
        Self::read_within(path, MOST_OF_A_DEFINITION)
    }

    /// Creates an expression from an argument or a line.
    pub(crate) fn expression(text: &str) -> Self {
        Self {
            name: "expression".to_owned(),
            text: text.to_owned(),
            begins_with_mark: false,
        }
    }

    fn read_within(path: &str, most: u64) -> Result<Self, Failure> {
        let (name, bytes) = match path {
            "-" => ("stdin", read_stdin(most)?),
            _ => (path, read_file(path, most)?),
        };
        if bytes.len() as u64 > most {
            return Err(Failure::new(format!(
                "{name} is larger than the limit of {} MiB",
                most >> 20
            )));
        }
        let text = String::from_utf8(bytes).map_err(|error| not_utf8(name, &error))?;
        // A byte order mark is no part of the text (RFC 8259, section 8.1).
        let begins_with_mark = text.starts_with(MARK);
        let text = match text.strip_prefix(MARK) {
            Some(rest) if rest.starts_with(MARK) => {
                return Err(Failure::new(format!(
                    "{name} starts with two byte order marks: expected at most one"
                )));
            }
            Some(rest) => rest.to_owned(),
            None => text,
        };
        Ok(Self {
            name: name.to_owned(),
            text,
            begins_with_mark,
        })
    }

    /// Reads `@FILE`, `-`, or takes the argument unchanged.
    pub(crate) fn read_argument(option: &str, argument: &str) -> Result<Self, Failure> {
        match argument.strip_prefix('@') {
            Some("") => Err(Failure::new(format!(
                "{option} @ has no file name: expected @FILE"
            ))),
            Some(path) => Self::read(path),
            None if argument == "-" => Self::read("-"),
            None => Ok(Self {
                name: option.to_owned(),
                text: argument.to_owned(),
                begins_with_mark: false,
            }),
        }
    }

    /// Returns the text as a JSON object, which `option` must be.
    pub(crate) fn json_object(&self, option: &str) -> Result<Map<String, Value>, Failure> {
        match self.json()? {
            Value::Object(object) => Ok(object),
            other => Err(Failure::new(format!(
                "{option} must be a JSON object, not {}",
                json::described(&other)
            ))),
        }
    }

    /// Returns the text as JSON.
    pub(crate) fn json(&self) -> Result<Value, Failure> {
        if self.text.trim().is_empty() {
            let name = &self.name;
            return Err(Failure::new(format!("{name} is empty: expected JSON")));
        }
        json::parse(&self.text, DEFAULT_MAX_DEPTH).map_err(|error| {
            let snippet = Snippet::new(&self.name, &self.text, error.line, error.column);
            let hint = self.hint().map(|hint| format!("\nhint: {hint}"));
            Failure::new(format!(
                "{} is not JSON: {}\n{snippet}{}",
                self.name,
                error.message,
                hint.unwrap_or_default()
            ))
        })
    }

    /// Parses the text as JSON, or as YAML if it does not start like JSON.
    pub(crate) fn json_or_yaml(&self) -> Result<Value, Failure> {
        if self.text.trim_start().starts_with(['{', '[', '"']) || self.text.trim().is_empty() {
            return self.json();
        }
        let options = asl_model::Options::default();
        asl_model::unique_value_from_text(&self.text, options).map_err(|faults| {
            let first = faults.located().next();
            let (message, position) = first.map_or(("", None), |(fault, position)| {
                (fault.message.as_str(), position)
            });
            let Position { line, column } = position.unwrap_or(Position { line: 1, column: 1 });
            let snippet = Snippet::new(&self.name, &self.text, line, column);
            Failure::new(format!(
                "{} is neither JSON nor YAML: {message}\n{snippet}",
                self.name
            ))
        })
    }

    /// Returns a hint for an argument that is not JSON.
    fn hint(&self) -> Option<String> {
        let text = self.text.trim();
        if self.name.starts_with('-') && Path::new(text).is_file() {
            return Some(format!("a file is given with an @: {} @{text}", self.name));
        }
        // Data slip as definitions do.
        let faults = asl_model::value_from_text(&self.text, asl_model::Options::default()).err()?;
        let first = faults.iter().next().and_then(|fault| fault.hint.clone());
        first.filter(|_| text.starts_with('{'))
    }
}

/// Refuses arguments of which two are `-`, because stdin can be read only once. Each comes with a description.
pub(crate) fn check_stdin(arguments: &[(&str, Option<&str>)]) -> Result<(), Failure> {
    let mut readers = arguments
        .iter()
        .filter(|(_, argument)| *argument == Some("-"));
    match (readers.next(), readers.next()) {
        (Some((one, _)), Some((other, _))) => Err(Failure::new(format!(
            "stdin cannot be both {one} and {other}: give one as a file"
        ))),
        _ => Ok(()),
    }
}

/// Returns true if stdin is a pipe, a socket or a file.
pub(crate) fn is_piped() -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        use std::os::unix::fs::FileTypeExt as _;
        let file = io::stdin().as_fd().try_clone_to_owned().map(File::from);
        let kind = file
            .and_then(|file| file.metadata())
            .map(|it| it.file_type());
        kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket() || kind.is_file())
    }
    #[cfg(not(unix))]
    {
        use std::io::IsTerminal as _;
        !io::stdin().is_terminal()
    }
}

fn read_stdin(most: u64) -> Result<Vec<u8>, Failure> {
    up_to(most, io::stdin().lock())
        .map_err(|error| Failure::new(format!("cannot read stdin: {error}")))
}

/// Files that the process has open already, such as those of a shell's `<(command)`: they may be pipes.
const OWN_FILES: [&str; 3] = ["/dev/fd/", "/dev/stdin", "/proc/self/fd/"];

fn read_file(path: &str, most: u64) -> Result<Vec<u8>, Failure> {
    let is_own = OWN_FILES.iter().any(|own| path.starts_with(own));
    let file = match is_own {
        true => File::open(path),
        false => open_regular(Path::new(path)),
    };
    file.and_then(|file| up_to(most, file))
        .map_err(|error| Failure::new(describe(path, &error)))
}

/// Returns all bytes, but of those beyond `most` no more than one.
fn up_to(most: u64, from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn describe(path: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => {
            format!(
                "cannot read {path}: no such file{}",
                nearest_file(Path::new(path))
            )
        }
        io::ErrorKind::IsADirectory => format!("cannot read {path}: it is a directory, not a file"),
        io::ErrorKind::PermissionDenied => format!("cannot read {path}: permission denied"),
        _ => format!("cannot read {path}: {error}"),
    }
}

fn not_utf8(name: &str, error: &std::string::FromUtf8Error) -> Failure {
    let offset = error.utf8_error().valid_up_to();
    let line = 1 + error.as_bytes()[..offset]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count();
    Failure::new(format!(
        "{name} is not UTF-8: invalid byte at offset {offset} (line {line})"
    ))
}
