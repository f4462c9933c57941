//! A whole history, and its text.
use super::HistoryEvent;
use std::io;

/// The events of one execution, in the order of their ids.
///
/// ```
/// use asl_engine::history::{EventDetails, History, HistoryEvent};
/// let mut history = History::default();
/// history.push(HistoryEvent {
///     id: 1,
///     previous_event_id: 0,
///     timestamp: Default::default(),
///     details: EventDetails::MapRunSucceeded,
/// });
/// let mut text = Vec::new();
/// history.write_to(&mut text)?;
/// assert!(text.starts_with(br#"{"events":[{"timestamp":"#));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct History {
    events: Vec<HistoryEvent>,
}

impl History {
    /// Adds the next event.
    pub fn push(&mut self, event: HistoryEvent) {
        self.events.push(event);
    }

    /// Returns the events so far.
    pub fn events(&self) -> &[HistoryEvent] {
        &self.events
    }

    /// Writes `{"events":[…]}`, what GetExecutionHistory returns, one event at a time: the text is never whole in
    /// memory. Give a buffered writer where writes are dear.
    ///
    /// # Errors
    /// Those of `output`.
    pub fn write_to(&self, mut output: impl io::Write) -> io::Result<()> {
        output.write_all(br#"{"events":["#)?;
        for (index, event) in self.events.iter().enumerate() {
            if index > 0 {
                output.write_all(b",")?;
            }
            event.write_to(&mut output)?;
        }
        output.write_all(b"]}")
    }
}

impl Extend<HistoryEvent> for History {
    fn extend<I: IntoIterator<Item = HistoryEvent>>(&mut self, events: I) {
        self.events.extend(events);
    }
}

impl FromIterator<HistoryEvent> for History {
    fn from_iter<I: IntoIterator<Item = HistoryEvent>>(events: I) -> Self {
        Self {
            events: events.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::EventDetails;
    use super::super::json::tests::one_of_each;
    use super::*;
    use serde_json::{Value, json};
    use std::sync::Arc;

    #[test]
    fn the_text_is_that_of_the_values() {
        let history: History = one_of_each().into_iter().collect();
        let mut text = Vec::new();
        history.write_to(&mut text).expect("memory takes it");
        let events: Vec<Value> = history.events().iter().map(HistoryEvent::to_json).collect();
        let expected = json!({"events": events}).to_string();
        assert_eq!(String::from_utf8(text).expect("UTF-8"), expected);
    }

    #[test]
    fn no_events_are_an_empty_array() {
        let mut text = Vec::new();
        History::default()
            .write_to(&mut text)
            .expect("memory takes it");
        assert_eq!(text, br#"{"events":[]}"#);
    }

    #[test]
    fn a_history_can_be_saved_and_continued() {
        let history: History = one_of_each().into_iter().collect();
        let saved = serde_json::to_string(&history).expect("saved");
        let restored: History = serde_json::from_str(&saved).expect("restored");
        assert_eq!(restored, history);
    }

    #[test]
    fn data_as_deep_as_allowed_is_written() {
        let depth = asl_path::json::DEFAULT_MAX_DEPTH;
        let nested = (0..depth).fold(json!(1), |inner, _| json!([inner]));
        let history: History = [HistoryEvent {
            id: 1,
            previous_event_id: 0,
            timestamp: asl_model::Timestamp::default(),
            details: EventDetails::ExecutionSucceeded {
                output: Arc::new(nested),
            },
        }]
        .into_iter()
        .collect();
        let mut text = Vec::new();
        history.write_to(&mut text).expect("memory takes it");
        let brackets = text.iter().filter(|&&byte| byte == b'[').count();
        assert_eq!(brackets, depth + 1);
    }

    #[test]
    fn an_error_of_the_output_is_returned() {
        struct Full;
        impl io::Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::from(io::ErrorKind::StorageFull))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let error = History::default().write_to(Full).expect_err("it is full");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
