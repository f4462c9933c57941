//! All rules of the variables of a scope, once it is read.
use crate::read::state::Scope;
use crate::read::{ErrorReported, Object, Read, Reader, VariableUse};
use std::collections::HashSet;

impl<'v> Reader<'v> {
    /// Checks the use of variables by the states of a scope. References without an assignment are checked by the enclosing
    /// scope, unless the scope is isolated from it.
    pub(crate) fn check_variables(
        &mut self,
        states: Object<'v, '_>,
        scope: &Scope<'v>,
        found: VariableUse<'v>,
        is_isolated: bool,
    ) -> Read<()> {
        let unique = self.inner_names_are_unique(&found);
        self.warn_of_unused_variables(&found);
        if !scope.has_unknown {
            self.warn_of_unset_variables(states, scope, &found);
        }
        self.leave_to_outer_scope(found, is_isolated);
        unique
    }

    /// Takes what a scope does for something that the state around it does.
    fn leave_to_outer_scope(&mut self, found: VariableUse<'v>, is_isolated: bool) {
        let names: HashSet<&str> = found.assigned.iter().map(|one| one.name).collect();
        let references = found.references.into_iter();
        let outer = references.filter(|used| !names.contains(used.name.as_str()));
        if is_isolated {
            let outer = outer.filter(|used| !used.is_built_in);
            let inner: HashSet<&str> = found.inner.iter().map(|one| one.name).collect();
            let mut told = HashSet::new();
            for reference in outer {
                if !told.insert((reference.state, reference.name.clone())) {
                    continue;
                }
                if inner.contains(reference.name.as_str()) {
                    let hint =
                        "variables assigned in a branch or iteration do not exist after it ends";
                    self.warn_of_undefined(&reference, hint);
                    continue;
                }
                self.warn_of_undefined(&reference, "no state in scope assigns it");
                // In the order of the text.
                let known = found
                    .assigned
                    .iter()
                    .chain(&found.inner)
                    .map(|one| one.name);
                if let Some(advice) = self.advise_unknown_variable(&reference, known) {
                    ErrorReported.with_advice(self, advice);
                }
            }
        } else {
            self.variables.references.extend(outer);
        }
        self.variables.inner.extend(found.inner);
        self.variables.inner.extend(found.assigned);
    }
}
