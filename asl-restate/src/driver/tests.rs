mod children;
mod computing;
mod lifecycle;
pub(super) mod nested;

use super::*;
use crate::messages::{
    ChildAgain, Command, CommandAnswer, CommandReply, JsonText, KeptMapRun, Redrives,
};
use asl_backend::HistoryPiece;
use asl_engine::{
    ChildExecution, ErrorOutput, JournalRecord, Outcome, Program, Start, TaskAnswer, TaskInvocation,
};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// A host that records requests, and returns scripted events.
#[derive(Default)]
pub(super) struct ScriptedHost {
    pub(super) asked: Vec<String>,
    fingerprints: Vec<String>,
    records: Vec<JournalRecord>,
    answers: Vec<(u64, CommandAnswer)>,
    endings: Vec<(u64, ExecutionOutcome)>,
    is_closed: bool,
    happenings: VecDeque<HostEvent>,
    has_let_go: bool,
    again: Vec<ChildAgain>,
    map_runs: Vec<KeptMapRun>,
    new_map_runs: Vec<Arc<str>>,
    pieces: Vec<HistoryPiece>,
    sealed: Vec<u64>,
    forgotten: u64,
}

impl DurableHost for ScriptedHost {
    fn perform(&mut self, id: EffectId, request: PerformRequest) {
        self.asked.push(format!("perform {}", id.0));
        self.fingerprints.push(request.fingerprint);
    }
    fn is_mocked(&self, state_name: &str) -> bool {
        state_name == "Mocked"
    }
    fn offer(&mut self, task: &Arc<TaskInvocation>) {
        self.asked.push(format!("offer {}", task.id.0));
    }
    fn start_child(
        &mut self,
        child: ChildExecution,
        map_run_arn: Option<Arc<str>>,
        again: Option<ChildAgain>,
    ) {
        assert!(map_run_arn.is_some());
        self.asked.push(format!("child {}", child.id.0));
        self.again.extend(again);
    }
    fn open(&mut self, id: EffectId, heard: u64) {
        self.asked.push(format!("open {} {heard}", id.0));
    }
    fn close(&mut self, id: EffectId, was_open: bool) {
        let how = if was_open { "close" } else { "done" };
        self.asked.push(format!("{how} {}", id.0));
    }
    fn stop_child(&mut self, id: EffectId, at: Timestamp) {
        let (seconds, _): (i64, u32) = at.into();
        self.asked.push(format!("stop {} at {seconds}", id.0));
    }
    fn stop_children(&mut self, _at: Timestamp) {
        self.has_let_go = true;
    }
    fn abandon(&mut self, id: EffectId) {
        self.asked.push(format!("let go {}", id.0));
    }
    fn stop_nested(&mut self, arn: Arc<str>, at: Timestamp) {
        let (seconds, _): (i64, u32) = at.into();
        self.asked.push(format!("stop {arn} at {seconds}"));
    }
    fn sleep_until(&mut self, due: Timestamp) {
        let (seconds, _): (i64, u32) = due.into();
        self.asked.push(format!("sleep {seconds}"));
    }
    fn store_record(&mut self, number: u64, record: &JournalRecord) {
        assert_eq!(number, self.records.len() as u64);
        self.records.push(record.clone());
    }
    fn listen(&mut self, turn: u64) {
        self.asked.push(format!("listen {turn}"));
    }
    fn answer(&mut self, turn: u64, answer: CommandAnswer) {
        self.answers.push((turn, answer));
    }
    fn end(&mut self, redrives: &Redrives, ending: &ExecutionOutcome) {
        self.endings.push((redrives.count, ending.clone()));
    }
    async fn seal(
        &mut self,
        pieces: Vec<HistoryPiece>,
        events: u64,
    ) -> Result<(), HostInterruption> {
        self.pieces.extend(pieces);
        self.sealed.push(events);
        Ok(())
    }
    fn forget_records(&mut self, records: u64) {
        self.forgotten = records;
    }
    fn rest(&mut self) {
        self.asked.push("rest".to_owned());
    }
    fn redrive(&mut self, redrives: &Redrives) {
        self.asked.push(format!("redrive {}", redrives.count));
    }
    fn close_inbox(&mut self) {
        self.is_closed = true;
    }
    fn store_map_runs(&mut self, changed: Vec<KeptMapRun>, new: Vec<Arc<str>>) {
        self.new_map_runs.extend(new);
        self.map_runs.extend(changed);
    }
    fn threads(&self) -> Arc<Semaphore> {
        Arc::new(Semaphore::new(1))
    }
    async fn next(&mut self) -> Result<HostEvent, HostInterruption> {
        let next = self.happenings.pop_front();
        next.ok_or_else(|| HostInterruption(format!("nothing happens; asked: {:?}", self.asked)))
    }
}

pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_milliseconds(seconds * 1_000)
}

pub(super) fn task(fields: &str) -> String {
    format!(r#"{{"StartAt": "T", "States": {{"T": {{"Type": "Task", "End": true, {fields}}}}}}}"#)
}

pub(super) const FUNCTION: &str =
    r#""Resource": "arn:aws:lambda:us-east-1:123456789012:function:f""#;

fn start() -> Start {
    start_with(json!({}))
}

fn start_with(input: Value) -> Start {
    let mut start = Start::new("e", input, at(100));
    start.record_history = true;
    start
}

pub(super) fn run(
    definition: &str,
    happenings: impl IntoIterator<Item = HostEvent>,
) -> Result<(Outcome, Execution, ScriptedHost), String> {
    let program = Program::parse(definition).map_err(|error| error.to_string())?;
    let host = ScriptedHost {
        happenings: happenings.into_iter().collect(),
        ..ScriptedHost::default()
    };
    let driver = Driver::new(Execution::start(program, start()), host, None);
    let run = futures::executor::block_on(driver.run());
    let run = run.map(ended).map_err(|error| error.to_string())?;
    assert!(run.2.has_let_go);
    Ok(run)
}

fn ended(
    (_, execution, host): (ExecutionOutcome, Execution, ScriptedHost),
) -> (Outcome, Execution, ScriptedHost) {
    (execution.outcome().unwrap().clone(), execution, host)
}

fn performed(seconds: i64, result: Value) -> PerformedRequest {
    PerformedRequest::new(at(seconds), Ok(TaskAnswer::Completed(result).into()))
}

fn commanded(seconds: i64, what: CommandReply) -> HostEvent {
    HostEvent::Commanded(Command {
        at: at(seconds),
        what,
    })
}

fn stop(seconds: i64) -> HostEvent {
    commanded(seconds, CommandReply::Stop(ErrorOutput::new("S", "enough")))
}

fn succeeded(output: Value) -> Outcome {
    Outcome::Succeeded(output.into())
}

#[test]
fn a_task_is_performed_and_its_answer_brings_the_time() {
    let answer = HostEvent::Performed(EffectId(0), performed(107, json!(42)));
    let (outcome, execution, host) = run(&task(FUNCTION), [answer]).unwrap();
    assert_eq!(outcome, succeeded(json!(42)));
    assert_eq!(execution.now(), at(107));
    assert_eq!(host.asked, ["perform 0", "sleep 86500", "done 0"]);
}

#[test]
fn what_was_kept_replays_to_the_same() {
    let answer = HostEvent::Performed(EffectId(0), performed(107, json!(42)));
    let (outcome, _, host) = run(&task(FUNCTION), [answer]).unwrap();
    let program = Program::parse(&task(FUNCTION)).unwrap();
    let replayed = Execution::replay(program, start(), host.records).unwrap();
    assert_eq!(replayed.outcome(), Some(&outcome));
}

#[test]
fn an_execution_that_goes_another_way_asks_otherwise() {
    let other = r#"{"StartAt": "P", "States": {"P": {"Type": "Pass", "Next": "T"}, "T": {"Type": "Task", "End": true,
        "Resource": "arn:aws:lambda:us-east-1:123456789012:function:f"}}}"#;
    let fingerprints = |definition: &str| {
        let answer = HostEvent::Performed(EffectId(0), performed(107, json!(1)));
        run(definition, [answer]).unwrap().2.fingerprints
    };
    assert_ne!(fingerprints(&task(FUNCTION)), fingerprints(other));
}

