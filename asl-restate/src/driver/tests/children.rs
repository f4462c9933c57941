//! Children of Map Runs.
use super::lifecycle::{WEEK, redrive};
use super::*;

#[test]
fn children_run_elsewhere_and_nobody_waits_for_those_of_a_map_that_failed() {
    let ended =
        |id, seconds, outcome| HostEvent::ChildrenEnded(vec![(EffectId(id), at(seconds), outcome)]);
    let (outcome, _, host) = run_map(vec![
        ended(1, 103, succeeded(json!("b"))),
        ended(0, 104, succeeded(json!("a"))),
    ]);
    assert_eq!(outcome, succeeded(json!(["a", "b"])));
    assert_eq!(host.asked, ["child 0", "child 1", "sleep 86500"]);
    let failed = Outcome::Failed(ErrorOutput::new("E", "why"));
    let (outcome, _, host) = run_map(vec![ended(0, 103, failed)]);
    assert!(matches!(outcome, Outcome::Failed(_)), "{outcome:?}");
    let asked = ["child 0", "child 1", "sleep 86500", "stop 1 at 103"];
    assert_eq!(host.asked[..4], asked);
}

#[test]
fn a_map_run_is_kept_with_each_batch_and_counts_its_children() {
    let failed = Outcome::Failed(ErrorOutput::new("E", "why"));
    let ends = vec![
        (EffectId(0), at(103), succeeded(json!("a"))),
        (EffectId(1), at(104), failed),
    ];
    let (_, _, host) = run_map(vec![HostEvent::ChildrenEnded(ends)]);
    let told = host.map_runs.iter().map(|run| {
        let children = run.children.iter().filter(|it| it.count > 0);
        let children = children.map(|it| format!(" {} {}", it.count, it.status));
        let (seconds, _): (i64, u32) = run.stop_date.unwrap_or_default().into();
        format!("{} {seconds}:{}", run.status, children.collect::<String>())
    });
    let expected = ["RUNNING 0: 2 RUNNING", "FAILED 104: 1 SUCCEEDED 1 FAILED"];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    let [arn] = host.new_map_runs.as_slice() else {
        panic!("{:?}", host.new_map_runs)
    };
    assert!(
        host.map_runs
            .iter()
            .all(|run| run.arn == *arn && run.items == 2)
    );
}

#[test]
fn a_map_run_that_is_stopped_with_its_execution_has_stopped_its_children() {
    let (_, _, host) = run_map(vec![stop(110)]);
    let run = host.map_runs.last().unwrap();
    assert_eq!((&*run.status, run.stop_date), ("ABORTED", Some(at(110))));
    let aborted = run.children.iter().find(|it| &*it.status == "ABORTED");
    assert_eq!(aborted.map(|it| (it.count, it.items)), Some((2, 2)));
}

#[test]
fn a_redrive_starts_those_children_again_that_did_not_succeed() {
    let ended = |id, outcome| (EffectId(id), at(103), outcome);
    let failed = || Outcome::Failed(ErrorOutput::new("E", "why"));
    let batch = HostEvent::ChildrenEnded(vec![ended(0, succeeded(json!("a"))), ended(1, failed())]);
    let again = HostEvent::ChildrenEnded(vec![(EffectId(2), at(120), succeeded(json!("b")))]);
    let happenings = vec![batch, redrive(110, "t"), again];
    let program = Program::parse(MAP).unwrap();
    let start = Start::new("e", json!({"a": [1, 2]}), at(100)).with_record_history(true);
    let host = ScriptedHost {
        happenings: happenings.into(),
        ..ScriptedHost::default()
    };
    let driver = Driver::new(Execution::start(program, start), host, Some(WEEK));
    let (ending, _, host) = futures::executor::block_on(driver.run()).unwrap();
    assert_eq!(ending.output.as_deref(), Some(r#"["a","b"]"#));
    let [again] = host.again.as_slice() else {
        panic!("{:?}", host.again)
    };
    assert_eq!((again.redrive_count, again.first_start), (1, at(100)));
    let arn = &again.key_before;
    assert_eq!(again.key(arn), format!("{arn}|1"));
    // It counts once.
    let run = host.map_runs.last().unwrap();
    let counted = run.children.iter().filter(|it| it.count > 0);
    let counted: Vec<_> = counted.map(|it| (&*it.status, it.count)).collect();
    assert_eq!(
        (&*run.status, counted),
        ("SUCCEEDED", vec![("SUCCEEDED", 2)])
    );
}
