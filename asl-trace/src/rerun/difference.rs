//! Differences between a history and its rerun.
use serde_json::Value;
use std::fmt;

/// Characters of a value that a message shows.
const WIDTH: usize = 200;

/// A difference between a history and its rerun.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Difference {
    /// A recorded event that the rerun does not have.
    Missing {
        /// Id of the recorded event.
        event: u64,
        /// Type of the event.
        event_type: String,
        /// The state that it is of, if any.
        state: Option<String>,
        /// The event that the rerun has after the same event instead.
        instead: Option<String>,
    },
    /// An event of the rerun that is not recorded.
    Unexpected {
        /// Type of the event.
        event_type: String,
        /// The state that it is of, if any.
        state: Option<String>,
        /// Id of the recorded event that it follows.
        after: u64,
        /// Its details.
        details: Value,
    },
    /// A value that differs.
    Value {
        /// Id of the recorded event.
        event: u64,
        /// Type of the event.
        event_type: String,
        /// The state that it is of, if any.
        state: Option<String>,
        /// The field, and the place in its value: `output.items[2]`.
        place: String,
        /// The recorded value, if there is one.
        recorded: Option<Value>,
        /// The value of the rerun, if there is one.
        rerun: Option<Value>,
    },
}

impl Difference {
    /// Returns the recorded event at which it is.
    pub fn event(&self) -> u64 {
        match self {
            Self::Missing { event, .. } | Self::Value { event, .. } => *event,
            Self::Unexpected { after, .. } => *after,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing {
                event,
                event_type,
                state,
                instead,
            } => {
                write!(
                    f,
                    "event {event}, {}",
                    of_state(event_type, state.as_deref())
                )?;
                write!(f, ": the rerun does not have it")?;
                match instead {
                    Some(instead) => write!(f, ", but {instead}"),
                    None => Ok(()),
                }
            }
            Self::Unexpected {
                event_type,
                state,
                after,
                details,
            } => {
                let event = of_state(event_type, state.as_deref());
                write!(f, "after event {after}: the rerun has {event}")?;
                match details {
                    Value::Null => Ok(()),
                    details => write!(f, ", {}", cut(details)),
                }
            }
            Self::Value {
                event,
                event_type,
                state,
                place,
                recorded,
                rerun,
            } => {
                let of = of_state(event_type, state.as_deref());
                let [recorded, rerun] = [recorded, rerun]
                    .map(|value| value.as_ref().map_or_else(|| "absent".to_owned(), cut));
                write!(
                    f,
                    "event {event}, {of}: {place} is {recorded} in the history, and {rerun} in the rerun"
                )
            }
        }
    }
}

fn of_state(event_type: &str, state: Option<&str>) -> String {
    match state {
        Some(state) => format!("{event_type} of state '{state}'"),
        None => event_type.to_owned(),
    }
}

fn cut(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
