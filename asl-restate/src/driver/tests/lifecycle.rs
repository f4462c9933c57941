//! Commands to executions, and the time after their end.
use super::*;
use asl_backend::UnpackedPiece;
use asl_engine::MapRunUpdate;

const WAIT: &str =
    r#"{"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 60, "End": true}}}"#;
pub(super) const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

pub(super) fn redrive(seconds: i64, token: &str) -> HostEvent {
    let client_token = Some(token.into());
    commanded(seconds, CommandReply::Redrive { client_token })
}

fn slept(seconds: i64) -> HostEvent {
    let due = at(seconds);
    HostEvent::Slept { due, now: due }
}

fn run_redrivable(happenings: Vec<HostEvent>) -> (Execution, ScriptedHost) {
    let program = Program::parse(&task(FUNCTION)).unwrap();
    let host = ScriptedHost {
        happenings: happenings.into(),
        ..ScriptedHost::default()
    };
    let driver = Driver::new(Execution::start(program, start()), host, Some(WEEK));
    let (_, execution, host) = futures::executor::block_on(driver.run()).unwrap();
    (execution, host)
}

fn failed(id: u64, seconds: i64) -> HostEvent {
    let failed = TaskError::new("E", "why");
    HostEvent::Performed(
        EffectId(id),
        PerformedRequest::new(at(seconds), Err(failed)),
    )
}

#[test]
fn a_stop_ends_what_waits_and_a_late_answer_says_nothing() {
    let late = HostEvent::Performed(EffectId(7), performed(101, json!(1)));
    let (outcome, execution, host) = run(WAIT, [late, stop(110)]).unwrap();
    assert_eq!(outcome, Outcome::Aborted(ErrorOutput::new("S", "enough")));
    assert_eq!((execution.now(), host.records.len()), (at(110), 1));
    assert_eq!(host.asked, ["sleep 160", "listen 1"]);
    assert!(host.is_closed && host.endings.len() == 1);
    // Whoever stopped it is reported its end, and whoever asks something meanwhile.
    let ended = CommandAnswer::Ended(at(110));
    assert_eq!(host.answers, [(0, ended.clone()), (1, ended)]);
}

#[test]
fn one_that_is_cancelled_in_restate_is_stopped_and_not_redriven() {
    let (outcome, ..) = run(WAIT, [HostEvent::Cancelled]).unwrap();
    let cause = "its invocation was cancelled in Restate";
    assert_eq!(
        outcome,
        Outcome::Aborted(ErrorOutput::new("Cancelled", cause))
    );
    let (_, host) = run_redrivable(vec![HostEvent::Cancelled]);
    assert!(host.is_closed, "{:?}", host.asked);
    let (_, host) = run_redrivable(vec![failed(0, 107), HostEvent::Cancelled]);
    assert_eq!(host.records.len(), 1);
}

#[test]
fn a_map_run_is_given_other_limits_while_it_is_under_way() {
    let update = |arn: &str| {
        CommandReply::UpdateMapRun(MapRunUpdate {
            map_run_arn: arn.to_owned(),
            max_concurrency: Some(1),
            ..MapRunUpdate::default()
        })
    };
    let program = Program::parse(MAP).unwrap();
    let input = json!({"a": [1, 2]});
    let mut execution = Execution::start(program, start_with(input));
    let _ = execution.step(at(100), None);
    let arn = execution.map_runs().next().unwrap().arn;
    let (_, _, host) = run_map(vec![
        commanded(101, update("arn:other")),
        commanded(102, update(&arn)),
        stop(103),
    ]);
    let updated = CommandAnswer::Updated;
    assert_eq!(host.answers[..2], [(0, updated(false)), (1, updated(true))]);
    assert!(matches!(host.records[0].input, Input::UpdateMapRun(_)));
    assert_eq!(host.records.len(), 2);
}

