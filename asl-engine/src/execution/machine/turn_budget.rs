//! The cost of a turn: how long an execution runs before its host handles the next input, or another execution.
//!
//! The end of a turn depends on the host's limits, not on the definition. A journal therefore stores the number of *moves*
//! between two inputs, and a replay ends there, with any limits of its own. A move is one step of one flow: entering a
//! state, an attempt, handling an error, the output of a state, or the start of an iteration or child.
/// Bytes of data made, and steps of evaluations, that cost as much as a move.
const BYTES_PER_UNIT: u64 = 512;
const STEPS_PER_UNIT: u64 = 16;

/// Limits on one call of the core before it yields to its host ([`Step::yielded`](crate::Step::yielded)).
///
/// ```
/// use asl_engine::{Execution, Program, Start, TurnLimits};
/// # use asl_model::{Options, Timestamp};
/// # let definition = r#"{"StartAt": "Loop", "States": {"Loop": {"Type": "Choice", "Default": "End",
/// #     "Choices": [{"Variable": "$", "IsPresent": true, "Next": "Loop"}]}, "End": {"Type": "Succeed"}}}"#;
/// # let (machine, _) = asl_model::parse(definition, Options::default())?;
/// # let program = Program::compile(&machine)?;
/// let now = Timestamp::from_milliseconds(0);
/// let mut execution = Execution::start(&program, Start::new("endless", serde_json::json!({}), now));
/// execution.limit_turns(TurnLimits { cost: 100, evaluation_steps: Some(1_000) });
/// assert!(execution.step(now, None).yielded);
/// assert!(execution.transitions() <= 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct TurnLimits {
    /// Maximum cost of the call; its last part may exceed it. The cost is 1 for each attempt of a state, each start of an
    /// iteration or a child, each output of a state, each 16 steps of evaluations, and each 512 bytes of created data, as
    /// weighed by [`Limits::max_execution_bytes`](crate::Limits::max_execution_bytes). With 0, inputs are applied, and
    /// nothing else happens.
    pub cost: u64,
    /// Number of steps of one state's evaluations after which its attempt is [abandoned](crate::Step::abandoned), to be
    /// repeated where it delays nothing else; `None` for the limits of the evaluation. An [`Inspector`](crate::Inspector)
    /// sees an abandoned attempt, and its repetition.
    pub evaluation_steps: Option<u64>,
}

impl TurnLimits {
    /// Limits of a turn in an event loop: about a millisecond, to bound the delay of other executions.
    pub const IN_EVENT_LOOP: Self = Self {
        cost: 4_000,
        evaluation_steps: Some(40_000),
    };

    /// Limits of a turn in a thread for long computations: some milliseconds, so that handing over costs little.
    pub const IN_THREAD: Self = Self {
        cost: 30_000,
        evaluation_steps: None,
    };

    /// Returns true if an execution computes for long, and belongs in such a thread: its turn yielded, or cost more than half
    /// of a turn in an event loop. A turn without cost changes nothing.
    ///
    /// ```
    /// use asl_engine::TurnLimits;
    /// assert!(TurnLimits::is_computing(false, 10, true));
    /// assert!(!TurnLimits::is_computing(true, 10, false));
    /// assert!(TurnLimits::is_computing(true, 0, false));
    /// ```
    pub fn is_computing(was_computing: bool, cost: u64, has_yielded: bool) -> bool {
        let is_light = cost <= Self::IN_EVENT_LOOP.cost / 2 && (cost > 0 || !was_computing);
        has_yielded || !is_light
    }
}

/// The rule that ends a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TurnEnd {
    /// The cost.
    Cost,
    /// Its transitions alone: the rule of core 2, until the next input.
    Transitions,
    /// Its last move, as a journal has it.
    Moves(u64),
}

/// The rest of a turn, and the moves since the last input.
#[derive(Debug)]
pub(crate) struct TurnBudget {
    limits: TurnLimits,
    end: TurnEnd,
    left: u64,
    /// Since the last input.
    moves: u64,
    /// Number of continuations after a yield since the last input, by the rule of core 2.
    continuations: u32,
    /// Transitions of a turn by the rule of core 2.
    transitions: u64,
    /// Steps of evaluations in this move.
    evaluation_steps: u64,
    /// True if the present move can be undone.
    may_abandon: bool,
    is_abandoned: bool,
}

