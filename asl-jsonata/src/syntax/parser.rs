//! From a text to phrases: operators by their precedence, as Pratt parsers read them.
mod function;

use super::Operator;
use super::lexer::{Lexer, Token, TokenKind, fault};
use super::nesting::{self, Nesting};
use super::phrase::{Operand, Pair, Phrase, SuffixKind, TransformPhrase};
use crate::ParseError;

/// Returns the binding power of an operator for the expression on its left; 0 for tokens that cannot follow an expression.
fn binding_power(token: &TokenKind<'_>) -> u8 {
    let TokenKind::Operator(operator) = token else {
        return 0;
    };
    match *operator {
        "[" | "(" | "@" | "#" => 80,
        "." => 75,
        "{" => 70,
        "*" | "/" | "%" => 60,
        "+" | "-" | "&" => 50,
        "=" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "^" | "~>" => 40,
        "and" => 30,
        "or" => 25,
        "?" => 20,
        ":=" => 10,
        _ => 0,
    }
}

/// Binding power of `-` for the expression on its right.
const NEGATE_POWER: u8 = 70;

fn binary(operator: &str) -> Option<Operator> {
    Some(match operator {
        "+" => Operator::Add,
        "-" => Operator::Subtract,
        "*" => Operator::Multiply,
        "/" => Operator::Divide,
        "%" => Operator::Remainder,
        "&" => Operator::Concatenate,
        "=" => Operator::Equal,
        "!=" => Operator::NotEqual,
        "<" => Operator::Less,
        "<=" => Operator::LessOrEqual,
        ">" => Operator::Greater,
        ">=" => Operator::GreaterOrEqual,
        "in" => Operator::In,
        "and" => Operator::And,
        "or" => Operator::Or,
        _ => return None,
    })
}

/// Reads a whole text.
pub(super) fn parse(text: &str, nesting: Nesting) -> Result<Phrase<'_>, ParseError> {
    let mut lexer = Lexer::new(text);
    let next = lexer.next(false)?;
    let mut parser = Parser {
        lexer,
        next,
        nesting,
    };
    let phrase = parser.expression(0)?;
    match &parser.next.kind {
        TokenKind::End => Ok(phrase),
        kind => {
            let message = format!("Syntax error: {}", kind.describe());
            Err(fault("S0201", message, parser.next.position))
        }
    }
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    next: Token<'t>,
    nesting: Nesting,
}

type ParseResult<'t, T = Phrase<'t>> = Result<T, ParseError>;

impl<'t> Parser<'t> {
    /// Takes the next token. Whether an operator is expected after it decides what a slash there means.
    fn advance(&mut self, operator_expected: bool) -> ParseResult<'t, Token<'t>> {
        let following = self.lexer.next(operator_expected)?;
        Ok(std::mem::replace(&mut self.next, following))
    }

    fn is_next(&self, operator: &str) -> bool {
        matches!(self.next.kind, TokenKind::Operator(next) if next == operator)
    }

