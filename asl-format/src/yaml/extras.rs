//! Parts of a YAML text that JSON cannot represent.
use saphyr_parser::{Event, Parser, ScalarStyle};

/// Numbers of parts of a YAML text that are not in its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Extras {
    pub(crate) comments: usize,
    pub(crate) tags: usize,
}

impl Extras {
    /// Counts them, in a text that can be read.
    pub(crate) fn count(text: &str) -> Self {
        let mut extras = Self::default();
        let mut rest = Rest {
            text,
            characters: 0,
        };
        let mut parser = Parser::new_from_str(text);
        while let Some(Ok((event, span))) = parser.next_event() {
            let tag = match &event {
                Event::Scalar(_, _, _, tag)
                | Event::SequenceStart(_, tag)
                | Event::MappingStart(_, tag) => tag.as_ref(),
                _ => None,
            };
            extras.tags += usize::from(tag.is_some_and(|tag| !tag.is_yaml_core_schema()));
            if let Event::Scalar(_, style, ..) = event {
                extras.comments += comments(rest.up_to(span.start.index()));
                match style {
                    ScalarStyle::SingleQuoted => rest.past_quote('\''),
                    ScalarStyle::DoubleQuoted => rest.past_quote('"'),
                    _ => _ = rest.up_to(span.end.index()),
                }
            }
        }
        extras.comments += comments(rest.text);
        extras
    }
}

/// The part of the text that is not scanned yet.
struct Rest<'t> {
    text: &'t str,
    /// Of the whole text that come before.
    characters: usize,
}

impl<'t> Rest<'t> {
    fn up_to(&mut self, character: usize) -> &'t str {
        let count = character.saturating_sub(self.characters);
        let end = self.text.char_indices().nth(count);
        let (before, after) = match end {
            Some((end, _)) => self.text.split_at(end),
            None => (self.text, ""),
        };
        self.characters += count;
        self.text = after;
        before
    }

    /// To the end of a string in quotes: the place that the parser reports comes after what follows it.
    fn past_quote(&mut self, quote: char) {
        let mut characters = self.text.chars();
        characters.next();
        while let Some(character) = characters.next() {
            match character {
                '\\' if quote == '"' => _ = characters.next(),
                other if other == quote && !characters.as_str().starts_with(quote) => break,
                other if other == quote => _ = characters.next(),
                _ => {}
            }
        }
        let passed = self.text.len() - characters.as_str().len();
        let (before, after) = self.text.split_at(passed);
        self.characters += before.chars().count();
        self.text = after;
    }
}

/// Comments in a text without scalars.
fn comments(text: &str) -> usize {
    // A scalar may end right before a text, and a space or a quote then comes before a comment.
    let begins = |line: &&str| line.starts_with('#') || line.contains(" #") || line.contains("\t#");
    text.lines().filter(begins).count()
}

#[cfg(test)]
mod tests {
    use super::Extras;

    #[test]
    fn comments_and_tags_are_counted() {
        for (text, comments, tags) in [
            ("a: 1\n", 0, 0),
            ("# one\na: b # two\n\n  # three\nc: 'x # y'\n", 3, 0),
            ("a: \"#\" # one\nb: '#' # two\nc: d#e # three\n", 3, 0),
            (
                "a: | # one\n  # no comment\n  x\n# two\nb: é # three\n",
                3,
                0,
            ),
            ("a: >-\n  x # no comment\n\n  # neither\n# one\n", 1, 0),
            ("a: [1, # one\n  2] # two\nb: {} # three # four\n", 3, 0),
            ("a: !Sub x\nb: !!str 1\nc: !GetAtt [A, B]\n", 0, 2),
            ("a: b\n  c\n# one", 1, 0),
            ("%YAML 1.2\n---\na: 1 # x\n...\n# y\n", 2, 0),
        ] {
            assert_eq!(Extras::count(text), Extras { comments, tags }, "{text:?}");
        }
    }
}
