//! The order of visits: each state after its predecessors, except in loops, and the exit of a state after its nested states.
use crate::flow::transitions::{leaving, may_end, start};
use crate::subject::Subject;

/// A visit: the entry or the exit of a state.
#[derive(Debug, Clone, Copy)]
pub(super) enum Visit {
    Enter(usize),
    Leave(usize),
}

/// The ranks of visits.
pub(super) struct Order {
    /// By state, of entering and of leaving.
    ranks: Vec<[Option<usize>; 2]>,
    visits: Vec<Visit>,
}

impl Order {
    /// `within` are the scopes within each state.
    pub(super) fn new(subject: &Subject<'_>, within: &[Vec<usize>]) -> Self {
        let mut order = Self {
            ranks: vec![[None; 2]; subject.states.len()],
            visits: Vec::with_capacity(2 * subject.states.len()),
        };
        let next = |visit: Visit| following(subject, within, visit);
        let mut seen = vec![[false; 2]; subject.states.len()];
        let first = start(subject, 0).map(Visit::Enter);
        let mut open: Vec<(Visit, std::vec::IntoIter<Visit>)> = Vec::new();
        if let Some(first) = first {
            see(&mut seen, first);
            open.push((first, next(first).into_iter()));
        }
        let mut done = Vec::new();
        while let Some((visit, following)) = open.last_mut() {
            match following.next() {
                Some(next_visit) if see(&mut seen, next_visit) => {
                    open.push((next_visit, next(next_visit).into_iter()));
                }
                Some(_) => {}
                None => {
                    done.push(*visit);
                    open.pop();
                }
            }
        }
        order.visits.extend(done.into_iter().rev());
        for (rank, visit) in order.visits.iter().enumerate() {
            let (state, at) = place(*visit);
            if let Some(ranks) = order
                .ranks
                .get_mut(state)
                .and_then(|ranks| ranks.get_mut(at))
            {
                *ranks = Some(rank);
            }
        }
        order
    }

    pub(super) fn visit(&self, rank: usize) -> Option<Visit> {
        self.visits.get(rank).copied()
    }

    pub(super) fn enter(&self, state: usize) -> Option<usize> {
        let [enter, _] = self.ranks.get(state)?;
        *enter
    }

    pub(super) fn leave(&self, state: usize) -> Option<usize> {
        let [_, leave] = self.ranks.get(state)?;
        *leave
    }
}

const fn place(visit: Visit) -> (usize, usize) {
    match visit {
        Visit::Enter(state) => (state, 0),
        Visit::Leave(state) => (state, 1),
    }
}

/// Returns true if it is seen for the first time.
fn see(seen: &mut [[bool; 2]], visit: Visit) -> bool {
    let (state, at) = place(visit);
    let seen = seen.get_mut(state).and_then(|seen| seen.get_mut(at));
    seen.is_some_and(|seen| !std::mem::replace(seen, true))
}

/// Returns the visits that directly follow a visit.
fn following(subject: &Subject<'_>, within: &[Vec<usize>], visit: Visit) -> Vec<Visit> {
    match visit {
        Visit::Enter(state) => {
            let scopes = within.get(state).into_iter().flatten();
            let starts = scopes.filter_map(|scope| start(subject, *scope));
            // What is followed first comes last: the state is left after what is within it.
            let mut following = vec![Visit::Leave(state)];
            following.extend(starts.map(Visit::Enter));
            following
        }
        Visit::Leave(state) => {
            let mut following: Vec<Visit> = leaving(subject, state)
                .map(|(_, next)| Visit::Enter(next))
                .collect();
            let placed = subject.states.get(state);
            let ended = placed
                .filter(|placed| may_end(&placed.state.kind, placed.state.transition.as_ref()));
            let scope = ended.and_then(|placed| subject.scopes.get(placed.scope));
            following.extend(scope.and_then(|scope| scope.within).map(Visit::Leave));
            following
        }
    }
}
