//! The law of saving: whatever is saved after any call and taken up in another process, by a host that forgot all it
//! knew and asks what is pending, does what it would have done.
use crate::host::{Happening, Host, OutputKind, happenings};
use crate::invariants::{Setting, setting};
use asl_engine::{ChildExecution, Execution, Outcome};
use proptest::prelude::*;

/// Returns all outputs to the end, how it ended, and the children that it started.
fn run(
    mut host: Host,
    happenings: &[Happening],
) -> (Vec<(OutputKind, String)>, Outcome, Vec<ChildExecution>) {
    for happening in happenings {
        host.perform(happening);
    }
    let outcome = host.finish();
    (host.outputs, outcome, host.children)
}

fn child(setting: &Setting, child: &ChildExecution, forgets: bool) -> Host {
    let program = setting.program();
    let execution = Execution::start_child(program, child.clone(), None);
    Host::new(execution, forgets.then(|| setting.program()))
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn what_is_taken_up_in_another_process_goes_on_as_if_it_was_not(
        setting in setting(),
        happenings in happenings(),
    ) {
        let (outputs, outcome, children) = run(Host::start(&setting, false), &happenings);
        let (again, ended, _) = run(Host::start(&setting, true), &happenings);
        prop_assert_eq!(&outputs, &again);
        prop_assert_eq!(&outcome, &ended);
        for started in children.iter().take(2) {
            let (outputs, outcome, _) = run(child(&setting, started, false), &happenings);
            let (again, ended, _) = run(child(&setting, started, true), &happenings);
            prop_assert_eq!(outputs, again);
            prop_assert_eq!(outcome, ended);
        }
    }
}
