//! The syntax tree of an expression: what JSONata 2.0.6 makes of a text before it is evaluated.
//!
//! Names, wildcards and what is joined by `.` become paths of steps; predicates become stages of their step. Chains that
//! grow to the left (`a + b + c`, `a ~> $f ~> $g`, `a.b.c`) are lists, so a tree is never deeper than `Options::max_nesting`.
//!
//! Texts are read and refused as the reference does, but for these:
//! - a position is where a token begins, in bytes; the reference says where it ends, in UTF-16 units;
//! - half a surrogate pair (`"\ud83d"`) becomes U+FFFD, as a text cannot hold it;
//! - regular expressions that cannot be matched in time that grows with the text (look-around, references to groups) are refused;
//! - nesting is limited.

mod analysis;
mod lexer;
mod nesting;
mod parser;
mod phrase;
mod resolve;
mod shortcuts;
mod symbols;
/// Returns the last boundary of a character at or before an offset.
fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut boundary = offset.min(text.len());
    while !text.is_char_boundary(boundary) {
        boundary -= 1;
    }
    boundary
}

#[cfg(test)]
mod tests;

pub(crate) use analysis::references;
pub(crate) use symbols::{Symbol, Symbols};

use crate::functions::{Pattern, Patterns, Signature};
use crate::{ParseError, StatesField};
use nesting::Nesting;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// A parsed expression.
#[derive(Debug, Clone)]
pub(crate) struct Syntax {
    /// The whole expression.
    pub(crate) root: Node,
    /// The names of its variables, parameters and labels.
    pub(crate) symbols: Symbols,
    /// True if evaluating it may bind a name in the frame of the whole.
    pub(crate) binds: bool,
}

impl Syntax {
    /// Parses a text. Its names use these symbols, or new ones, and its regular expressions these patterns.
    ///
    /// # Errors
    ///
    /// The text is no expression, or nests too deep. The position lies within the text.
    pub(crate) fn parse(
        text: &str,
        max_nesting: usize,
        symbols: Symbols,
        patterns: &mut Patterns,
    ) -> Result<Self, ParseError> {
        if u32::try_from(text.len()).is_err() {
            let message = "The expression is longer than 4 GiB";
            return Err(lexer::fault("D1011", message, 0));
        }
        let nesting = Nesting::new(max_nesting);
        let within_text = |error: ParseError| ParseError {
            position: floor_char_boundary(text, error.position),
            ..error
        };
        let phrase = parser::parse(text, nesting).map_err(within_text)?;
        let (mut root, symbols) =
            resolve::resolve(phrase, nesting, symbols, patterns).map_err(within_text)?;
        let binds = shortcuts::note(&mut root, &symbols);
        Ok(Self {
            root,
            symbols,
            binds,
        })
    }
}

/// An expression, or a step of a path.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    /// The kind of the node.
    pub(crate) kind: NodeKind,
    /// Offset in bytes: of the operator of an operation, the parenthesis of a call, or the first step of a path.
    pub(crate) position: u32,
    /// Followed by `[]`: a sequence of one that this node evaluates to stays an array.
    pub(crate) keep_array: bool,
    /// Parts after a node that is not a path; a path has its own stages and group.
    pub(crate) postfix: Option<Box<Postfix>>,
}

impl Node {
    /// Returns true if nothing follows it.
    pub(crate) fn is_plain(&self) -> bool {
        self.postfix.is_none() && !self.keep_array
    }
}

/// Parts applied to the value of a node in this order: predicates, group.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Postfix {
    /// `[…]`, each over the result of the one before.
    pub(crate) predicates: Vec<Node>,
    /// `{…}`.
    pub(crate) group: Option<Group>,
}

/// `{key: value, …}` after an expression: groups its items by the key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    /// Keys and values.
    pub(crate) pairs: Vec<(Node, Node)>,
    /// Offset of the brace in bytes.
    pub(crate) position: u32,
}

