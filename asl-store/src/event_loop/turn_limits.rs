//! The costs of turns.
use asl_engine::TurnLimits;

/// Limits of a turn in the event loop: about a millisecond, to bound the delay of others.
pub(super) const TURN: TurnLimits = TurnLimits {
    cost: 4_000,
    evaluation_steps: Some(40_000),
};
/// A turn in the pool: some milliseconds, so that handing over costs little next to it.
pub(super) const POOL_TURN: TurnLimits = TurnLimits {
    cost: 30_000,
    evaluation_steps: None,
};
/// Limits of the turn of a recovered execution after its last record. It must reach the same point as before if it continued
/// at the same time: after a turn in the event loop, and one in the pool if something was abandoned in the first.
pub(super) const TURN_AFTER_REPLAY: TurnLimits = TurnLimits {
    cost: 2 * (TURN.cost + POOL_TURN.cost),
    ..TURN
};
/// Cost of a turn below which an execution is not considered computing.
pub(super) const LIGHT: u64 = TURN.cost / 2;
