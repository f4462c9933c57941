//! Histories: sealed in packed pieces, and by replay where they are not.
pub(crate) mod page;
mod piece;
mod replayed;
pub(crate) mod seal;
pub(crate) mod sealing;

pub(crate) use replayed::Replayed;