/// Kinds of nodes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NodeKind {
    /// A string, a number, true, false or null. Whole numbers below 2^53 are integers; there is no negative zero.
    Literal(Value),
    /// `/pattern/flags`.
    Regex(Arc<Pattern>),
    /// `$name`, also if the name is that of a built-in function.
    Variable(Symbol),
    /// `$`: the context, regardless of bindings.
    Context,
    /// `$$`: the binding of [`Symbol::ROOT`], which is the input unless the expression rebinds it.
    Root,
    /// A location path; a lone name is a path of one step.
    Path(Path),
    /// Operations from left to right over a first operand: `a + b - c`, `a and b`. Between two of them nothing else happens.
    Binary {
        /// The leftmost operand.
        first: Box<Node>,
        /// Operations applied in sequence; never empty.
        rest: Vec<Operation>,
    },
    /// `- expression`; of a literal number it is the negative literal.
    Negate(Box<Node>),
    /// `[…]`.
    Array {
        /// Its items; one that is an `Array` node itself is not flattened into it, and a range is a `Binary` of `Operator::Range` alone.
        items: Vec<Node>,
        /// It is the first step of a path or stands at the end of one: its value is kept from being flattened.
        constructed: bool,
    },
    /// `{…}`: keys and values.
    Object(Vec<(Node, Node)>),
    /// `(…; …)`.
    Block {
        /// Evaluated in turn in a frame of their own; the last one is the result.
        expressions: Vec<Node>,
        /// One of them is a path that begins with an array constructor: as the first step of a path, the block is evaluated once
        /// over the whole context instead of once for each of its items.
        constructed: bool,
        /// Evaluating them may bind a name, so that they need a frame.
        binds: bool,
    },
    /// `condition ? then : otherwise`.
    Condition {
        /// The condition.
        condition: Box<Node>,
        /// The value if the condition is true.
        then: Box<Node>,
        /// The value if it is false; undefined if absent.
        otherwise: Option<Box<Node>>,
    },
    /// `$name := value`.
    Bind {
        /// The variable of the innermost frame.
        name: Symbol,
        /// Its value, which is also the value of the whole.
        value: Box<Node>,
    },
    /// `procedure(arguments)`.
    Call(Call),
    /// `procedure(arguments)` with at least one `?`.
    Partial {
        /// The function.
        procedure: Box<Node>,
        /// None for each `?`.
        arguments: Vec<Option<Node>>,
    },
    /// `function(…) { … }`.
    Lambda(Box<Lambda>),
    /// Functions applied from left to right: `value ~> $f ~> $g(2)`.
    Apply {
        /// The leftmost operand.
        first: Box<Node>,
        /// Applications in sequence; never empty. A `Call` gets the value as an argument before its own.
        rest: Vec<Application>,
    },
    /// `|pattern|update, delete|`.
    Transform(Box<Transform>),
    /// A step: the field of an object.
    Name(Box<str>),
    /// A step or an expression: `*`, all fields of an object.
    Wildcard,
    /// A step or an expression: `**`, all descendants.
    Descendant,
    /// A step or an expression: `%`, the value that its label is bound to.
    Parent(Symbol),
    /// A step: `^(…)`, the terms in the order of their weight.
    Sort(Vec<SortTerm>),
}

/// `left OPERATOR right`, without the left side, which precedes it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Operation {
    /// The operator.
    pub(crate) operator: Operator,
    /// Offset in bytes.
    pub(crate) position: u32,
    /// The right side.
    pub(crate) right: Node,
}

/// An operator between two expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `&`
    Concatenate,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `in`
    In,
    /// `and`
    And,
    /// `or`
    Or,
    /// `..`
    Range,
}

impl Operator {
    /// Returns true if it reports which of two values comes first.
    fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Less | Self::LessOrEqual | Self::Greater | Self::GreaterOrEqual
        )
    }

    /// As it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Concatenate => "&",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::In => "in",
            Self::And => "and",
            Self::Or => "or",
            Self::Range => "..",
        }
    }
}