    /// Takes an operator that must come next; after it no operator is expected.
    fn expect(&mut self, operator: &str) -> ParseResult<'t, ()> {
        self.expect_before(operator, false)
    }

    /// Takes a closing bracket that must come next; after it an operator is expected.
    fn close(&mut self, bracket: &str) -> ParseResult<'t, ()> {
        self.expect_before(bracket, true)
    }

    fn expect_before(&mut self, operator: &str, operator_expected: bool) -> ParseResult<'t, ()> {
        if self.is_next(operator) {
            self.advance(operator_expected)?;
            return Ok(());
        }
        let position = self.next.position;
        Err(match &self.next.kind {
            TokenKind::End => {
                let message = format!("Expected \"{operator}\" before end of expression");
                fault("S0203", message, position)
            }
            kind => {
                let message = format!("Expected \"{operator}\", got {}", kind.describe());
                fault("S0202", message, position)
            }
        })
    }

    /// Takes a comma if it comes next.
    fn comma(&mut self) -> ParseResult<'t, bool> {
        let is_next = self.is_next(",");
        if is_next {
            self.advance(false)?;
        }
        Ok(is_next)
    }

    /// Reads an expression up to an operator that binds no stronger than `power`.
    fn expression(&mut self, power: u8) -> ParseResult<'t> {
        self.nesting.enter(self.next.position)?;
        let phrase = nesting::with_stack(|| {
            let token = self.advance(true)?;
            let position = token.position;
            let mut phrase = Phrase::new(self.operand(token)?, position);
            while power < binding_power(&self.next.kind) {
                let token = self.advance(false)?;
                if let TokenKind::Operator(operator) = token.kind {
                    self.suffix(&mut phrase, operator, token.position)?;
                }
            }
            Ok(phrase)
        })?;
        self.nesting.leave();
        Ok(phrase)
    }

    /// Parses the start of an expression.
    fn operand(&mut self, token: Token<'t>) -> ParseResult<'t, Operand<'t>> {
        Ok(match token.kind {
            TokenKind::Name(name) => Operand::Name(name),
            TokenKind::Variable(name) => Operand::Variable(name),
            TokenKind::Literal(value) => Operand::Literal(value),
            TokenKind::Regex(regex) => Operand::Regex(regex),
            TokenKind::End => Operand::Missing,
            TokenKind::Operator(operator) => match operator {
                "and" | "or" | "in" => Operand::Keyword(operator),
                "*" => Operand::Wildcard,
                "**" => Operand::Descendant,
                "%" => Operand::Parent,
                "-" => Operand::Negate(Box::new(self.expression(NEGATE_POWER)?)),
                "(" => self.block()?,
                "[" => self.array()?,
                "{" => Operand::Object(self.pairs()?),
                "|" => self.transform()?,
                _ => {
                    let message =
                        format!("The symbol \"{operator}\" cannot be used as a unary operator");
                    return Err(fault("S0211", message, token.position));
                }
            },
        })
    }

    /// Parses the continuation of an expression.
    fn suffix(
        &mut self,
        left: &mut Phrase<'t>,
        operator: &'static str,
        position: usize,
    ) -> ParseResult<'t, ()> {
        let power = binding_power(&TokenKind::Operator(operator));
        let kind = match operator {
            "(" => return self.call(left, position),
            "[" if self.is_next("]") => {
                left.keep_array();
                return self.expect("]");
            }
            "[" => {
                let predicate = self.expression(0)?;
                self.close("]")?;
                SuffixKind::Predicate(predicate)
            }
            "." => SuffixKind::Map(self.expression(power)?),
            "{" => SuffixKind::Group(self.pairs()?),
            "^" => SuffixKind::Sort(self.sort_terms()?),
            "@" => SuffixKind::Focus(self.bound_variable("@", power)?),
            "#" => SuffixKind::Index(self.bound_variable("#", power)?),
            ":=" => self.bind(left, power)?,
            "?" => self.condition()?,
            "~>" => SuffixKind::Apply(self.expression(power)?),
            _ => match binary(operator) {
                Some(binary) => SuffixKind::Binary(binary, self.expression(power)?),
                None => return Ok(()),
            },
        };
        left.push(kind, position);
        Ok(())
    }

    fn block(&mut self) -> ParseResult<'t, Operand<'t>> {
        let mut expressions = Vec::new();
        while !self.is_next(")") {
            expressions.push(self.expression(0)?);
            if !self.is_next(";") {
                break;
            }
            self.advance(false)?;
        }
        self.close(")")?;
        Ok(Operand::Block(expressions))
    }

    fn array(&mut self) -> ParseResult<'t, Operand<'t>> {
        let mut items = Vec::new();
        if !self.is_next("]") {
            loop {
                let mut item = self.expression(0)?;
                if self.is_next("..") {
                    let range = self.advance(false)?.position;
                    let last = self.expression(0)?;
                    item.push(SuffixKind::Binary(Operator::Range, last), range);
                }
                items.push(item);
                if !self.comma()? {
                    break;
                }
            }
        }
        self.close("]")?;
        Ok(Operand::Array(items))
    }

    /// Returns the keys and values of an object, up to its closing brace.
    fn pairs(&mut self) -> ParseResult<'t, Vec<Pair<'t>>> {
        let mut pairs = Vec::new();
        if !self.is_next("}") {
            loop {
                let key = self.expression(0)?;
                self.expect(":")?;
                pairs.push((key, self.expression(0)?));
                if !self.comma()? {
                    break;
                }
            }
        }
        self.close("}")?;
        Ok(pairs)
    }

    fn transform(&mut self) -> ParseResult<'t, Operand<'t>> {
        let pattern = self.expression(0)?;
        self.expect("|")?;
        let update = self.expression(0)?;
        let delete = if self.comma()? {
            Some(self.expression(0)?)
        } else {
            None
        };
        self.expect("|")?;
        Ok(Operand::Transform(Box::new(TransformPhrase {
            pattern,
            update,
            delete,
        })))
    }

    fn sort_terms(&mut self) -> ParseResult<'t, Vec<(Phrase<'t>, bool)>> {
        self.expect("(")?;
        let mut terms = Vec::new();
        loop {
            let descending = self.is_next(">");
            if descending || self.is_next("<") {
                self.advance(false)?;
            }
            terms.push((self.expression(0)?, descending));
            if !self.comma()? {
                break;
            }
        }
        self.expect(")")?;
        Ok(terms)
    }

    fn condition(&mut self) -> ParseResult<'t, SuffixKind<'t>> {
        let then = self.expression(0)?;
        let otherwise = if self.is_next(":") {
            self.advance(false)?;
            Some(self.expression(0)?)
        } else {
            None
        };
        Ok(SuffixKind::Condition { then, otherwise })
    }

    /// Returns the value of `:=`, which binds to the right.
    fn bind(&mut self, left: &Phrase<'t>, power: u8) -> ParseResult<'t, SuffixKind<'t>> {
        if left.variable().is_none() {
            let message = "The left side of := must be a variable name (start with $)";
            return Err(fault("S0212", message, left.last_position()));
        }
        Ok(SuffixKind::Bind(self.expression(power - 1)?))
    }

    /// Returns the variable after `@` or `#`.
    fn bound_variable(&mut self, operator: &str, power: u8) -> ParseResult<'t, &'t str> {
        let right = self.expression(power)?;
        right.variable().ok_or_else(|| {
            let message =
                format!("The right side of \"{operator}\" must be a variable name (start with $)");
            fault("S0214", message, right.last_position())
        })
    }
}
