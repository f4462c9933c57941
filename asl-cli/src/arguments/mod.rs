//! The command line.

mod eval;
mod explain;
mod format;
#[cfg(feature = "lsp")]
mod lsp;
mod run;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "restate")]
mod serve_engine;
#[cfg(feature = "serve")]
mod serve_limits;
mod shared;
#[cfg(feature = "serve")]
mod store;
mod test;
mod test_state;
mod validate;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
pub(crate) use eval::EvalArguments;
pub(crate) use explain::ExplainArguments;
pub(crate) use format::{ConvertArguments, FmtArguments};
#[cfg(feature = "lsp")]
pub(crate) use lsp::LspArguments;
pub(crate) use run::RunArguments;
#[cfg(feature = "serve")]
pub(crate) use serve::{ServeArguments, ServeDurability, ServeLog};
#[cfg(feature = "restate")]
pub(crate) use serve_engine::ServeEngine;
pub(crate) use shared::{Input, Rules, Substitutions, TaskArguments, TimeAndChance};
use std::ffi::OsString;
use std::path::PathBuf;
#[cfg(feature = "serve")]
pub(crate) use store::{
    Retention, StoreBackupArguments, StoreCommand, StoreCompactArguments, StoreExportArguments,
    StoreFolder,
};
pub(crate) use test::{
    CoverageArguments, CoverageFormat, MocksCommand, MocksInitArguments, TestArguments, TestFormat,
};
pub(crate) use test_state::{Level, TestStateArguments, Validation};
pub(crate) use validate::{ValidateArguments, ValidateFormat};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Returns the arguments of the process. `asl help --help` is `asl --help`: the command `help` of clap has no options.
pub(crate) fn given() -> Vec<OsString> {
    let mut given: Vec<OsString> = std::env::args_os().collect();
    let asks_about_help = given.get(1).is_some_and(|it| it == "help")
        && given.get(2).is_some_and(|it| it == "--help" || it == "-h");
    if asks_about_help {
        given.remove(1);
    }
    given
}

/// Run, check, evaluate and draw state machines of the Amazon States Language
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
    /// Begin with tests of a state machine
    #[command(subcommand)]
    Mocks(MocksCommand),
    /// Serve the API of AWS Step Functions on this machine
    #[cfg(feature = "serve")]
    Serve(Box<ServeArguments>),
    /// Check, write out, copy or compact what asl serve keeps
    #[cfg(feature = "serve")]
    #[command(subcommand)]
    Store(StoreCommand),
    /// Check definitions and show all that is wrong with them
    Validate(ValidateArguments),
    /// Bring the fields and lines of definitions into order
    Fmt(FmtArguments),
    /// Write a definition as YAML, or one in YAML as JSON
    Convert(ConvertArguments),
    /// Evaluate a path, a States.* call or a JSONata expression
    Eval(Box<EvalArguments>),
    /// Tell from a history what each state did, and why
    Explain(ExplainArguments),
    /// Test one state, with a mock in place of its work
    TestState(Box<TestStateArguments>),
    /// Draw a state machine
    Graph(GraphArguments),
    /// Serve an editor: diagnostics, hover, completion and more while one types
    #[cfg(feature = "lsp")]
    Lsp(LspArguments),
    /// Print the script that makes a shell complete asl
    #[command(
        after_help = "Example:\n  asl completions bash > ~/.local/share/bash-completion/completions/asl"
    )]
    Completions {
        /// Which shell
        shell: Shell,
    },
}

/// What `asl graph` is given.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  asl graph order.asl.json --format svg > order.svg")]
pub(crate) struct GraphArguments {
    /// The definition: a file, or FILE#NAME of a template that holds several; - for stdin
    pub(crate) definition: String,

    /// In which language
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: GraphFormat,

    /// Mark the way that an execution took: a file of asl run --history or GetExecutionHistory
    #[arg(long, value_name = "FILE")]
    pub(crate) history: Option<String>,

    /// Mark what tests reached: a file of asl test --coverage json
    #[arg(long, value_name = "FILE", conflicts_with = "history")]
    pub(crate) coverage: Option<String>,

    /// The histories of the children of distributed Maps, as asl run --child-histories writes them
    #[arg(long, value_name = "DIR", requires = "history")]
    pub(crate) child_histories: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) substitutions: Substitutions,
}

/// For whom a command writes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// People.
    #[default]
    Text,
    /// Programs.
    Json,
}

/// How much of a run is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceLevel {
    /// What each state changes, a line each.
    Changes,
    /// What each field makes, a line each.
    Full,
}

/// Which clock an execution follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Clock {
    /// Waits take their time.
    Real,
    /// Waits end at once, in the right order.
    Virtual,
}

/// Languages of graphs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Mermaid, as Markdown viewers draw it.
    #[default]
    Mermaid,
    /// Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// A picture in pixels, where asl is built with it.
    Png,
    /// A page by itself: the picture, to be moved and searched, and what each state says.
    Html,
}
