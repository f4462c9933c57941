//! `asl`: run, check, evaluate and draw state machines of the Amazon States Language.
//!
//! Arguments, files and the terminal; what a state means is the libraries' business.

mod arguments;
mod aws;
mod child_histories;
mod chosen_performers;
mod completions;
mod coverage;
mod definition;
mod diagnostics;
mod durations;
mod eval;
mod exit;
mod explain;
mod format;
mod graph;
mod interruption;
#[cfg(feature = "lsp")]
mod lsp;
mod mocks;
mod place;
mod prompt;
mod random;
mod recorded_history;
mod replace;
mod replay;
mod run;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod server_client;
mod settings;
mod snippet;
mod source;
mod stamp;
#[cfg(feature = "serve")]
mod start;
#[cfg(feature = "serve")]
mod store;
mod substitutions;
mod terminal;
mod test;
mod test_state;
mod validate;

use arguments::{Arguments, Command};
use clap::Parser;
use exit::{Exit, Failure};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Exit {
    let result = match Arguments::parse_from(arguments::process_arguments()).command {
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => serve::serve(&arguments),
        #[cfg(feature = "serve")]
        Command::Dev(arguments) => serve::dev(*arguments),
        #[cfg(feature = "serve")]
        Command::Start(arguments) => start::start(&arguments),
        #[cfg(feature = "serve")]
        Command::Store(command) => store::store(&command),
        Command::Validate(arguments) => validate::validate(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Test(arguments) => test::test(&arguments),
        Command::Mocks(command) => mocks::mocks(&command),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Replay(arguments) => replay::replay(&arguments),
        Command::Coverage(arguments) => coverage::coverage(&arguments),
        Command::TestState(arguments) => test_state::test_state(&arguments),
        #[cfg(feature = "lsp")]
        Command::Lsp(_) => lsp::lsp(),
        Command::Graph(arguments) => graph::graph(&arguments),
        Command::Fmt(arguments) => format::fmt(&arguments),
        Command::Convert(arguments) => format::convert(&arguments),
        Command::Eval(arguments) => eval::eval(&arguments),
        Command::Completions { shell } => completions::completions(shell),
    };
    result.unwrap_or_else(Failure::report)
}
