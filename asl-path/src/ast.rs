//! A JSONPath as the parser leaves it: the segments after the root.

/// The quote a name was written in; Jayway's texts repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
#[derive(Debug, Clone, PartialEq)]
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
}
