//! Errors of arguments.
use crate::EvaluationError;
use crate::evaluate::failure;
use crate::functions::json_text::quoted;

/// The function whose arguments are checked, for the text of errors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Callee<'t>(pub(super) Option<&'t str>);

/// The name of a function without one.
const NO_NAME: &str = "undefined";

/// Gives the error of a function without a name the one of the function that called it.
pub(in crate::functions) fn in_call(
    mut error: Box<EvaluationError>,
    caller: &str,
) -> Box<EvaluationError> {
    if matches!(error.code, "T0410" | "T0411" | "T0412") {
        let unnamed = format!("of function {NO_NAME}");
        let named = format!("of function {}", quoted(caller));
        error.message = error.message.replacen(&unnamed, &named, 1);
    }
    error
}

impl Callee<'_> {
    fn name(self) -> String {
        self.0.map_or_else(|| NO_NAME.to_owned(), quoted)
    }

    pub(super) fn mismatch(self, index: usize) -> Box<EvaluationError> {
        let (number, name) = (index + 1, self.name());
        failure(
            "T0410",
            format!("Argument {number} of function {name} does not match function signature"),
        )
    }

    pub(super) fn wrong_context(self, index: usize) -> Box<EvaluationError> {
        let (number, name) = (index + 1, self.name());
        failure(
            "T0411",
            format!(
                "Context value is not a compatible type with argument {number} of function {name}"
            ),
        )
    }

    pub(super) fn wrong_items(self, index: usize, items: &str) -> Box<EvaluationError> {
        let (number, name) = (index + 1, self.name());
        let items = match items {
            "a" => "\"arrays\"",
            "b" => "\"booleans\"",
            "f" => "\"functions\"",
            "n" => "\"numbers\"",
            "o" => "\"objects\"",
            "s" => "\"strings\"",
            _ => "undefined",
        };
        failure(
            "T0412",
            format!("Argument {number} of function {name} must be an array of {items}"),
        )
    }
}

/// The error of a built-in function whose argument the signature accepts, but not the function: the reference stops with an error of JavaScript there.
pub(in crate::functions) fn unusable_argument(
    function: &str,
    number: usize,
) -> Box<EvaluationError> {
    Callee(Some(function)).mismatch(number.saturating_sub(1))
}
