//! Remaining weight for items while they are read.

/// Items, or the text of them, weigh more than the execution has room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the items weigh more than the {room} bytes that are left to the execution")]
pub(crate) struct TooHeavy {
    room: u64,
}

impl TooHeavy {
    /// Creates the error of an execution with this room.
    pub(super) fn of(room: u64) -> Self {
        Self { room }
    }
}

/// Remaining weight for items.
#[derive(Debug)]
pub(super) struct Room {
    max: u64,
    left: u64,
}

impl Room {
    pub(super) fn new(max: u64) -> Self {
        Self { max, left: max }
    }

    /// Takes what an item weighs.
    pub(super) fn take(&mut self, weight: u64) -> Result<(), TooHeavy> {
        match self.left.checked_sub(weight) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(TooHeavy { room: self.max }),
        }
    }
}
