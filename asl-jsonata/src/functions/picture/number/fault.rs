//! Wrong pictures of numbers.
use crate::EvaluationError;
use crate::evaluate::failure;

/// Errors of a picture.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fault {
    SubPictures,
    DecimalSeparators,
    Percents,
    PerMilles,
    PercentAndPerMille,
    NoDigit,
    Passive,
    GroupingAtDecimalSeparator,
    GroupingAtEnd,
    AdjacentGrouping,
    OptionalInInteger,
    OptionalInFraction,
    ScaledExponent,
    Exponent,
}

impl Fault {
    pub(super) fn error(self) -> Box<EvaluationError> {
        let (code, message) = match self {
            Self::SubPictures => (
                "D3080",
                "The picture string must only contain a maximum of two sub-pictures",
            ),
            Self::DecimalSeparators => (
                "D3081",
                "The sub-picture must not contain more than one instance of the 'decimal-separator' character",
            ),
            Self::Percents => (
                "D3082",
                "The sub-picture must not contain more than one instance of the 'percent' character",
            ),
            Self::PerMilles => (
                "D3083",
                "The sub-picture must not contain more than one instance of the 'per-mille' character",
            ),
            Self::PercentAndPerMille => (
                "D3084",
                "The sub-picture must not contain both a 'percent' and a 'per-mille' character",
            ),
            Self::NoDigit => (
                "D3085",
                "The mantissa part of a sub-picture must contain at least one character that is either an 'optional digit character' or a member of the 'decimal digit family'",
            ),
            Self::Passive => (
                "D3086",
                "The sub-picture must not contain a passive character that is preceded by an active character and that is followed by another active character",
            ),
            Self::GroupingAtDecimalSeparator => (
                "D3087",
                "The sub-picture must not contain a 'grouping-separator' character that appears adjacent to a 'decimal-separator' character",
            ),
            Self::GroupingAtEnd => (
                "D3088",
                "The sub-picture must not contain a 'grouping-separator' at the end of the integer part",
            ),
            Self::AdjacentGrouping => (
                "D3089",
                "The sub-picture must not contain two adjacent instances of the 'grouping-separator' character",
            ),
            Self::OptionalInInteger => (
                "D3090",
                "The integer part of the sub-picture must not contain a member of the 'decimal digit family' that is followed by an instance of the 'optional digit character'",
            ),
            Self::OptionalInFraction => (
                "D3091",
                "The fractional part of the sub-picture must not contain an instance of the 'optional digit character' that is followed by a member of the 'decimal digit family'",
            ),
            Self::ScaledExponent => (
                "D3092",
                "A sub-picture that contains a 'percent' or 'per-mille' character must not contain a character treated as an 'exponent-separator'",
            ),
            Self::Exponent => (
                "D3093",
                "The exponent part of the sub-picture must comprise only of one or more characters that are members of the 'decimal digit family'",
            ),
        };
        failure(code, message)
    }
}
