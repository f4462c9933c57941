//! A JSONPath as the parser leaves it: the segments after the root, and the filters and functions within them.
use crate::parser::Regex;
use serde_json::Value;
use std::hash::{Hash, Hasher};

/// The quote a name was written in; Jayway's texts repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Quote {
    /// `'`, also for names after a dot.
    #[default]
    Single,
    /// `"`.
    Double,
}

impl Quote {
    pub(crate) fn char(self) -> char {
        match self {
            Self::Single => '\'',
            Self::Double => '"',
        }
    }
}

/// One segment of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Segment {
    /// `.name`, `['name']`: a field of an object.
    Field { name: String, quote: Quote },
    /// `['a', 'b']`: several fields, gathered in one object at the end of a path.
    Fields { names: Vec<String>, quote: Quote },
    /// `[2]`, `[-1]`: an element of an array.
    Index(i32),
    /// `[0, 2]`: several elements.
    Indexes(Vec<i32>),
    /// `[1:3]`, `[1:]`, `[:3]`: a range of elements.
    Slice { from: Option<i32>, to: Option<i32> },
    /// `.*`, `[*]`: all children.
    Wildcard,
    /// `..`: the next segment applies to the node and all its descendants.
    Scan,
    /// `[?(…)]`: the elements, or the object itself, of which the expression is true.
    Filter(Box<Expression>),
    /// `.length()`.
    Function(Box<Function>),
}

/// Segments in a row, with what evaluation needs to know of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Segments {
    pub(crate) list: Vec<Segment>,
    /// Number of leading segments that name at most one node each: only there, a missing node is an error.
    pub(crate) definite: usize,
    /// Fields and single indexes only.
    pub(crate) plain: bool,
}

impl Segments {
    pub(crate) fn new(list: Vec<Segment>) -> Self {
        let last = list.len().saturating_sub(1);
        let indefinite = list
            .iter()
            .enumerate()
            .position(|(at, segment)| match segment {
                Segment::Field { .. } | Segment::Index(_) | Segment::Function(_) => false,
                // At the end the fields are gathered in one object.
                Segment::Fields { .. } => at < last,
                _ => true,
            });
        let plain = list
            .iter()
            .all(|segment| matches!(segment, Segment::Field { .. } | Segment::Index(_)));
        Self {
            definite: indefinite.unwrap_or(list.len()),
            plain,
            list,
        }
    }

    /// True if they name at most one node.
    pub(crate) fn is_definite(&self) -> bool {
        self.definite == self.list.len()
    }
}

/// The condition of a filter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Expression {
    /// `a || b`
    Or(Vec<Self>),
    /// `a && b`
    And(Vec<Self>),
    /// `!(a)`
    Not(Box<Self>),
    /// `@.a`, `!@.a`
    Exists { path: Query, expected: bool },
    /// `@.a == 1`
    Comparison(Box<Comparison>),
}

/// A comparison of two operands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Comparison {
    pub(crate) left: Operand,
    pub(crate) operator: Operator,
    pub(crate) right: Operand,
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Operand {
    /// `@.a`, `$.a`
    Path(Query),
    /// `1`, `'a'`, `['a', 1]`
    Literal(Value),
    /// `/a.*/i`
    Pattern(Pattern),
}

/// A path within a filter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Query {
    pub(crate) origin: Origin,
    pub(crate) segments: Segments,
}

/// The start of a path in a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Origin {
    /// `@`: the node that the filter looks at.
    Item,
    /// `$`: the document. Its value is the same for all nodes; `slot` is where an evaluation keeps it.
    Document { slot: usize },
}

/// A regular expression, which has to match the whole of a text.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// The text between the slashes.
    pub(crate) text: String,
    pub(crate) flags: String,
    pub(crate) regex: Regex,
    /// Number of states of the automaton: the maximum cost per byte.
    pub(crate) states: usize,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.flags == other.flags
    }
}

impl Eq for Pattern {}

impl Hash for Pattern {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
        self.flags.hash(state);
    }
}

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// Comparison operators.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Operator {
            $($(#[$doc])* $name,)*
        }

        impl Operator {
            /// All of them.
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)*];

            /// As it is written; words in any case.
            pub(crate) fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

operators! {
    /// Equal; a number and a text that looks like it are.
    Equal = "==",
    /// Equal and of the same kind.
    StrictlyEqual = "===",
    /// Not [`Self::Equal`].
    NotEqual = "!=",
    /// Not [`Self::StrictlyEqual`].
    StrictlyNotEqual = "!==",
    /// Two numbers or two texts in this order.
    Less = "<",
    /// Two numbers or two texts in this order, or equal.
    LessOrEqual = "<=",
    /// Two numbers or two texts in the other order.
    Greater = ">",
    /// Two numbers or two texts in the other order, or equal.
    GreaterOrEqual = ">=",
    /// A pattern matches the whole of a text.
    Matches = "=~",
    /// The left is an element of the right.
    In = "in",
    /// Not [`Self::In`].
    NotIn = "nin",
    /// The right is an element or a part of the left.
    Contains = "contains",
    /// The left has all elements of the right.
    All = "all",
    /// The left is as long as the right says.
    Size = "size",
    /// The left is empty, or not, as the right says.
    Empty = "empty",
    /// The right has all elements of the left.
    SubsetOf = "subsetof",
    /// An element is in both.
    AnyOf = "anyof",
    /// No element is in both.
    NoneOf = "noneof",
}

/// A call of one of Jayway's functions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) arguments: Vec<Argument>,
}

/// An argument of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Argument {
    /// A path into the document.
    Path(Segments),
    /// A JSON text.
    Json(Value),
}
