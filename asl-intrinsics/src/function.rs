//! The functions and their signatures (2022 specification, Appendix B).
use std::fmt;

/// An intrinsic function: one of the 18 of the States Language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "each variant is the function of that name, described where it is evaluated"
)]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum Function {
    Array,
    ArrayContains,
    ArrayGetItem,
    ArrayLength,
    ArrayPartition,
    ArrayRange,
    ArrayUnique,
    Base64Decode,
    Base64Encode,
    Format,
    Hash,
    JsonMerge,
    JsonToString,
    MathAdd,
    MathRandom,
    StringSplit,
    StringToJson,
    Uuid,
}

/// Kinds of parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Any,
    Array,
    Number,
    Object,
    String,
}

impl Kind {
    /// With its article: `an array`.
    pub(crate) fn described(self) -> &'static str {
        match self {
            Self::Any => "any value",
            Self::Array => "an array",
            Self::Number => "a number",
            Self::Object => "an object",
            Self::String => "a string",
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Any => "value",
            Self::Array => "array",
            Self::Number => "number",
            Self::Object => "object",
            Self::String => "string",
        }
    }
}

/// The parameters of a function, in order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signature {
    required: &'static [Kind],
    optional: &'static [Kind],
    /// The kind of further arguments, any number of them.
    rest: Option<Kind>,
}

impl Signature {
    const fn exactly(required: &'static [Kind]) -> Self {
        Self {
            required,
            optional: &[],
            rest: None,
        }
    }

    /// Returns true if the function takes so many arguments.
    pub(crate) fn takes(&self, count: usize) -> bool {
        count >= self.required.len() && (count == 0 || self.kind(count - 1).is_some())
    }

    /// Returns the kind of the parameter at `index`; None if the function has no such parameter.
    pub(crate) fn kind(&self, index: usize) -> Option<Kind> {
        self.required
            .iter()
            .chain(self.optional)
            .nth(index)
            .copied()
            .or(self.rest)
    }

    /// Describes the number of arguments in words.
    pub(crate) fn count(&self) -> String {
        let (least, most) = (
            self.required.len(),
            self.required.len() + self.optional.len(),
        );
        let plural = |count: usize| if count == 1 { "argument" } else { "arguments" };
        match (self.rest, least) {
            (Some(_), _) => format!("at least {least} {}", plural(least)),
            (None, 0) if most == 0 => "no arguments".to_owned(),
            (None, _) if least == most => format!("{least} {}", plural(least)),
            (None, _) => format!("{least} or {most} {}", plural(most)),
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let required = self.required.iter().map(|kind| (kind, ""));
        let optional = self.optional.iter().map(|kind| (kind, "?"));
        let rest = self.rest.iter().map(|kind| (kind, "…"));
        f.write_str("(")?;
        for (index, (kind, mark)) in required.chain(optional).chain(rest).enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{}{mark}", kind.word())?;
        }
        f.write_str(")")
    }
}

impl Function {
    /// Every function, by name.
    pub const ALL: [Self; 18] = [
        Self::Array,
        Self::ArrayContains,
        Self::ArrayGetItem,
        Self::ArrayLength,
        Self::ArrayPartition,
        Self::ArrayRange,
        Self::ArrayUnique,
        Self::Base64Decode,
        Self::Base64Encode,
        Self::Format,
        Self::Hash,
        Self::JsonMerge,
        Self::JsonToString,
        Self::MathAdd,
        Self::MathRandom,
        Self::StringSplit,
        Self::StringToJson,
        Self::Uuid,
    ];

