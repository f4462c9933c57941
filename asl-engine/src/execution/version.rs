//! The versions that what is kept of an execution says.

/// The version of the core's behaviour: raised whenever a journal could replay otherwise than it did.
///
/// A save is how an execution moves to a later version. Journals of version 2 replay as long as they lead nowhere that this version
/// does otherwise: their turns end by the rule of that version, after 10,000 transitions in which time stands still, and not
/// by what they cost ([`JournalRecord::moves`](crate::JournalRecord::moves)).
pub const CORE_VERSION: u32 = 3;

/// The format of saves: raised whenever what is written changes.
pub(super) const SAVE_FORMAT: u32 = 1;