impl TurnBudget {
    /// Creates the budget of the first turn, with this maximum cost.
    pub(crate) fn new(cost: u32) -> Self {
        let cost = u64::from(cost.max(1));
        Self {
            limits: TurnLimits {
                cost,
                evaluation_steps: None,
            },
            end: TurnEnd::Cost,
            left: cost,
            moves: 0,
            continuations: 0,
            transitions: cost,
            evaluation_steps: 0,
            may_abandon: false,
            is_abandoned: false,
        }
    }

    /// As it was kept after so many moves.
    pub(crate) fn from_kept(cost: u32, left: u32, moves: u64) -> Self {
        Self {
            left: left.into(),
            moves,
            ..Self::new(cost)
        }
    }

    /// As core 2 kept it: its rule holds until the next input.
    pub(crate) fn from_transitions(cost: u32, left: u32, continuations: u32) -> Self {
        Self {
            end: TurnEnd::Transitions,
            continuations,
            ..Self::from_kept(cost, left, 0)
        }
    }

    pub(crate) fn limit(&mut self, limits: TurnLimits) {
        self.limits = limits;
    }

    /// Starts a turn with an input. Its cost ends it.
    pub(crate) fn start(&mut self) {
        self.moves = 0;
        self.continuations = 0;
        self.end = TurnEnd::Cost;
        self.renew();
    }

    /// A turn without an input begins.
    pub(crate) fn continue_turn(&mut self, has_yielded: bool) {
        if has_yielded && self.end == TurnEnd::Transitions {
            self.continuations = self.continuations.saturating_add(1);
        }
        self.renew();
    }

    fn renew(&mut self) {
        self.is_abandoned = false;
        self.left = match self.end {
            TurnEnd::Cost => self.limits.cost,
            TurnEnd::Transitions => self.transitions,
            TurnEnd::Moves(_) => u64::MAX,
        };
    }

    /// Ends the turn after a number of moves since the last input, regardless of their cost.
    pub(crate) fn end_after(&mut self, moves: u64) {
        self.end = TurnEnd::Moves(moves);
        self.left = if self.moves < moves { u64::MAX } else { 0 };
    }

    /// Ends turns by the rule of core 2 until the next input, including this turn if it started with that input.
    pub(crate) fn end_by_transitions(&mut self) {
        if self.end != TurnEnd::Transitions {
            self.end = TurnEnd::Transitions;
            self.left = self.transitions;
        }
    }

    /// Ends turns by their cost again; this turn is over.
    pub(crate) fn end_by_cost(&mut self) {
        self.end = TurnEnd::Cost;
        self.left = 0;
    }

