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
  asl eval                                  (a prompt: an expression a line, :help for more)";

/// What `asl eval` is given.
#[derive(Debug, Args)]
#[command(after_help = EVAL_EXAMPLES)]
pub(crate) struct EvalArguments {
    /// A path ($.a, $$.Execution.Name, $name.a), a call (States.Format('{}', $.a)) or {% JSONata %}; @FILE for one in a file
    ///
    /// Without one, a terminal is asked for expressions. The input is read from stdin where something is piped into it and -i is not given.
    pub(crate) expression: Option<String>,

    #[command(flatten)]
    pub(crate) input: Input,

    /// What $$ and $states.context name
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Data")]
    pub(crate) context: Option<String>,

    /// State machine variables: an object, each field of which $name names
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Data")]
    pub(crate) vars: Option<String>,

    /// What $states.result names in JSONata
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Data")]
    pub(crate) result: Option<String>,

    /// What $states.errorOutput names in JSONata
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Data")]
    pub(crate) error_output: Option<String>,

    /// The expression is plain JSONata: no {% %}, $ is the input, and nothing is restricted
    #[arg(long, conflicts_with_all = ["context", "result", "error_output"])]
    pub(crate) jsonata: bool,

    #[command(flatten)]
    pub(crate) time_and_chance: TimeAndChance,

    /// Print a string as it is, without quotes and escapes
    #[arg(short, long, conflicts_with = "report")]
    pub(crate) raw_output: bool,

    /// text: the value alone; json: {"value": …} or {"error": …, "cause": …}
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) report: Format,
}
