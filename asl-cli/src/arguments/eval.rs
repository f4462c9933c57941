//! `asl eval`.
use super::{Format, Input, TimeAndChance};
use clap::Args;

const EVAL_EXAMPLES: &str = "\
Examples:
  asl eval '$.store.book[?(@.price < 10)].title' -i @store.json
  asl eval \"States.Format('Hello, {}', $.name)\" -i '{\"name\": \"Ada\"}'
  asl eval '{% $sum($states.input.items.price) * (1 + $tax) %}' -i @order.json --vars '{\"tax\": 0.2}'
  asl eval --jsonata '$sum(items.price)' -i @order.json
  curl … | asl eval -r '$.items[0].id'
  asl eval                                  (interactive: one expression per line, :help for help)";

/// Arguments of `asl eval`.
#[derive(Debug, Args)]
#[command(after_help = EVAL_EXAMPLES)]
pub(crate) struct EvalArguments {
    /// A path ($.a, $$.Execution.Name, $name.a), an intrinsic function (States.Format('{}', $.a)) or {% JSONata %}; @FILE
    /// reads it from a file
    ///
    /// Without an expression, a terminal opens an interactive prompt. If -i is not given, piped input is read from stdin.
    pub(crate) expression: Option<String>,

    #[command(flatten)]
    pub(crate) input: Input,

    /// The Context Object, available as $$ and $states.context
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Data")]
    pub(crate) context: Option<String>,

    /// State machine variables: an object whose fields are available as $name
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Data")]
    pub(crate) vars: Option<String>,

    /// The value of $states.result in JSONata
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Data")]
    pub(crate) result: Option<String>,

    /// The value of $states.errorOutput in JSONata
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Data")]
    pub(crate) error_output: Option<String>,

    /// Evaluate plain JSONata: no {% %}, $ is the input, and all functions are available
    #[arg(long, conflicts_with_all = ["context", "result", "error_output"])]
    pub(crate) jsonata: bool,

    #[command(flatten)]
    pub(crate) time_and_chance: TimeAndChance,

    /// Print a string without quotes and escapes
    #[arg(short, long, conflicts_with = "report")]
    pub(crate) raw_output: bool,

    /// text: only the value; json: {"value": …} or {"error": …, "cause": …}
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) report: Format,
}
