//! What `asl fmt` and `asl convert` are given.
use asl_format::{Format, Style};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What `asl fmt` is given.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  asl fmt .\n  asl fmt --check 'flows/**/*.asl.json'\n  asl fmt - < order.asl.json"
)]
pub(crate) struct FmtArguments {
    /// Definitions, JSON or YAML; folders, patterns in quotes; - for stdin, which is written to stdout
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,

    /// Change nothing: print the names of files that would change, and exit with 1 where there is one
    #[arg(long)]
    pub(crate) check: bool,

    /// Change nothing: print what would change, and exit with 1 where there is something
    #[arg(long)]
    pub(crate) diff: bool,

    #[command(flatten)]
    pub(crate) look: Look,
}

/// What `asl convert` is given.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  asl convert order.asl.json > order.asl.yaml\n  asl convert order.asl.yaml -o order.asl.json"
)]
pub(crate) struct ConvertArguments {
    /// The definition, JSON or YAML; - for stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// The format to write: by default the other one
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<Language>,

    /// Write to a file; stdout by default
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Replace the file that is there
    #[arg(long, requires = "output")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) look: Look,
}

/// What definitions are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// JSON, as the service takes it.
    Json,
    /// YAML.
    Yaml,
}

impl From<Language> for Format {
    fn from(language: Language) -> Self {
        match language {
            Language::Json => Self::Json,
            Language::Yaml => Self::Yaml,
        }
    }
}

/// How a formatted text looks.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Look {
    /// Spaces that each level is indented by
    #[arg(long, value_name = "N", default_value_t = Style::default().indent as u8, value_parser = clap::value_parser!(u8).range(..=16))]
    indent: u8,

    /// Columns that objects and arrays on one line may take
    #[arg(long, value_name = "N", default_value_t = Style::default().width as u16)]
    width: u16,
}

impl Look {
    /// The same for the library.
    pub(crate) fn style(self) -> Style {
        Style {
            indent: self.indent.into(),
            width: self.width.into(),
        }
    }
}