#[test]
fn a_redrive_takes_up_what_failed_and_goes_on_in_the_same_records() {
    let done = HostEvent::Performed(EffectId(1), performed(305, json!(42)));
    let (execution, host) = run_redrivable(vec![
        redrive(105, "early"),
        failed(0, 107),
        stop(200),
        // An answer to what it waited for before.
        failed(0, 250),
        redrive(300, "t"),
        redrive(301, "t"),
        done,
    ]);
    assert_eq!(execution.outcome(), Some(&succeeded(json!(42))));
    assert_eq!(
        host.asked,
        [
            "perform 0",
            "sleep 86500",
            "listen 1",
            "done 0",
            "rest",
            "listen 2",
            "sleep 604907",
            "listen 3",
            "listen 4",
            "redrive 1",
            "perform 1",
            "sleep 86700",
            "listen 5",
            "done 1"
        ]
    );
    let running = "Execution is RUNNING and cannot be redriven".to_owned();
    let (ended, redriven) = (
        CommandAnswer::Ended(at(107)),
        CommandAnswer::Redriven(at(300)),
    );
    assert_eq!(
        host.answers,
        [
            (0, CommandAnswer::NotRedrivable(running)),
            (1, ended.clone()),
            (2, ended),
            (3, redriven.clone()),
            (4, redriven),
            (5, CommandAnswer::Ended(at(305)))
        ]
    );
    let statuses = host.endings.iter();
    let statuses: Vec<_> = statuses
        .map(|(redrives, it)| (*redrives, &*it.status))
        .collect();
    assert_eq!(statuses, [(0, "FAILED"), (1, "SUCCEEDED")]);
    let program = Program::parse(&task(FUNCTION)).unwrap();
    let replayed = Execution::replay(program, start(), host.records).unwrap();
    assert_eq!(replayed.outcome(), execution.outcome());
}

#[test]
fn one_that_nobody_redrives_has_ended_for_good_when_the_time_is_over() {
    let (_, host) = run_redrivable(vec![failed(0, 107), slept(604_907)]);
    assert!(host.is_closed);
    let ended = CommandAnswer::Ended(at(107));
    assert_eq!(host.answers, [(0, ended.clone()), (1, ended)]);
    // The timer of the first end says nothing of the second.
    let (_, host) = run_redrivable(vec![
        failed(0, 107),
        redrive(600_000, "t"),
        slept(604_907),
        failed(1, 604_910),
        slept(1_209_710),
    ]);
    assert_eq!(host.endings.len(), 2);
    assert_eq!(host.asked.last().unwrap(), "sleep 1209710");
}

/// Returns the ids of the events that were sealed.
fn sealed_ids(host: &ScriptedHost) -> Vec<u64> {
    let pieces = host.pieces.iter().map(|piece| {
        let unpacked = UnpackedPiece::unpack(piece.first, &piece.packed).unwrap();
        let ids = (piece.first..).map_while(|id| {
            let event: Value = serde_json::from_str(unpacked.get(id)?).unwrap();
            assert_eq!(event["id"].as_u64(), Some(id));
            Some(id)
        });
        let ids: Vec<u64> = ids.collect();
        assert_eq!(ids.first(), Some(&piece.first));
        ids
    });
    pieces.collect::<Vec<_>>().concat()
}

#[test]
fn a_history_is_sealed_at_each_end_and_its_records_go_with_the_last() {
    let done = HostEvent::Performed(EffectId(1), performed(305, json!(42)));
    let (execution, host) = run_redrivable(vec![failed(0, 107), redrive(300, "t"), done]);
    let all: Vec<u64> = (1..=execution.event_count()).collect();
    assert_eq!(sealed_ids(&host), all);
    assert_eq!(host.pieces.len(), 2);
    let (_, first) = &host.endings[0];
    assert_eq!(host.sealed, [first.event_count, execution.event_count()]);
    assert_eq!(host.forgotten, host.records.len() as u64);
}

#[test]
fn a_long_history_is_in_pieces_of_a_thousand_events() {
    let map = r#"{"StartAt": "M", "States": {"M": {"Type": "Map", "ItemsPath": "$.a", "End": true, "ItemProcessor": {
        "StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}}}}"#;
    let items: Vec<u32> = (0..600).collect();
    let program = Program::parse(map).unwrap();
    let start = start_with(json!({"a": items}));
    let driver = Driver::new(
        Execution::start(program, start),
        ScriptedHost::default(),
        None,
    );
    let (ending, _, host) = futures::executor::block_on(driver.run()).unwrap();
    let firsts: Vec<u64> = host.pieces.iter().map(|piece| piece.first).collect();
    assert_eq!(firsts, [1, 1_001, 2_001]);
    assert_eq!(sealed_ids(&host).len() as u64, ending.event_count);
}
