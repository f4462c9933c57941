//! Laws of the shapes: all that is listed is found by its name, and nothing else.
use asl_services::{Kind, Services, Shape};
use proptest::prelude::*;
use std::sync::LazyLock;

static SERVICES: LazyLock<Services> = LazyLock::new(Services::new);
static NAMES: LazyLock<Vec<String>> =
    LazyLock::new(|| SERVICES.names().map(str::to_owned).collect());

/// Walks into a shape as far as a list of choices leads.
fn check(shape: Shape<'_>, choices: &[usize]) -> Result<(), TestCaseError> {
    if let (Some(minimum), Some(maximum)) = (shape.minimum(), shape.maximum()) {
        prop_assert!(minimum <= maximum, "{minimum} to {maximum}");
    }
    let members: Vec<_> = shape.members().collect();
    for member in &members {
        let found = shape.member(member.name()).map(|it| it.name());
        prop_assert_eq!(found, Some(member.name()));
    }
    let Some((choice, rest)) = choices.split_first() else {
        return Ok(());
    };
    match shape.kind() {
        _ if !members.is_empty() => check(members[choice % members.len()].shape(), rest),
        Kind::List(member) => check(member, rest),
        Kind::Map { value, .. } => check(value, rest),
        _ => Ok(()),
    }
}

proptest! {
    #[test]
    fn what_is_listed_is_found(service in any::<prop::sample::Index>(), operation in any::<prop::sample::Index>(),
        choices in prop::collection::vec(any::<usize>(), 0..12)) {
        let name = &NAMES[service.index(NAMES.len())];
        let service = SERVICES.service(name).unwrap();
        prop_assert_eq!(service.name(), name);
        let operations: Vec<_> = service.operations().collect();
        prop_assume!(!operations.is_empty());
        let listed = operations[operation.index(operations.len())];
        let mut action = listed.name().to_owned();
        // Task States begin the name of an action with a small letter.
        let first = action.remove(0).to_ascii_lowercase();
        action.insert(0, first);
        let found = service.operation(&action).map(|it| it.name());
        prop_assert_eq!(found, Some(listed.name()));
        for shape in [listed.input(), listed.output()].into_iter().flatten() {
            check(shape, &choices)?;
        }
    }

    #[test]
    fn no_name_panics(service in "\\PC{0,12}", action in "\\PC{0,12}") {
        prop_assert_eq!(SERVICES.service(&service).is_some(), NAMES.contains(&service));
        let known = SERVICES.service("dynamodb").unwrap();
        let _ = known.operation(&action);
        let _ = SERVICES.called_service(&service, &action);
    }
}
