//! Fields that are given as themselves or worked out when the state is entered: by a path or by JSONata.
use crate::Timestamp;
use asl_intrinsics::Intrinsic;
use asl_jsonata::JsonataString;
use asl_path::Path;

/// A whole number: "MaxConcurrency" and "MaxConcurrencyPath", and the like.
#[derive(Debug, Clone, PartialEq)]
pub enum Whole {
    /// The number.
    Number(u64),
    /// "…Path": a Reference Path, into the input, the Context Object or a variable.
    Path(Box<Path>),
    /// The JSONata string of a JSONata state.
    Expression(JsonataString),
}

/// Seconds: "TimeoutSeconds" and "TimeoutSecondsPath", "HeartbeatSeconds" and "HeartbeatSecondsPath".
pub type Seconds = Whole;

/// "ToleratedFailurePercentage" or its Path.
#[derive(Debug, Clone, PartialEq)]
pub enum Percentage {
    /// A number from 0 to 100.
    Number(f64),
    /// The Path form, a Reference Path.
    Path(Box<Path>),
    /// The JSONata string of a JSONata state.
    Expression(JsonataString),
}

/// The forms of how long a Wait State waits.
#[derive(Debug, Clone, PartialEq)]
pub enum WaitDuration {
    /// "Seconds".
    Seconds(u64),
    /// "SecondsPath".
    SecondsPath(Path),
    /// "Seconds" that is a JSONata string.
    SecondsExpression(JsonataString),
    /// "Timestamp".
    Timestamp(Timestamp, String),
    /// "TimestampPath".
    TimestampPath(Path),
    /// "Timestamp" that is a JSONata string.
    TimestampExpression(JsonataString),
}

/// A text: "Error" and "Cause" of a Fail State.
#[derive(Debug, Clone, PartialEq)]
pub enum TextField {
    /// The text.
    Text(String),
    /// "…Path" with a path.
    Path(Path),
    /// "…Path" with an intrinsic function.
    Intrinsic(Intrinsic),
    /// The JSONata string of a JSONata state.
    Expression(JsonataString),
}
