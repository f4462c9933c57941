//! JSON as events with their lines and columns.
use super::line_counter::LineCounter;
use super::{Event, Events, TextError, UnquotedPlaceholders};
use crate::Position;
use asl_path::json;

/// Reads a text, one event at a time.
#[derive(Debug)]
pub(super) struct JsonEvents<'t> {
    text: &'t str,
    events: json::Events<'t>,
    counter: LineCounter,
}

impl<'t> JsonEvents<'t> {
    /// Creates a reader. The consumer of its events limits the nesting, as for YAML.
    pub(super) fn new(text: &'t str, placeholders: UnquotedPlaceholders) -> Self {
        let events = json::Events::new(text, usize::MAX);
        Self {
            text,
            events: match placeholders {
                UnquotedPlaceholders::Taken => events.with_placeholders(),
                UnquotedPlaceholders::Refused => events,
            },
            counter: LineCounter::default(),
        }
    }
}

impl<'t> Events<'t> for JsonEvents<'t> {
    fn next(&mut self) -> Result<Option<Event<'t>>, TextError> {
        match self.events.next() {
            Some(Ok(event)) => Ok(Some(Event::Json(event))),
            Some(Err(error)) => Err(error.into()),
            None => Ok(None),
        }
    }

    fn position(&mut self) -> Position {
        self.counter.position(self.text, self.events.offset())
    }
}

impl From<json::JsonError> for TextError {
    fn from(error: json::JsonError) -> Self {
        Self {
            message: error.message,
            position: Position {
                line: error.line,
                column: error.column,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (String, usize, usize) {
        let mut events = JsonEvents::new(text, UnquotedPlaceholders::Refused);
        loop {
            match events.next() {
                Ok(Some(_)) => {}
                Ok(None) => return ("none".to_owned(), 0, 0),
                Err(e) => return (e.message, e.position.line, e.position.column),
            }
        }
    }

    #[test]
    fn says_what_was_expected_and_where() {
        for (text, message, line, column) in [
            (
                "{\"a\": 1,\n \"é\": 2 3}",
                "expected ',' or '}' in an object, found '3'",
                2,
                9,
            ),
            (
                "{\"a\": 1,}",
                "expected a field name in double quotes, found '}'",
                1,
                9,
            ),
            ("{} x", "expected the end of the text, found 'x'", 1, 4),
        ] {
            assert_eq!(fault(text), (message.to_owned(), line, column), "{text}");
        }
    }
}
