//! Histories: sealed in packed pieces, and by replay where they are not.
pub(crate) mod page;
pub(crate) mod piece;
mod replayed;
pub(crate) mod sealing;

pub(crate) use replayed::Replayed;
