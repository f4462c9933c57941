//! Calls and definitions of functions.
use super::{ParseResult, Parser};
use crate::ParseError;
use crate::functions::Signature;
use crate::syntax::lexer::{TokenKind, fault};
use crate::syntax::phrase::{LambdaPhrase, Operand, Phrase, SuffixKind};

impl<'t> Parser<'t> {
    /// Returns a call, or the definition of a function.
    pub(super) fn call(&mut self, left: &mut Phrase<'t>, position: usize) -> ParseResult<'t, ()> {
        let mut arguments = Vec::new();
        let mut first_open = None;
        if !self.is_next(")") {
            loop {
                arguments.push(if self.is_next("?") {
                    first_open.get_or_insert(self.next.position);
                    self.advance(false)?;
                    None
                } else {
                    Some(self.expression(0)?)
                });
                if !self.comma()? {
                    break;
                }
            }
        }
        self.close(")")?;
        if matches!(left.name(), Some("function" | "λ")) {
            let lambda = self.lambda(&arguments, first_open)?;
            *left = Phrase::new(Operand::Lambda(Box::new(lambda)), position);
        } else {
            left.push(SuffixKind::Call(arguments), position);
        }
        Ok(())
    }

    /// Returns the signature and the body of a function.
    fn lambda(
        &mut self,
        arguments: &[Option<Phrase<'t>>],
        first_open: Option<usize>,
    ) -> ParseResult<'t, LambdaPhrase<'t>> {
        let mut parameters = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            match argument.as_ref().and_then(Phrase::variable) {
                Some(name) => parameters.push(name),
                None => {
                    let number = index + 1;
                    let message = format!(
                        "Parameter {number} of function definition must be a variable name (start with $)"
                    );
                    let position = argument.as_ref().map(Phrase::last_position);
                    let position = position.or(first_open).unwrap_or_default();
                    return Err(fault("S0208", message, position));
                }
            }
        }
        let signature = if self.is_next("<") {
            Some(self.signature()?)
        } else {
            None
        };
        self.expect("{")?;
        let body = self.expression(0)?;
        self.expect("}")?;
        Ok(LambdaPhrase {
            parameters,
            signature,
            body,
        })
    }

    /// `<…>` with its types, put together from its tokens.
    fn signature(&mut self) -> ParseResult<'t, Signature> {
        let start = self.next.position;
        let mut text = "<".to_owned();
        let mut depth = 1;
        while depth > 0 && !self.is_next("{") && self.next.kind != TokenKind::End {
            self.advance(false)?;
            match self.next.kind {
                TokenKind::Operator(">") => depth -= 1,
                TokenKind::Operator("<") => depth += 1,
                _ => {}
            }
            text.push_str(&self.next.kind.text());
        }
        self.expect(">")?;
        Signature::parse(&text).map_err(|error| ParseError {
            position: start + error.position,
            ..error
        })
    }
}
