//! Whether a state reads the Context Object: only then is it built.
use asl_jsonata::StatesField;
use asl_model::{Query, StateKind};
use asl_path::Root;

pub(super) fn uses_context(kind: &StateKind) -> bool {
    let mut uses = false;
    kind.visit_queries(&mut |query| {
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
