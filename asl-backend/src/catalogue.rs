//! Entries of the catalogue, and definitions.
use asl_engine::model::{Profile, StateMachineType};
use std::sync::Arc;

/// Kinds of catalogue entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// A state machine, with its versions, aliases and tags.
    StateMachine,
    /// An activity, with its tags.
    Activity,
}

impl EntryKind {
    /// Returns the kind as one word.
    pub fn word(self) -> &'static str {
        match self {
            Self::StateMachine => "stateMachine",
            Self::Activity => "activity",
        }
    }
}

/// The key of an entry.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct EntryKey {
    /// Kind of the entry.
    pub kind: EntryKind,
    /// Partition, region and account: those of another scope are never seen.
    pub scope: Arc<str>,
    /// Name of the entry, unique in its scope.
    pub name: Arc<str>,
}

/// An entry, as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct Entry {
    /// The key of the entry.
    pub key: EntryKey,
    /// Grows with each write; the versions of an entry that was removed and made anew are others than before.
    pub version: u64,
    /// The value that was written.
    pub value: Arc<str>,
}

/// Outcome of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "an entry that changed meanwhile was not written"]
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
pub enum WriteOutcome {
    /// The entry was written.
    Done,
    /// Another writer changed the entry since it was read: read it again, and decide again.
    Changed,
}

/// A definition with what decides how it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct Definition {
    /// Text as it was sent, with its white space.
    pub text: Arc<str>,
    /// The rules that apply to the definition.
    pub profile: Profile,
    /// Standard or Express.
    pub state_machine_type: StateMachineType,
}

/// Names a definition by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct DefinitionId(pub [u8; 32]);
