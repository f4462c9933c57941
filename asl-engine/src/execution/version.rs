//! The versions that what is kept of an execution says.

/// The version of the core's behaviour: raised whenever a journal could replay otherwise than it did.
///
/// An execution keeps the version that it began with; one of another version is continued from a save, never by
/// replaying what that version did.
pub const CORE_VERSION: u32 = 3;

/// The format of saves: raised whenever what is written changes.
pub(super) const SAVE_FORMAT: u32 = 1;
