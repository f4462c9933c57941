//! The command line.

mod coverage;
#[cfg(feature = "serve")]
mod dev;
mod eval;
mod explain;
mod format;
#[cfg(feature = "lsp")]
mod lsp;
mod replay;
mod run;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "restate")]
mod serve_engine;
#[cfg(feature = "serve")]
mod serve_limits;
mod server;
mod shared;
#[cfg(feature = "serve")]
mod start;
#[cfg(feature = "serve")]
mod store;
mod test;
mod test_state;
mod validate;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
pub(crate) use coverage::{CoverageArguments, CoverageFormat, RecordedCoverageArguments};
#[cfg(feature = "serve")]
pub(crate) use dev::DevArguments;
pub(crate) use eval::EvalArguments;
pub(crate) use explain::ExplainArguments;
pub(crate) use format::{ConvertArguments, FmtArguments};
#[cfg(feature = "lsp")]
pub(crate) use lsp::LspArguments;
pub(crate) use replay::ReplayArguments;
pub(crate) use run::RunArguments;
#[cfg(feature = "serve")]
pub(crate) use serve::{ServeArguments, ServeDurability, ServeLog};
#[cfg(feature = "restate")]
pub(crate) use serve_engine::ServeEngine;
pub(crate) use server::ServerArguments;
pub(crate) use shared::{Input, Rules, Substitutions, TaskArguments, TimeAndChance};
#[cfg(feature = "serve")]
pub(crate) use start::StartArguments;
use std::ffi::OsString;
use std::path::PathBuf;
#[cfg(feature = "serve")]
pub(crate) use store::{
    Retention, StoreBackupArguments, StoreCommand, StoreCompactArguments, StoreExportArguments,
    StoreFolder,
};
pub(crate) use test::{
    MocksCommand, MocksInitArguments, MocksRecordArguments, TestArguments, TestFormat,
};
pub(crate) use test_state::{Level, TestStateArguments, Validation};
pub(crate) use validate::{ValidateArguments, ValidateFormat};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Returns the arguments of the process. `asl help --help` is `asl --help`: the command `help` of clap has no options.
pub(crate) fn process_arguments() -> Vec<OsString> {
    let mut given: Vec<OsString> = std::env::args_os().collect();
    let asks_about_help = given.get(1).is_some_and(|it| it == "help")
        && given.get(2).is_some_and(|it| it == "--help" || it == "-h");
    if asks_about_help {
        given.remove(1);
    }
    given
}

/// Run, check, test and draw state machines in the Amazon States Language
#[derive(Debug, Parser)]
#[command(name = "asl", version, styles = STYLES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a state machine and print its output
    Run(Box<RunArguments>),
    /// Run the cases of test files
    Test(TestArguments),
    /// Generate a starter test file for a state machine
    #[command(subcommand)]
    Mocks(MocksCommand),
    /// Run a whole application: its state machines and its Lambda functions
    #[cfg(feature = "serve")]
    Dev(Box<DevArguments>),
    /// Serve the AWS Step Functions API on this machine
    #[cfg(feature = "serve")]
    Serve(Box<ServeArguments>),
    /// Start an execution on a running server, and wait for its end
    #[cfg(feature = "serve")]
    Start(StartArguments),
    /// Check, export, back up or compact the data of asl serve
    #[cfg(feature = "serve")]
    #[command(subcommand)]
    Store(StoreCommand),
    /// Check definitions and report all problems
    Validate(ValidateArguments),
    /// Format definitions
    Fmt(FmtArguments),
    /// Convert a definition from JSON to YAML, or from YAML to JSON
    Convert(ConvertArguments),
    /// Evaluate a path, an intrinsic function or a JSONata expression
    Eval(Box<EvalArguments>),
    /// Explain from a history what each state did, and why
    Explain(ExplainArguments),
    /// Run an execution again from its history, and compare the two
    Replay(ReplayArguments),
    /// Report which parts of a definition recorded executions reached
    Coverage(RecordedCoverageArguments),
    /// Test one state with a mocked result
    TestState(Box<TestStateArguments>),
    /// Draw a state machine
    Graph(GraphArguments),
    /// Start a language server for editors: diagnostics, hover, completion and more
    #[cfg(feature = "lsp")]
    Lsp(LspArguments),
    /// Print a shell completion script
    #[command(
        after_help = "Example:\n  asl completions bash > ~/.local/share/bash-completion/completions/asl"
    )]
    Completions {
        /// The shell to complete for
        shell: Shell,
    },
}

/// Arguments of `asl graph`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  asl graph order.asl.json --format svg > order.svg")]
pub(crate) struct GraphArguments {
    /// The definition: a file, or FILE#NAME for one of several in a template; - for stdin
    pub(crate) definition: String,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: GraphFormat,

    /// Highlight the path of an execution, from asl run --history or GetExecutionHistory
    #[arg(long, value_name = "FILE")]
    pub(crate) history: Option<String>,

    /// Highlight what tests cover, from asl test --coverage json
    #[arg(long, value_name = "FILE", conflicts_with = "history")]
    pub(crate) coverage: Option<String>,

    /// The child histories of distributed Maps, as written by asl run --child-histories
    #[arg(long, value_name = "DIR", requires = "history")]
    pub(crate) child_histories: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,
}

/// Output formats of commands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// Detail of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceLevel {
    /// One line per state: the data that it changes.
    Changes,
    /// One line per field: its value.
    Full,
}

/// Clocks of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Clock {
    /// Waits take real time.
    Real,
    /// Waits end immediately, in the correct order.
    Virtual,
}

/// Output formats of graphs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Mermaid, which Markdown viewers draw.
    #[default]
    Mermaid,
    /// Graphviz DOT.
    Dot,
    /// A vector image.
    Svg,
    /// A pixel image, if asl was built with PNG support.
    Png,
    /// An interactive page: pan, zoom, search, and details of each state.
    Html,
}
