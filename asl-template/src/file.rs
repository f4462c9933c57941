//! Files, and who reads them.
use asl_model::{LineIndex, Position, did_you_mean};
use std::fmt;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    path: PathBuf,
    text: String,
    lines: LineIndex,
}

impl File {
    /// Creates a file of this text; the mark of its byte order is no part of it.
    pub fn new(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        let text = text.into();
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        };
        Self {
            path: path.into(),
            lines: LineIndex::new(&text),
            text,
        }
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the line and column of a byte.
    pub fn position(&self, offset: usize) -> Position {
        self.lines.position(&self.text, offset)
    }

    /// Returns the byte at a line and column.
    pub fn offset(&self, position: Position) -> usize {
        self.lines.offset(&self.text, position)
    }

    /// Resolves a path that is relative to the file.
    pub(crate) fn resolve(&self, path: &str) -> PathBuf {
        let mut whole = self.path.parent().map(Path::to_owned).unwrap_or_default();
        // `./` within a path helps nobody.
        whole.push(path.trim_start_matches("./"));
        whole
    }
}

/// Reads the files that a template names: from the file system ([`FileSystem`]), or from where an editor has them.
pub trait Files {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// A message for readers.
    fn read(&self, path: &Path) -> Result<String, String>;
}

/// The files of this machine.
#[derive(Debug, Clone, Copy, Default)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct FileSystem;

impl FileSystem {
    /// Bytes of a file that are read at most: sixteen times the longest definition that the service takes.
    pub const MOST_BYTES: u64 = 16 << 20;
}

/// Opens a file that can be read to its end: no FIFO, which waits for a writer for ever, and no device.
///
/// # Errors
/// It is not there, cannot be opened, or is something else than a regular file.
///
/// ```
/// # #[cfg(unix)]
/// assert!(asl_template::open_regular("/dev/null".as_ref()).unwrap_err().to_string().contains("not a regular file"));
/// ```
pub fn open_regular(path: &Path) -> io::Result<std::fs::File> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !kind.is_file() {
        let message = "it is not a regular file, but a pipe, a socket or a device";
        return Err(io::Error::other(message));
    }
    std::fs::File::open(path)
}

/// Returns the words that name a file of nearly the same name in the same folder, or an empty text.
///
/// ```
/// let folder = std::env::temp_dir().join("asl-nearest-file");
/// std::fs::create_dir_all(&folder)?;
/// std::fs::write(folder.join("order.asl.json"), "")?;
/// let nearest = asl_template::nearest_file(&folder.join("Order.asl.json"));
/// assert_eq!(nearest, "; the folder has `order.asl.json`, whose name differs in case");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn nearest_file(path: &Path) -> String {
    /// Files of a folder that are compared.
    const MOST: usize = 10_000;
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return String::new();
    };
    let Ok(entries) = std::fs::read_dir(folder.unwrap_or(Path::new("."))) else {
        return String::new();
    };
    let names: Vec<String> = entries
        .take(MOST)
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    let lower = name.to_lowercase();
    match names.iter().find(|other| other.to_lowercase() == lower) {
        Some(other) => format!("; the folder has `{other}`, whose name differs in case"),
        None => did_you_mean(name, names.iter().map(String::as_str)),
    }
}

impl Files for FileSystem {
    fn read(&self, path: &Path) -> Result<String, String> {
        let read = open_regular(path).and_then(|file| {
            let mut bytes = Vec::new();
            file.take(Self::MOST_BYTES + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        });
        let bytes = read.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!("no such file{}", nearest_file(path)),
            io::ErrorKind::IsADirectory => "it is a directory, not a file".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            _ => error.to_string(),
        })?;
        if bytes.len() as u64 > Self::MOST_BYTES {
            let most = Self::MOST_BYTES >> 20;
            return Err(format!("it is larger than the limit of {most} MiB"));
        }
        String::from_utf8(bytes).map_err(|error| {
            let offset = error.utf8_error().valid_up_to();
            format!("it is not UTF-8: invalid byte at offset {offset}")
        })
    }
}

/// A byte of a file.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct Place<'f> {
    /// The file.
    pub file: &'f File,
    /// Offset in the text, in bytes.
    pub offset: usize,
}

impl Place<'_> {
    /// Returns the line and column.
    pub fn position(&self) -> Position {
        self.file.position(self.offset)
    }
}

/// `FILE:LINE:COLUMN`
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position();
        write!(f, "{}:{line}:{column}", self.file.path.display())
    }
}
