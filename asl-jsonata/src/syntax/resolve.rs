//! From phrases to the syntax tree: paths are made of steps, predicates find their step, ancestors their label.
mod ancestry;
mod part;
mod path;
mod tail;

use super::lexer::{fault, number_value};
use super::nesting::{self, Nesting};
use super::phrase::{LambdaPhrase, Operand, Pair, Phrase, Suffix, SuffixKind, TransformPhrase};
use super::{
    Application, Call, Lambda, Node, NodeKind, Operation, Operator, RegexLiteral, Step, Symbol,
    Symbols, Transform,
};
use crate::ParseError;
use crate::functions::Patterns;
use ancestry::Ancestry;
use part::{Contents, Part, PathPart, StepPart, offset};
use serde_json::{Number, Value};

/// Makes the tree of a whole expression.
pub(super) fn resolve(
    phrase: Phrase<'_>,
    nesting: Nesting,
    symbols: Symbols,
    patterns: &mut Patterns,
) -> Result<(Node, Symbols), ParseError> {
    let mut resolver = Resolver {
        symbols,
        patterns,
        ancestry: Ancestry::new(nesting),
        nesting,
    };
    let part = resolver.phrase(phrase)?;
    if part.sought().next().is_some() {
        return Err(ancestry::underivable(part.position()));
    }
    Ok((part.into_node(), resolver.symbols))
}

struct Resolver<'p> {
    symbols: Symbols,
    patterns: &'p mut Patterns,
    ancestry: Ancestry,
    nesting: Nesting,
}

type ResolveResult<T = Part> = Result<T, ParseError>;