#[test]
fn a_sleep_covers_what_is_due_later() {
    let fields = format!(r#"{FUNCTION}, "TimeoutSeconds": 50, "HeartbeatSeconds": 20"#);
    let beat = |seconds| {
        let what = ExternalEvent::Heartbeat;
        HostEvent::Told(
            EffectId(0),
            ExternalMessage {
                at: at(seconds),
                what,
            },
        )
    };
    let slept = |due, now| HostEvent::Slept {
        due: at(due),
        now: at(now),
    };
    // The first sleep ends when the task has been heard of since: it says nothing, and the next begins.
    let script = [beat(110), beat(115), slept(120, 120), slept(135, 136)];
    let (outcome, execution, host) = run(&task(&fields), script).unwrap();
    assert!(matches!(outcome, Outcome::Failed(_)), "{outcome:?}");
    assert_eq!(execution.now(), at(136));
    assert_eq!(
        host.asked,
        [
            "open 0 0",
            "perform 0",
            "sleep 120",
            "open 0 1",
            "open 0 2",
            "sleep 135",
            "close 0",
            "let go 0"
        ]
    );
}

#[test]
fn a_token_answers_after_the_performer_handed_the_task_on() {
    let fields = r#""Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
        "Parameters": {"QueueUrl": "q", "MessageBody.$": "$$.Task.Token"}"#;
    let handed_on = PerformedRequest::new(at(101), Ok(TaskAnswer::Submitted(json!({})).into()));
    let told = ExternalMessage {
        at: at(150),
        what: ExternalEvent::Success(JsonText::new(&json!("done"))),
    };
    let script = [
        HostEvent::Performed(EffectId(0), handed_on),
        HostEvent::Told(EffectId(0), told),
    ];
    let (outcome, _, host) = run(&task(fields), script).unwrap();
    assert_eq!(outcome, succeeded(json!("done")));
    assert_eq!(
        host.asked,
        ["open 0 0", "perform 0", "sleep 86500", "close 0"]
    );
}

#[test]
fn an_activity_is_offered_and_its_worker_is_named() {
    let fields = r#""Resource": "arn:aws:states:us-east-1:123456789012:activity:a""#;
    let told = |seconds, what| {
        HostEvent::Told(
            EffectId(0),
            ExternalMessage {
                at: at(seconds),
                what,
            },
        )
    };
    let script = [
        told(103, ExternalEvent::Started(Some("w".into()))),
        told(104, ExternalEvent::Failure(ErrorOutput::new("E", "why"))),
    ];
    let (outcome, _, host) = run(&task(fields), script).unwrap();
    assert_eq!(outcome, Outcome::Failed(ErrorOutput::new("E", "why")));
    assert_eq!(
        host.asked,
        ["open 0 0", "offer 0", "sleep 86500", "open 0 1", "close 0"]
    );
}

#[test]
fn an_activity_whose_state_is_mocked_is_not_offered() {
    let fields = r#""Resource": "arn:aws:states:us-east-1:123456789012:activity:a""#;
    let definition = task(fields).replace(r#""T""#, r#""Mocked""#);
    let answer = HostEvent::Performed(EffectId(0), performed(101, json!(1)));
    let (outcome, _, host) = run(&definition, [answer]).unwrap();
    assert_eq!(outcome, succeeded(json!(1)));
    assert_eq!(
        host.asked,
        ["open 0 0", "perform 0", "sleep 86500", "close 0"]
    );
}

#[test]
fn a_long_wait_is_slept_through_by_days() {
    let wait =
        r#"{"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 100000, "End": true}}}"#;
    let slept = |due, now| HostEvent::Slept {
        due: at(due),
        now: at(now),
    };
    let script = [slept(86_500, 86_501), slept(100_100, 100_100)];
    let (outcome, _, host) = run(wait, script).unwrap();
    assert_eq!(outcome, succeeded(json!({})));
    assert_eq!(host.asked, ["sleep 86500", "sleep 100100"]);
    assert_eq!(host.records.len(), 1);
}

const MAP: &str = r#"{"StartAt": "M", "States": {"M": {"Type": "Map", "End": true, "ItemsPath": "$.a", "MaxConcurrency": 2,
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}}}}"#;

fn run_map(happenings: Vec<HostEvent>) -> (Outcome, Execution, ScriptedHost) {
    let program = Program::parse(MAP).unwrap();
    let start = start_with(json!({"a": [1, 2]}));
    let host = ScriptedHost {
        happenings: happenings.into(),
        ..ScriptedHost::default()
    };
    let driver = Driver::new(Execution::start(program, start), host, None);
    ended(futures::executor::block_on(driver.run()).unwrap())
}
