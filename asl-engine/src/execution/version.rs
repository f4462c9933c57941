//! Versions of stored executions.

/// The version of the core's behaviour. It increases when a journal could replay differently.
///
/// A save moves an execution to a later version. Journals of version 2 replay as long as their behaviour is unchanged in
/// this version: their turns end by the rule of version 2, after 10,000 transitions in which time stands still, and not by
/// cost ([`JournalRecord::moves`](crate::JournalRecord::moves)).
pub const CORE_VERSION: u32 = 4;

/// The format of saves. It increases when the content changes.
pub(super) const SAVE_FORMAT: u32 = 1;
