//! Text that is borrowed or shared.
use std::borrow::Borrow;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;

/// Text of a value: a slice of data that exists already, or text that the evaluation made.
#[derive(Clone)]
pub(crate) enum Text<'a> {
    Borrowed(&'a str),
    Shared(Rc<String>),
}

impl Text<'_> {
    /// Text that was made; charge for it with `charge_text` first.
    pub(crate) fn shared(text: impl Into<String>) -> Self {
        Self::Shared(Rc::new(text.into()))
    }

    /// Returns the text with more at its end, in place where nothing else shares it.
    pub(crate) fn followed_by(mut self, more: &str) -> Self {
        if let Self::Shared(text) = &mut self
            && let Some(text) = Rc::get_mut(text)
        {
            text.push_str(more);
            return self;
        }
        Self::shared([&*self, more].concat())
    }

    /// Returns the text by itself, not copied where nothing else shares it.
    pub(crate) fn into_string(self) -> String {
        match self {
            Self::Borrowed(text) => text.to_owned(),
            Self::Shared(text) => Rc::unwrap_or_clone(text),
        }
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl Borrow<str> for Text<'_> {
    fn borrow(&self) -> &str {
        self
    }
}

impl Hash for Text<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Text<'_> {}
