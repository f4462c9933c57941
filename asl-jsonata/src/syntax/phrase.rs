//! The result of the grammar, before paths are built.
use super::{Operator, RegexLiteral};
use crate::functions::Signature;
use serde_json::Value;

/// An operand, and the operators applied to it from left to right. Chains of operators are lists, so they do not nest.
#[derive(Debug)]
pub(super) struct Phrase<'t> {
    pub(super) operand: Operand<'t>,
    pub(super) position: usize,
    /// The operand is followed by `[]`, perhaps after predicates.
    pub(super) keep_array: bool,
    pub(super) suffixes: Vec<Suffix<'t>>,
}

#[derive(Debug)]
pub(super) enum Operand<'t> {
    Literal(Value),
    Regex(RegexLiteral),
    Name(&'t str),
    /// `and`, `or` or `in` where a name stands.
    Keyword(&'static str),
    Variable(&'t str),
    Wildcard,
    Descendant,
    Parent,
    Negate(Box<Phrase<'t>>),
    Array(Vec<Phrase<'t>>),
    Object(Vec<Pair<'t>>),
    Block(Vec<Phrase<'t>>),
    Lambda(Box<LambdaPhrase<'t>>),
    Transform(Box<TransformPhrase<'t>>),
    /// Nothing where an operand is missing at the end of the text: other faults come first.
    Missing,
}

pub(super) type Pair<'t> = (Phrase<'t>, Phrase<'t>);

#[derive(Debug)]
pub(super) struct LambdaPhrase<'t> {
    pub(super) parameters: Vec<&'t str>,
    pub(super) signature: Option<Signature>,
    pub(super) body: Phrase<'t>,
}

#[derive(Debug)]
pub(super) struct TransformPhrase<'t> {
    pub(super) pattern: Phrase<'t>,
    pub(super) update: Phrase<'t>,
    pub(super) delete: Option<Phrase<'t>>,
}

#[derive(Debug)]
pub(super) struct Suffix<'t> {
    pub(super) kind: SuffixKind<'t>,
    /// Offset of the operator.
    pub(super) position: usize,
    /// It is followed by `[]`, perhaps after predicates.
    pub(super) keep_array: bool,
}

#[derive(Debug)]
pub(super) enum SuffixKind<'t> {
    /// `.`
    Map(Phrase<'t>),
    Binary(Operator, Phrase<'t>),
    /// Arguments; none for each `?`.
    Call(Vec<Option<Phrase<'t>>>),
    Predicate(Phrase<'t>),
    Group(Vec<Pair<'t>>),
    /// The terms, and whether they descend.
    Sort(Vec<(Phrase<'t>, bool)>),
    /// `:=`, after a variable.
    Bind(Phrase<'t>),
    /// `@$name`
    Focus(&'t str),
    /// `#$name`
    Index(&'t str),
    Condition {
        then: Phrase<'t>,
        otherwise: Option<Phrase<'t>>,
    },
    /// `~>`
    Apply(Phrase<'t>),
}

impl<'t> Phrase<'t> {
    pub(super) fn new(operand: Operand<'t>, position: usize) -> Self {
        Self {
            operand,
            position,
            keep_array: false,
            suffixes: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, kind: SuffixKind<'t>, position: usize) {
        self.suffixes.push(Suffix {
            kind,
            position,
            keep_array: false,
        });
    }

    /// Returns the variable that it consists of.
    pub(super) fn variable(&self) -> Option<&'t str> {
        match self.operand {
            Operand::Variable(name) if self.suffixes.is_empty() => Some(name),
            _ => None,
        }
    }

    /// Returns the name that it consists of.
    pub(super) fn name(&self) -> Option<&'t str> {
        match self.operand {
            Operand::Name(name) if self.suffixes.is_empty() => Some(name),
            _ => None,
        }
    }

    /// Returns the offset of the last operator.
    pub(super) fn last_position(&self) -> usize {
        self.suffixes
            .last()
            .map_or(self.position, |suffix| suffix.position)
    }

    /// Marks what predicates are applied to as followed by `[]`.
    pub(super) fn keep_array(&mut self) {
        let mut suffixes = self.suffixes.iter_mut().rev();
        match suffixes.find(|suffix| !matches!(suffix.kind, SuffixKind::Predicate(_))) {
            Some(suffix) => suffix.keep_array = true,
            None => self.keep_array = true,
        }
    }
}