/// One `~> function`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Application {
    /// Offset of the operator in bytes.
    pub(crate) position: u32,
    /// One of the operands so far is followed by `[]`, so a sequence of one stays an array.
    pub(crate) keep_array: bool,
    /// The function, or its call.
    pub(crate) right: Node,
}

/// A location path.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Path {
    /// Its steps, at least one.
    pub(crate) steps: Vec<Step>,
    /// One of the steps is followed by `[]`: a result of one item stays an array.
    pub(crate) keep_singleton: bool,
    /// It ends inside another path whose later steps request ancestors: its result keeps its tuples.
    pub(crate) tuple: bool,
    /// `{…}` after it.
    pub(crate) group: Option<Group>,
    /// Start of the path, if it consists of names from there on, and nothing is applied to its items.
    pub(crate) origin: Option<Origin>,
}

/// The start of a path of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// At the context, with a name.
    Name,
    /// `$`
    Context,
    /// `$name` or `$$`
    Variable(Symbol),
    /// `$states` and its field, which are two steps.
    States(StatesField),
}

/// A step of a path: evaluated for each item of the context.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    /// The node to evaluate; never a path. Its own predicates, if it has any, come before the stages.
    pub(crate) node: Node,
    /// Stages applied to its result in sequence.
    pub(crate) stages: Vec<Stage>,
    /// `@$name`: binds the items and leaves the context as it is.
    pub(crate) focus: Option<Symbol>,
    /// `#$name` before any predicate: binds the positions of the items.
    pub(crate) index: Option<Symbol>,
    /// The labels of `%` that are bound to the context of this step.
    pub(crate) ancestors: Vec<Symbol>,
    /// From here on the path carries bindings with its items.
    pub(crate) tuple: bool,
}

impl Step {
    /// Returns the name of the field that the step selects, if it is a name.
    pub(crate) fn name(&self) -> Option<&str> {
        match &self.node.kind {
            NodeKind::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// The part after a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stage {
    /// `[…]`.
    Filter(Node),
    /// `#$name` after a predicate.
    Index(Symbol),
}

/// A term of `^(…)`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SortTerm {
    /// The key of the comparison.
    pub(crate) expression: Node,
    /// `>`: largest first.
    pub(crate) descending: bool,
}

/// A call of a function.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    /// The function: a variable, a lambda, or anything else that evaluates to one.
    pub(crate) procedure: Box<Node>,
    /// Its arguments.
    pub(crate) arguments: Vec<Node>,
    /// It is what the body of a lambda ends with: it takes the place of the running call instead of nesting in it.
    /// A group and `[]` after such a call have no effect in the reference.
    pub(crate) tail: bool,
}

/// A function defined in the expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lambda {
    /// Its parameters.
    pub(crate) parameters: Vec<Symbol>,
    /// `<…>` after them.
    pub(crate) signature: Option<Signature>,
    /// True if it only compares keys.
    pub(crate) order: Option<KeyOrder>,
    /// The body.
    pub(crate) body: Node,
}

/// A function that only says how a key of its first argument compares with a key of its second one: `function($left, $right) { $left.key > $right.key }`. A key is
/// what names lead to from the argument on, or the argument itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyOrder {
    /// The key of the second argument stands on the left.
    pub(crate) swapped: bool,
}

/// A function that returns a changed copy of its argument.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Transform {
    /// The objects to change.
    pub(crate) pattern: Node,
    /// An object whose fields are set.
    pub(crate) update: Node,
    /// The names of the fields that are removed.
    pub(crate) delete: Option<Node>,
}

/// A regular expression as written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct RegexLiteral {
    /// The text between the slashes.
    pub(crate) pattern: Box<str>,
    /// The flag `i`.
    pub(crate) ignore_case: bool,
    /// The flag `m`.
    pub(crate) multiline: bool,
}

impl fmt::Display for RegexLiteral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let i = if self.ignore_case { "i" } else { "" };
        let m = if self.multiline { "m" } else { "" };
        write!(f, "/{}/{i}{m}", self.pattern)
    }
}
