//! Reading signatures.
use super::kinds::Kinds;
use super::{Parameter, Repetition, Signature};
use crate::ParseError;
use std::ops::BitOr;

impl Signature {
    /// More parameters are refused, so that checking arguments stays cheap.
    const MOST_PARAMETERS: usize = 255;

    /// Reads `<…>`; what follows a `:` (the type of the result) is not used.
    ///
    /// # Errors
    ///
    /// The text is no signature. The position counts from its start.
    pub(crate) fn parse(text: &str) -> Result<Self, ParseError> {
        let mut reader = Reader {
            text,
            signature: Self::default(),
        };
        let mut position = 1;
        while let Some(letter) = text.get(position..).and_then(|rest| rest.chars().next()) {
            if letter == ':' {
                break;
            }
            position = reader.letter(letter, position)?;
            if reader.signature.parameters.len() > Self::MOST_PARAMETERS {
                let most = Self::MOST_PARAMETERS;
                let message = format!("A function signature must have at most {most} parameters");
                return Err(fault("S0403", message, position));
            }
        }
        Ok(reader.signature)
    }
}

fn fault(code: &'static str, message: impl Into<String>, position: usize) -> ParseError {
    ParseError {
        code,
        message: message.into(),
        position,
    }
}

struct Reader<'t> {
    text: &'t str,
    signature: Signature,
}

impl Reader<'_> {
    /// Reads what begins at a letter, and returns the position after it. Letters that mean nothing are passed over, as the reference does.
    fn letter(&mut self, letter: char, position: usize) -> Result<usize, ParseError> {
        let after = position + letter.len_utf8();
        match letter {
            's' | 'n' | 'b' | 'l' | 'o' | 'f' => {
                let undefined = if letter == 'f' {
                    Kinds::NONE
                } else {
                    Kinds::UNDEFINED
                };
                let kind = Kinds::from_letter(letter).unwrap_or(Kinds::NONE);
                self.push(kind | undefined, None);
            }
            'a' => self.push(Kinds::ANY, Some(None)),
            'j' => self.push(Kinds::ANY.without(Kinds::FUNCTION), None),
            'x' => self.push(Kinds::ANY, None),
            '-' | '?' | '+' => self.modifier(letter, position)?,
            '(' => return self.choice(position),
            '<' => return self.items(position),
            _ => {}
        }
        Ok(after)
    }

    fn push(&mut self, accepts: Kinds, array: Option<Option<Box<str>>>) {
        self.signature.parameters.push(Parameter {
            accepts,
            repetition: Repetition::One,
            array,
            context: None,
        });
    }

    /// `-` (the context may stand for it), `?` (optional) or `+` (one or more).
    fn modifier(&mut self, letter: char, position: usize) -> Result<(), ParseError> {
        let Some(parameter) = self.signature.parameters.last_mut() else {
            return Ok(());
        };
        if letter == '-' {
            let anything = matches!(parameter.repetition, Repetition::Optional { .. });
            parameter.context = Some(if anything {
                Kinds::ANY
            } else {
                parameter.accepts
            });
        }
        parameter.repetition = match (parameter.repetition, letter) {
            (Repetition::One, '+') => Repetition::Many { few: false },
            (Repetition::One, _) => Repetition::Optional { few: false },
            (Repetition::Optional { few: false }, '-' | '?') => Repetition::Optional { few: true },
            (Repetition::Many { few: false }, '-' | '?') => Repetition::Many { few: true },
            _ => {
                let message = format!(
                    "Unexpected {letter} in a function signature: the parameter has other modifiers already"
                );
                return Err(fault("S0403", message, position));
            }
        };
        Ok(())
    }

    /// `(sf)`: one of several types.
    fn choice(&mut self, position: usize) -> Result<usize, ParseError> {
        let end = self.closing(position, '(', ')');
        let choice = self.text.get(position + 1..end).unwrap_or_default();
        if choice.contains('<') {
            let message = "Choice groups containing parameterized types are not supported";
            return Err(fault("S0402", message, position));
        }
        let kinds = choice.chars().filter_map(Kinds::from_letter);
        self.push(kinds.fold(Kinds::UNDEFINED, Kinds::bitor), None);
        Ok(end + 1)
    }

    /// `a<n>`, `f<s:o>`: the items of an array, or the signature of a function, which is not checked.
    fn items(&mut self, position: usize) -> Result<usize, ParseError> {
        let end = self.closing(position, '<', '>');
        let items = self.text.get(position + 1..end).unwrap_or_default();
        match self.signature.parameters.last_mut() {
            Some(parameter) if parameter.array.is_some() => {
                parameter.array = Some(Some(items.into()))
            }
            Some(parameter) if parameter.accepts == Kinds::FUNCTION => {}
            _ => {
                let message = "Type parameters can only be applied to functions and arrays";
                return Err(fault("S0401", message, position));
            }
        }
        Ok(end + 1)
    }

    /// Returns the position of the bracket that closes the one at `start`, or the end of the text.
    fn closing(&self, start: usize, open: char, close: char) -> usize {
        let mut depth = 0_usize;
        let rest = self.text.get(start..).unwrap_or_default();
        for (offset, letter) in rest.char_indices() {
            if letter == open {
                depth += 1;
            } else if letter == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return start + offset;
                }
            }
        }
        self.text.len()
    }
}
