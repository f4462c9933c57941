//! "Assign" (2024 specification, Assigning State Machine Variables).
use super::documents::Documents;
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::inspection::InspectionEvent;
use super::variables::{Assignment, Assignments, Change};
use crate::data::{Data, VALUE, measure};
use crate::program::CompiledAssign;

impl Evaluation<'_> {
    /// Returns the new values, evaluated over those that the variables had when the state was entered; none, and at no cost,
    /// if there is no "Assign".
    #[inline]
    pub(super) fn assign(
        &mut self,
        assign: Option<&CompiledAssign>,
        documents: &mut Documents<'_>,
    ) -> Result<Assignments, EvaluationFault> {
        match assign {
            None => Ok(Assignments::new()),
            Some(assign) => self.new_values(assign, documents),
        }
    }

    fn new_values(
        &mut self,
        assign: &CompiledAssign,
        documents: &mut Documents<'_>,
    ) -> Result<Assignments, EvaluationFault> {
        let mut assigned = Assignments::with_capacity(assign.variables.len());
        for (name, node) in &assign.variables {
            // Small values, which are charged with what they are put in, are put in here.
            self.charge(VALUE + name.len() as u64)?;
            let appended = self
                .appended(name, node, documents)
                .map_err(|fault| fault.at(format_args!("Assign/{name}")))?;
            if let Some((elements, measure)) = appended {
                assigned.push(Assignment {
                    name: name.clone(),
                    change: Change::Append(elements),
                    measure,
                });
                continue;
            }
            let value = self
                .shared(node, name, documents)
                .map_err(|fault| fault.at(format_args!("Assign/{name}")))?;
            self.inspect(|| InspectionEvent::Variable {
                name,
                value: &value,
            });
            assigned.push(set(name, value));
        }
        Ok(assigned)
    }
}

/// The bytes of variables are exact: a bound would add up to more than there is.
fn set(name: &std::sync::Arc<str>, value: Data) -> Assignment {
    let measure = measure(&value, true);
    Assignment {
        name: name.clone(),
        change: Change::Set(value.into_shared()),
        measure,
    }
}
