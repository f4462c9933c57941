//! Random inputs of an execution.
use proptest::prelude::*;

/// One thing that happens to an execution.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// An effect that waits for an answer gets one: which of them, and how.
    Answer {
        which: usize,
        how: u8,
    },
    /// An answer of any kind to any id.
    Garbage {
        id: u64,
        kind: u8,
    },
    Heartbeat {
        which: usize,
    },
    /// Time goes to what is due next.
    Due,
    /// Time continues, however far.
    Jump {
        seconds: u64,
    },
    /// The host's clock goes back.
    Back,
    Stop,
}

pub(crate) fn actions() -> impl Strategy<Value = Vec<Action>> {
    let action = prop_oneof![
        12 => (any::<usize>(), 0..8_u8).prop_map(|(which, how)| Action::Answer { which, how }),
        4 => (0..30_u64, 0..9_u8).prop_map(|(id, kind)| Action::Garbage { id, kind }),
        2 => any::<usize>().prop_map(|which| Action::Heartbeat { which }),
        5 => Just(Action::Due),
        1 => (0..40_u64).prop_map(|seconds| Action::Jump { seconds }),
        1 => Just(Action::Jump { seconds: 300_000_000_000 }),
        1 => Just(Action::Back),
        1 => Just(Action::Stop),
    ];
    prop::collection::vec(action, 0..40)
}
