//! Determines whether a state reads the Context Object, which is built only in that case.
use asl_jsonata::StatesField;
use asl_model::{Query, State};
use asl_path::Root;

pub(super) fn uses_context(state: &State) -> bool {
    let mut uses = false;
    state.visit_queries(&mut |query| {
        uses |= match query {
            Query::Path(path) => path.root() == &Root::Context,
            Query::Expression(string) => {
                let references = string.expression().references();
                references.reads(StatesField::Context)
            }
        };
    });
    uses
}
