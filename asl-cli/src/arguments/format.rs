//! The arguments of `asl fmt` and `asl convert`.
use asl_format::{Format, Style};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Arguments of `asl fmt`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  asl fmt .\n  asl fmt --check 'flows/**/*.asl.json'\n  asl fmt - < order.asl.json"
)]
pub(crate) struct FmtArguments {
    /// Definitions in JSON or YAML, folders or quoted globs; - for stdin, which prints the result to stdout
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,

    /// Change no file: list the files that would change, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,

    /// Change no file: print a diff, and exit with 1 if it is not empty
    #[arg(long)]
    pub(crate) diff: bool,

    #[command(flatten)]
    pub(crate) look: Look,
}

/// Arguments of `asl convert`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  asl convert order.asl.json > order.asl.yaml\n  asl convert order.asl.yaml -o order.asl.json"
)]
pub(crate) struct ConvertArguments {
    /// The definition, JSON or YAML; - for stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    /// Output format; by default YAML for JSON, and JSON for YAML
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) to: Option<Language>,

    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) look: Look,
}

/// Formats of definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// JSON, the format of the service.
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

/// Layout of formatted text.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Look {
    /// Spaces per indentation level
    #[arg(long, value_name = "N", default_value_t = Style::default().indent as u8, value_parser = clap::value_parser!(u8).range(..=16))]
    indent: u8,

    /// Maximum width in columns of an object or array on one line
    #[arg(long, value_name = "N", default_value_t = Style::default().width as u16)]
    width: u16,
}

impl Look {
    /// Converts the layout to that of the library.
    pub(crate) fn style(self) -> Style {
        Style::default()
            .with_indent(self.indent.into())
            .with_width(self.width.into())
    }
}
