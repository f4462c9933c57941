//! Points that a recorded execution reached, from its account.
use super::ReachedPoints;
use super::points::PointsOfState;
use crate::Definition;
use asl_trace::{Account, Finding, Step};

impl ReachedPoints {
    /// Counts what the states of an account reached.
    pub(super) fn from_account(definition: &Definition, account: &Account) -> Self {
        let mut reached = Self::nothing_of(definition);
        let mut open: Vec<&[Step]> = vec![&account.steps];
        while let Some(steps) = open.pop() {
            let branch = steps.first().and_then(|first| {
                let points = definition.points().of_state(&first.state)?;
                points.branch
            });
            reached.count(branch);
            for step in steps {
                if let Some(points) = definition.points().of_state(&step.state) {
                    reached.count_step(step, points);
                }
                open.extend(step.strands.iter().map(|strand| &*strand.steps));
            }
        }
        reached
    }

    fn count_step(&mut self, step: &Step, points: &PointsOfState) {
        self.count(Some(points.state));
        let mut is_caught = false;
        for found in &step.findings {
            match found.finding {
                Finding::Rule {
                    index,
                    matched: true,
                    ..
                } => self.count(points.choice(index)),
                Finding::Default => self.count(points.default()),
                Finding::Retry {
                    index: Some(index), ..
                } => self.count(points.retrier(index)),
                Finding::Catch { index, .. } => {
                    is_caught = true;
                    self.count(index.and_then(|index| points.catcher(index)));
                }
                _ => {}
            }
        }
        if step.output.is_some() && !is_caught {
            self.count(points.transition());
        }
    }
}