    /// Returns true if the host has its turn now.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.left == 0
    }

    /// Returns the moves since the last input, if turns end by cost.
    pub(crate) fn moves(&self) -> Option<u64> {
        (self.end != TurnEnd::Transitions).then_some(self.moves)
    }

    /// Returns the number of continuations since the last input, by the rule of core 2.
    pub(crate) fn continuations(&self) -> u32 {
        self.continuations
    }

    /// Returns the cost of the turn so far.
    pub(crate) fn cost(&self) -> u64 {
        match self.end {
            TurnEnd::Cost => self.limits.cost.saturating_sub(self.left),
            TurnEnd::Transitions => self.transitions.saturating_sub(self.left),
            TurnEnd::Moves(_) => 0,
        }
    }

    /// Returns the rest of the turn.
    pub(crate) fn remaining(&self) -> u32 {
        u32::try_from(self.left).unwrap_or(u32::MAX)
    }

    /// A transition, or the start of a child.
    #[inline]
    pub(crate) fn count_transition(&mut self) {
        if self.end == TurnEnd::Transitions {
            self.left = self.left.saturating_sub(1);
        }
    }

    /// A state was entered: a move that costs nothing next to the attempt that follows.
    #[inline]
    pub(crate) fn count_entry(&mut self) {
        self.moves = self.moves.wrapping_add(1);
        if let TurnEnd::Moves(last) = self.end
            && self.moves >= last
        {
            self.left = 0;
        }
    }

    /// A move was made that made so many bytes of data.
    #[inline]
    pub(crate) fn count_move(&mut self, bytes: u64) {
        self.moves = self.moves.wrapping_add(1);
        match self.end {
            TurnEnd::Cost => {
                let cost = 1 + bytes / BYTES_PER_UNIT;
                self.left = self.left.saturating_sub(cost);
            }
            TurnEnd::Moves(last) if self.moves >= last => self.left = 0,
            TurnEnd::Moves(_) | TurnEnd::Transitions => {}
        }
    }

    /// Ends the turn after an undone move.
    pub(crate) fn undo_move(&mut self) {
        self.left = 0;
        // It is counted all the same where it is no move.
        self.moves = self.moves.wrapping_sub(1);
    }

    /// Returns true if moves are abandoned whose evaluations take many steps.
    #[inline]
    pub(crate) fn abandons(&self) -> bool {
        self.limits.evaluation_steps.is_some() && self.end == TurnEnd::Cost
    }

    /// Sets whether the current work can be undone.
    pub(crate) fn allow_abandoning(&mut self, may_abandon: bool) {
        self.may_abandon = may_abandon;
        self.evaluation_steps = 0;
    }

    /// Forbids to undo the current move: the execution ended with one of its events.
    #[cold]
    pub(crate) fn forbid_undo(&mut self) {
        self.may_abandon = false;
    }

    /// Returns true if the current move is about to be undone.
    pub(crate) fn is_undoing(&self) -> bool {
        self.may_abandon && self.is_abandoned
    }

    /// Returns true if one was in this turn.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.is_abandoned
    }

    /// Steps that may be taken before the move is abandoned.
    #[inline]
    pub(crate) fn evaluation_room(&self) -> u64 {
        match self.limits.evaluation_steps {
            Some(steps) if self.may_abandon => steps.saturating_sub(self.evaluation_steps),
            _ => u64::MAX,
        }
    }

    /// Returns true for the turns of core 2.
    #[inline]
    pub(crate) fn ends_by_transitions(&self) -> bool {
        self.end == TurnEnd::Transitions
    }

    /// Returns true if there is a bound on the steps of all evaluations of a state: core 2 had none.
    #[inline]
    pub(crate) fn bounds_states(&self) -> bool {
        !self.ends_by_transitions()
    }

    /// Charges steps of evaluations, at once: a save may come before the move is made.
    #[inline]
    pub(crate) fn charge_evaluation(&mut self, steps: u64) {
        self.evaluation_steps = self.evaluation_steps.saturating_add(steps);
        if self.end == TurnEnd::Cost {
            self.left = self.left.saturating_sub(steps / STEPS_PER_UNIT);
        }
    }

    /// The evaluations of this move take too many steps.
    #[cold]
    pub(crate) fn abandon(&mut self) {
        self.is_abandoned = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(cost: u64) -> TurnBudget {
        let mut budget = TurnBudget::new(10);
        budget.limit(TurnLimits {
            cost,
            evaluation_steps: Some(5),
        });
        budget.start();
        budget
    }

    #[test]
    fn all_that_happens_costs() {
        let mut budget = budget(10);
        budget.charge_evaluation(3 * STEPS_PER_UNIT);
        budget.count_move(BYTES_PER_UNIT - 1);
        budget.count_move(4 * BYTES_PER_UNIT);
        assert!(!budget.is_over());
        budget.count_move(0);
        assert!(budget.is_over());
        assert_eq!(budget.moves(), Some(3));
    }

    #[test]
    fn a_replay_ends_a_turn_after_its_moves() {
        let mut budget = budget(1);
        budget.end_after(2);
        for _ in 0..2 {
            assert!(!budget.is_over());
            budget.charge_evaluation(100);
            budget.count_move(0);
        }
        assert!(budget.is_over());
        budget.start();
        assert!(!budget.is_over());
        budget.end_after(0);
        assert!(budget.is_over());
    }

    #[test]
    fn core_2_counted_transitions_alone() {
        let mut budget = TurnBudget::from_transitions(2, 2, 0);
        for _ in 0..2 {
            assert!(!budget.is_over() && !budget.abandons());
            budget.count_transition();
            budget.charge_evaluation(100);
            budget.count_move(0);
        }
        assert!(budget.is_over());
        budget.continue_turn(true);
        assert_eq!((budget.continuations(), budget.moves()), (1, None));
        budget.start();
        assert_eq!((budget.continuations(), budget.moves()), (0, Some(0)));
    }
}
