//! A call as it was written, with the nouns of the 2022 specification, Intrinsic Functions.
use crate::Function;
use asl_path::Path;
use serde_json::Value;
use std::{fmt, slice};

/// A function with its arguments, which may be invalid for it, see [`Intrinsic::misuses`](crate::Intrinsic::misuses).
///
/// `Display` prints it canonically: one space after each comma, reserved characters escaped.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub(crate) function: Function,
    pub(crate) arguments: Vec<Argument>,
}

/// An argument of a [`Call`].
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "readers of the language handle each"
)]
pub enum Argument {
    /// A string, a number, `true`, `false` or `null`.
    Literal(Value),
    /// The first argument of `States.Format`, if it is a string.
    Template(Template),
    /// A Path, applied when the call is evaluated.
    Path(Path),
    /// A nested call.
    Call(Call),
}

/// A text with places `{}` to fill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The text before the first place.
    pub(crate) head: String,
    /// The text after each place.
    pub(crate) tails: Vec<String>,
    /// A brace that belongs to no place; `head` is the whole text then, as it was written.
    pub(crate) fault: Option<LoneBrace>,
}

/// A brace without its other half, which `States.Format` refuses (recorded from the service).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LoneBrace {
    /// `'Hello {'`
    #[error("Invalid template in States.Format: matching '}}' not found for '{{'.")]
    Opening,
    /// `'Hello }'`
    #[error("Invalid template in States.Format: matching '{{' not found for '}}'.")]
    Closing,
}

impl Call {
    /// Returns the function called.
    pub fn function(&self) -> Function {
        self.function
    }

    /// Returns the arguments.
    pub fn arguments(&self) -> &[Argument] {
        &self.arguments
    }

    /// Returns the nesting depth of calls: 1 without nested calls.
    pub fn depth(&self) -> usize {
        1 + self.nested().map(Self::depth).max().unwrap_or(0)
    }

    /// Returns the number of calls: 1 without nested calls.
    pub fn call_count(&self) -> usize {
        1 + self.nested().map(Self::call_count).sum::<usize>()
    }

    /// Returns the paths among the arguments, those of nested calls included, in the order written.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        Paths {
            open: vec![self.arguments.iter()],
        }
    }

    /// Returns the templates of `States.Format` that have another number of `{}` than values follow, those of nested calls
    /// included: how many of each.
    pub(crate) fn misfilled_templates(&self) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(call) = open.pop() {
            open.extend(call.nested());
            if let Some(Argument::Template(template)) = call.arguments.first() {
                let (places, values) = (template.places(), call.arguments.len() - 1);
                if template.fault.is_none() && places != values {
                    found.push((places, values));
                }
            }
        }
        found
    }

    fn nested(&self) -> impl Iterator<Item = &Self> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Call(call) => Some(call),
            _ => None,
        })
    }
}

/// Returns the fault of a template of `States.Format` with too few or too many values.
pub(crate) fn misfilled(places: usize, values: usize) -> String {
    let follow = match values {
        1 => "1 value follows".to_owned(),
        _ => format!("{values} values follow"),
    };
    format!("the template has {places} {{}}, but {follow} it")
}

struct Paths<'c> {
    open: Vec<slice::Iter<'c, Argument>>,
}

impl<'c> Iterator for Paths<'c> {
    type Item = &'c Path;

    fn next(&mut self) -> Option<&'c Path> {
        loop {
            match self.open.last_mut()?.next() {
                Some(Argument::Path(path)) => return Some(path),
                Some(Argument::Call(call)) => self.open.push(call.arguments.iter()),
                Some(_) => {}
                None => {
                    self.open.pop();
                }
            }
        }
    }
}

impl Template {
    /// Returns the number of `{}`.
    pub fn places(&self) -> usize {
        self.tails.len()
    }

    /// Returns the number of bytes around the places.
    pub(crate) fn text_len(&self) -> usize {
        self.head.len() + self.tails.iter().map(String::len).sum::<usize>()
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.function)?;
        for (index, argument) in self.arguments.iter().enumerate() {
            write!(f, "{}{argument}", if index > 0 { ", " } else { "" })?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(Value::String(text)) => {
                f.write_str("'")?;
                write_escaped(f, text)?;
                f.write_str("'")
            }
            Self::Literal(other) => write!(f, "{other}"),
            Self::Template(template) => write!(f, "'{template}'"),
            Self::Path(path) => f.write_str(path.source()),
            Self::Call(call) => call.fmt(f),
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.fault.is_some() {
            return f.write_str(&self.head);
        }
        write_escaped(f, &self.head)?;
        for tail in &self.tails {
            f.write_str("{}")?;
            write_escaped(f, tail)?;
        }
        Ok(())
    }
}

/// Reserved characters are written behind a backslash (2022 specification, Intrinsic Functions, rule 6).
pub(crate) fn is_reserved(c: char) -> bool {
    matches!(c, '\'' | '{' | '}' | '\\')
}

fn write_escaped(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    for piece in text.split_inclusive(is_reserved) {
        let mut before = piece.chars();
        match before.next_back().filter(|c| is_reserved(*c)) {
            Some(reserved) => write!(f, "{}\\{reserved}", before.as_str())?,
            None => f.write_str(piece)?,
        }
    }
    Ok(())
}