impl Resolver<'_> {
    fn phrase(&mut self, phrase: Phrase<'_>) -> ResolveResult {
        nesting::with_stack(|| {
            let Phrase {
                operand,
                position,
                keep_array,
                mut suffixes,
            } = phrase;
            let mut calls = self.calls(&mut suffixes)?;
            let mut part = self.operand(operand, position, keep_array)?;
            self.finish(&mut part, position, keep_array)?;
            for suffix in suffixes {
                let (position, keep_array) = (suffix.position, suffix.keep_array);
                part = self.suffix(part, suffix, &mut calls)?;
                self.finish(&mut part, position, keep_array)?;
            }
            Ok(part)
        })
    }

    /// Resolves the arguments of calls from the last one on: they come before the function, which decides what fault is named.
    fn calls(&mut self, suffixes: &mut [Suffix<'_>]) -> ResolveResult<Vec<Arguments>> {
        let mut calls = Vec::new();
        for suffix in suffixes.iter_mut().rev() {
            if let SuffixKind::Call(arguments) = &mut suffix.kind {
                calls.push(self.arguments(std::mem::take(arguments))?);
            }
        }
        Ok(calls)
    }

    fn arguments(&mut self, arguments: Vec<Option<Phrase<'_>>>) -> ResolveResult<Arguments> {
        let mut resolved = Arguments::default();
        for argument in arguments {
            resolved.nodes.push(match argument {
                Some(argument) => Some(resolved.contents.absorb(self.phrase(argument)?)),
                None => None,
            });
        }
        Ok(resolved)
    }

    fn finish(&self, part: &mut Part, position: usize, keep_array: bool) -> ResolveResult<()> {
        if keep_array {
            part.keep_array();
        }
        self.nesting.check(part.height(), position)
    }

    fn operand(
        &mut self,
        operand: Operand<'_>,
        position: usize,
        keep_array: bool,
    ) -> ResolveResult {
        let kind = match operand {
            Operand::Name(name) | Operand::Keyword(name) => {
                let path = PathPart::from_name(name, position, keep_array);
                return Ok(Part::Path(path));
            }
            Operand::Literal(value) => NodeKind::Literal(value),
            Operand::Regex(regex) => self.regex(&regex, position)?,
            Operand::Variable(name) => self.variable(name),
            Operand::Wildcard => NodeKind::Wildcard,
            Operand::Descendant => NodeKind::Descendant,
            Operand::Parent => NodeKind::Parent(self.ancestry.label(&mut self.symbols)),
            Operand::Negate(phrase) => return self.negate(*phrase, position),
            Operand::Array(items) => return self.array(items, position),
            Operand::Object(pairs) => return self.object(pairs, position),
            Operand::Block(expressions) => return self.block(expressions, position),
            Operand::Lambda(lambda) => return self.lambda(*lambda, position),
            Operand::Transform(transform) => return self.transform(*transform, position),
            Operand::Missing => {
                return Err(fault("S0207", "Unexpected end of expression", position));
            }
        };
        Ok(Part::leaf(kind, position))
    }

    fn regex(&mut self, literal: &RegexLiteral, position: usize) -> ResolveResult<NodeKind> {
        let pattern = self.patterns.compiled(literal);
        let pattern = pattern.map_err(|error| ParseError { position, ..error })?;
        Ok(NodeKind::Regex(pattern))
    }

    fn variable(&mut self, name: &str) -> NodeKind {
        match name {
            "" => NodeKind::Context,
            "$" => NodeKind::Root,
            _ => NodeKind::Variable(self.symbols.intern(name)),
        }
    }

    fn negate(&mut self, phrase: Phrase<'_>, position: usize) -> ResolveResult {
        let mut operand = self.phrase(phrase)?;
        if let Part::Step(part) = &mut operand
            && let NodeKind::Literal(Value::Number(number)) = &mut part.step.node.kind
        {
            *number = negative(number);
            return Ok(operand);
        }
        let mut contents = Contents::default();
        let kind = NodeKind::Negate(Box::new(contents.absorb(operand)));
        Ok(Part::new(kind, position, contents))
    }

    /// Resolves phrases that stand next to each other.
    fn all(
        &mut self,
        phrases: Vec<Phrase<'_>>,
        contents: &mut Contents,
    ) -> ResolveResult<Vec<Node>> {
        let phrases = phrases.into_iter();
        phrases
            .map(|phrase| Ok(contents.absorb(self.phrase(phrase)?)))
            .collect()
    }

    fn array(&mut self, items: Vec<Phrase<'_>>, position: usize) -> ResolveResult {
        let mut contents = Contents::default();
        let kind = NodeKind::Array {
            items: self.all(items, &mut contents)?,
            constructed: false,
        };
        Ok(Part::new(kind, position, contents))
    }

    fn object(&mut self, phrases: Vec<Pair<'_>>, position: usize) -> ResolveResult {
        let mut contents = Contents::default();
        let mut pairs = Vec::with_capacity(phrases.len());
        for (key, value) in phrases {
            let key = contents.absorb(self.phrase(key)?);
            pairs.push((key, contents.absorb(self.phrase(value)?)));
        }
        Ok(Part::new(NodeKind::Object(pairs), position, contents))
    }

    fn block(&mut self, phrases: Vec<Phrase<'_>>, position: usize) -> ResolveResult {
        let mut contents = Contents::default();
        let expressions = self.all(phrases, &mut contents)?;
        let kind = NodeKind::Block {
            constructed: expressions.iter().any(path::starts_with_constructor),
            binds: true,
            expressions,
        };
        Ok(Part::new(kind, position, contents))
    }

    fn lambda(&mut self, lambda: LambdaPhrase<'_>, position: usize) -> ResolveResult {
        let mut contents = Contents::default();
        let mut body = contents.enclose(self.phrase(lambda.body)?);
        tail::mark(&mut body);
        let parameters = lambda.parameters.into_iter();
        let lambda = Lambda {
            parameters: parameters.map(|name| self.symbols.intern(name)).collect(),
            signature: lambda.signature,
            order: None,
            body,
        };
        let kind = NodeKind::Lambda(Box::new(lambda));
        Ok(Part::new(kind, position, contents))
    }

    fn transform(&mut self, transform: TransformPhrase<'_>, position: usize) -> ResolveResult {
        let mut contents = Contents::default();
        let transform = Transform {
            pattern: contents.enclose(self.phrase(transform.pattern)?),
            update: contents.enclose(self.phrase(transform.update)?),
            delete: match transform.delete {
                Some(delete) => Some(contents.enclose(self.phrase(delete)?)),
                None => None,
            },
        };
        let kind = NodeKind::Transform(Box::new(transform));
        Ok(Part::new(kind, position, contents))
    }

    fn suffix(
        &mut self,
        left: Part,
        suffix: Suffix<'_>,
        calls: &mut Vec<Arguments>,
    ) -> ResolveResult {
        let position = suffix.position;
        match suffix.kind {
            SuffixKind::Map(right) => self.map(left, right),
            SuffixKind::Binary(operator, right) => self.binary(left, operator, right, position),
            SuffixKind::Call(_) => Ok(call(left, calls.pop().unwrap_or_default(), position)),
            SuffixKind::Predicate(predicate) => self.predicate(left, predicate, position),
            SuffixKind::Group(pairs) => self.group(left, pairs, position),
            SuffixKind::Sort(terms) => self.sort(left, terms, position),
            SuffixKind::Bind(value) => self.bind(left, value, position),
            SuffixKind::Focus(name) => self.focus(left, name, position, suffix.keep_array),
            SuffixKind::Index(name) => Ok(self.index(left, name)),
            SuffixKind::Condition { then, otherwise } => {
                self.condition(left, then, otherwise, position)
            }
            SuffixKind::Apply(right) => self.apply(left, right, position),
        }
    }

    fn binary(
        &mut self,
        left: Part,
        operator: Operator,
        right: Phrase<'_>,
        position: usize,
    ) -> ResolveResult {
        let (mut contents, first, mut rest) = match left {
            Part::Step(StepPart {
                step:
                    Step {
                        node:
                            Node {
                                kind: NodeKind::Binary { first, rest },
                                ..
                            },
                        ..
                    },
                contents,
            }) if operator != Operator::Range => (contents, first, rest),
            left => {
                let mut contents = Contents::default();
                let first = Box::new(contents.absorb(left));
                (contents, first, Vec::new())
            }
        };
        rest.push(Operation {
            operator,
            position: offset(position),
            right: contents.absorb(self.phrase(right)?),
        });
        Ok(Part::new(
            NodeKind::Binary { first, rest },
            position,
            contents,
        ))
    }

    fn apply(&mut self, left: Part, right: Phrase<'_>, position: usize) -> ResolveResult {
        let keep_left = left.keeps_array();
        let (mut contents, first, mut rest) = match left {
            Part::Step(StepPart {
                step:
                    Step {
                        node:
                            Node {
                                kind: NodeKind::Apply { first, rest },
                                ..
                            },
                        ..
                    },
                contents,
            }) => (contents, first, rest),
            left => {
                let mut contents = Contents::default();
                let first = Box::new(contents.enclose(left));
                (contents, first, Vec::new())
            }
        };
        let right = contents.enclose(self.phrase(right)?);
        let keep_array = keep_left || right.keep_array;
        rest.push(Application {
            position: offset(position),
            keep_array,
            right,
        });
        let mut part = Part::new(NodeKind::Apply { first, rest }, position, contents);
        if keep_array {
            part.keep_array();
        }
        Ok(part)
    }

    fn bind(&mut self, left: Part, value: Phrase<'_>, position: usize) -> ResolveResult {
        let mut contents = Contents::default();
        let name = self.bound_symbol(&left.into_node().kind);
        let value = Box::new(contents.absorb(self.phrase(value)?));
        let kind = NodeKind::Bind { name, value };
        Ok(Part::new(kind, position, contents))
    }

    /// Returns the symbol of a bound variable. A binding of `$` can never be read.
    fn bound_symbol(&mut self, variable: &NodeKind) -> Symbol {
        match variable {
            NodeKind::Variable(name) => *name,
            NodeKind::Root => Symbol::ROOT,
            _ => self.symbols.intern(""),
        }
    }

    fn condition(
        &mut self,
        condition: Part,
        then: Phrase<'_>,
        otherwise: Option<Phrase<'_>>,
        position: usize,
    ) -> ResolveResult {
        let mut contents = Contents::default();
        let kind = NodeKind::Condition {
            condition: Box::new(contents.absorb(condition)),
            then: Box::new(contents.absorb(self.phrase(then)?)),
            otherwise: match otherwise {
                Some(otherwise) => Some(Box::new(contents.absorb(self.phrase(otherwise)?))),
                None => None,
            },
        };
        Ok(Part::new(kind, position, contents))
    }
}

/// The arguments of a call; none for each `?`.
#[derive(Default)]
struct Arguments {
    nodes: Vec<Option<Node>>,
    contents: Contents,
}

fn call(procedure: Part, arguments: Arguments, position: usize) -> Part {
    let Arguments {
        nodes,
        mut contents,
    } = arguments;
    let procedure = Box::new(contents.enclose(procedure));
    let kind = if nodes.iter().all(Option::is_some) {
        NodeKind::Call(Call {
            procedure,
            arguments: nodes.into_iter().flatten().collect(),
            tail: false,
        })
    } else {
        NodeKind::Partial {
            procedure,
            arguments: nodes,
        }
    };
    Part::new(kind, position, contents)
}

fn negative(number: &Number) -> Number {
    let negated = number.as_f64().and_then(|number| number_value(-number));
    negated.unwrap_or_else(|| number.clone())
}