    /// Returns the whole name, `States.Format`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Array => "States.Array",
            Self::ArrayContains => "States.ArrayContains",
            Self::ArrayGetItem => "States.ArrayGetItem",
            Self::ArrayLength => "States.ArrayLength",
            Self::ArrayPartition => "States.ArrayPartition",
            Self::ArrayRange => "States.ArrayRange",
            Self::ArrayUnique => "States.ArrayUnique",
            Self::Base64Decode => "States.Base64Decode",
            Self::Base64Encode => "States.Base64Encode",
            Self::Format => "States.Format",
            Self::Hash => "States.Hash",
            Self::JsonMerge => "States.JsonMerge",
            Self::JsonToString => "States.JsonToString",
            Self::MathAdd => "States.MathAdd",
            Self::MathRandom => "States.MathRandom",
            Self::StringSplit => "States.StringSplit",
            Self::StringToJson => "States.StringToJson",
            Self::Uuid => "States.UUID",
        }
    }

    /// Returns the function of that name.
    ///
    /// ```
    /// use asl_intrinsics::Function;
    /// assert_eq!(Function::from_name("States.UUID"), Some(Function::Uuid));
    /// assert_eq!(Function::from_name("UUID"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|function| function.name() == name)
    }

    /// Returns true if the service ignores the arguments (recorded of `States.UUID`).
    pub(crate) fn ignores_arguments(self) -> bool {
        self == Self::Uuid
    }

    /// Returns true if a call with `count` arguments is evaluated.
    pub(crate) fn takes(self, count: usize) -> bool {
        self.ignores_arguments() || self.signature().takes(count)
    }

    pub(crate) fn signature(self) -> Signature {
        use Kind::{Any, Array, Number, Object, String};
        match self {
            Self::Array => Signature {
                required: &[],
                optional: &[],
                rest: Some(Any),
            },
            Self::ArrayContains => Signature::exactly(&[Array, Any]),
            Self::ArrayGetItem | Self::ArrayPartition => Signature::exactly(&[Array, Number]),
            Self::ArrayLength | Self::ArrayUnique => Signature::exactly(&[Array]),
            Self::ArrayRange => Signature::exactly(&[Number, Number, Number]),
            Self::Base64Decode | Self::Base64Encode | Self::StringToJson => {
                Signature::exactly(&[String])
            }
            Self::Format => Signature {
                required: &[String],
                optional: &[],
                rest: Some(Any),
            },
            Self::Hash => Signature::exactly(&[Any, String]),
            Self::StringSplit => Signature::exactly(&[String, String]),
            Self::JsonMerge => Signature::exactly(&[Object, Object, Any]),
            Self::JsonToString => Signature::exactly(&[Any]),
            Self::MathAdd => Signature::exactly(&[Number, Number]),
            Self::MathRandom => Signature {
                required: &[Number, Number],
                optional: &[Number],
                rest: None,
            },
            Self::Uuid => Signature::exactly(&[]),
        }
    }

    /// Returns the function someone who wrote `name` most likely meant.
    pub(crate) fn nearest(name: &str) -> Option<Self> {
        let bare = name
            .strip_prefix("States.")
            .unwrap_or(name)
            .to_ascii_lowercase();
        let distances = Self::ALL.into_iter().filter_map(|function| {
            let candidate = function
                .name()
                .strip_prefix("States.")?
                .to_ascii_lowercase();
            let allowed = candidate.len() / 3;
            let near = candidate.len().abs_diff(bare.len()) <= allowed;
            let distance = if near {
                edits_between(bare.as_bytes(), candidate.as_bytes())
            } else {
                usize::MAX
            };
            (distance <= allowed).then_some((distance, function))
        });
        distances
            .min_by_key(|(distance, _)| *distance)
            .map(|(_, function)| function)
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Levenshtein distance.
fn edits_between(left: &[u8], right: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut diagonal = i;
        let mut before = i + 1;
        for (cell, b) in row.iter_mut().skip(1).zip(right) {
            let substituted = diagonal + usize::from(a != b);
            diagonal = *cell;
            before = substituted.min(before + 1).min(diagonal + 1);
            *cell = before;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_function() {
        for function in Function::ALL {
            assert_eq!(Function::from_name(function.name()), Some(function));
        }
    }

    #[test]
    fn edits_are_counted() {
        assert_eq!(edits_between(b"kitten", b"sitting"), 3);
        assert_eq!(edits_between(b"", b"abc"), 3);
        assert_eq!(edits_between(b"abc", b""), 3);
        assert_eq!(edits_between(b"same", b"same"), 0);
    }

    #[test]
    fn a_misspelt_name_is_recognised() {
        assert_eq!(Function::nearest("States.Formt"), Some(Function::Format));
        assert_eq!(Function::nearest("States.uuid"), Some(Function::Uuid));
        assert_eq!(
            Function::nearest("jsonToString"),
            Some(Function::JsonToString)
        );
        assert_eq!(
            Function::nearest("States.ArrayLen"),
            Some(Function::ArrayLength)
        );
        assert_eq!(Function::nearest("States.Multiply"), None);
    }
}
