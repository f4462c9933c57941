//! Damage of a save, with its location.
use super::restore_error::RestoreError;
use std::fmt;

/// Damage of a save, with its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Damage {
    /// Path from the current part to the damage, separated by slashes.
    place: String,
    what: String,
}

/// Result of reading a part of a save.
pub(super) type Read<T> = Result<T, Damage>;

impl Damage {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self {
            place: String::new(),
            what: what.into(),
        }
    }

    /// `expected …, found …`.
    pub(super) fn unexpected(expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self::new(format!("expected {expected}, found {found}"))
    }

    /// The same, seen from the part around it.
    pub(super) fn within(mut self, part: impl fmt::Display) -> Self {
        let slash = if self.place.is_empty() { "" } else { "/" };
        self.place = format!("{part}{slash}{}", self.place);
        self
    }
}

impl From<Damage> for RestoreError {
    fn from(Damage { place, what }: Damage) -> Self {
        Self::Damaged(format!("{place}: {what}"))
    }
}

/// Says where a part was read.
pub(super) trait DamageContext {
    fn within(self, part: impl fmt::Display) -> Self;
}

impl<T> DamageContext for Read<T> {
    fn within(self, part: impl fmt::Display) -> Self {
        self.map_err(|damage| damage.within(part))
    }
}

/// Counts beyond this are none that an execution comes to, and leave no room to count on.
const MOST: u64 = 1 << 60;

/// A number that is counted on.
pub(super) fn count(name: &str, found: u64) -> Read<u64> {
    match found {
        0..=MOST => Ok(found),
        _ => Err(Damage::unexpected(format_args!("at most {MOST}"), found).within(name)),
    }
}

/// Returns an error where what must hold does not.
pub(super) fn ensure(
    holds: bool,
    expected: impl fmt::Display,
    found: impl fmt::Display,
) -> Read<()> {
    match holds {
        true => Ok(()),
        false => Err(Damage::unexpected(expected, found)),
    }
}
