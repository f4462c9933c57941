//! The laws of journals: inputs with their times are the complete backup of an execution.
use crate::case::start_time;
use crate::host::{Happening, Host, OutputKind, happenings};
use crate::invariants::{Setting, setting};
use asl_engine::{ErrorOutput, Execution, Input, JournalRecord, MacTokens, ReplayError};
use proptest::prelude::*;
use serde_json::json;
use std::sync::Arc;

fn run(setting: &Setting, happenings: &[Happening]) -> Host {
    let mut host = Host::start(setting, false);
    for happening in happenings {
        host.perform(happening);
    }
    host
}

fn replay(setting: &Setting, journal: &[JournalRecord]) -> Result<Execution, ReplayError> {
    Execution::replay(setting.program(), setting.start.clone(), journal.to_vec())
}

/// Returns all that an execution is.
fn text(execution: &Execution) -> String {
    serde_json::to_string(&execution.save()).expect("a save can be written")
}

/// The same after the continuations that ran since the last record.
fn text_after(mut execution: Execution, continued: &Execution) -> String {
    // What ran since the last record is not in the journal.
    for _ in 0..1_000 {
        let (now, text) = (execution.now(), text(&execution));
        if text == self::text(continued) {
            return text;
        }
        let _step = execution.step(now, None);
    }
    text(&execution)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_replay_is_the_same_execution(setting in setting(), happenings in happenings()) {
        let host = run(&setting, &happenings);
        let kept = serde_json::to_string(&host.journal)?;
        let journal: Vec<JournalRecord> = serde_json::from_str(&kept)?;
        prop_assert_eq!(&journal, &host.journal);
        let replayed = replay(&setting, &journal).expect("the journal is of this execution");
        let expected = text(&host.execution);
        prop_assert_eq!(text_after(replayed, &host.execution), expected);
    }

    #[test]
    fn a_save_stands_in_for_the_records_before_it(
        setting in setting(),
        happenings in happenings(),
        at in any::<prop::sample::Index>(),
    ) {
        let whole = run(&setting, &happenings);
        let (before, after) = happenings.split_at(at.index(happenings.len() + 1));
        let mut host = run(&setting, before);
        let seen = host.journal.len();
        let save = host.execution.save();
        for happening in after {
            host.perform(happening);
        }
        prop_assert_eq!(&host.journal, &whole.journal);
        let mut restored = save.restore(setting.program()).expect("it is taken up");
        let records = whole.journal.into_iter().skip(seen);
        restored.replay_on(records).expect("the journal is of this execution");
        let expected = text(&host.execution);
        prop_assert_eq!(text_after(restored, &host.execution), expected);
    }

    #[test]
    fn a_record_that_is_missing_is_found_out(
        setting in setting(),
        happenings in happenings(),
        at in any::<prop::sample::Index>(),
    ) {
        let journal = run(&setting, &happenings).journal;
        let tellable: Vec<usize> = (1..journal.len())
            // What changed nothing that the fingerprint is made of is not missed at once.
            .filter(|next| journal[next - 1].fingerprint != journal[*next].fingerprint)
            .collect();
        if tellable.is_empty() {
            return Ok(());
        }
        let next = tellable[at.index(tellable.len())];
        let mut shorter = journal.clone();
        shorter.remove(next - 1);
        match replay(&setting, &shorter) {
            // Not always at once: an execution that moves by itself may look as if the record was there.
            Err(error) => {
                prop_assert!(error.record >= next - 1);
                prop_assert_eq!(error.expected, shorter[error.record].fingerprint);
            }
            Ok(replayed) => {
                let whole = replay(&setting, &journal).expect("the whole journal is replayed");
                prop_assert_eq!(replayed.fingerprint(), whole.fingerprint());
                prop_assert_eq!(replayed.outcome(), whole.outcome());
            }
        }
    }

    #[test]
    fn a_record_that_was_changed_is_found_out(
        setting in setting(),
        happenings in happenings(),
        at in any::<prop::sample::Index>(),
    ) {
        let journal = run(&setting, &happenings).journal;
        if journal.len() < 2 {
            return Ok(());
        }
        let index = at.index(journal.len() - 1);
        let goes_on = |records| replay(&setting, records).is_ok_and(|it| it.outcome().is_none());
        if !goes_on(&journal[..=index]) {
            return Ok(());
        }
        let mut changed = journal.clone();
        changed[index].input = Input::Stop(ErrorOutput::default());
        let error = replay(&setting, &changed).expect_err("a record was changed");
        prop_assert_eq!(error.record, index + 1);
    }

    #[test]
    fn history_may_be_recorded_at_any_time(
        setting in setting(),
        happenings in happenings(),
        switches in prop::collection::vec(any::<bool>(), 60),
    ) {
        let mut silent = setting;
        silent.start.record_history = false;
        let expected = run(&silent, &happenings);
        let mut host = Host::start(&silent, false);
        for (happening, records) in happenings.iter().zip(switches) {
            host.execution.record_history(records);
            host.perform(happening);
        }
        prop_assert_eq!(&host.journal, &expected.journal);
        prop_assert_eq!(without_events(&host), without_events(&expected));
    }
}

fn without_events(host: &Host) -> Vec<&(OutputKind, String)> {
    let outputs = host.outputs.iter();
    outputs
        .filter(|(kind, _)| *kind != OutputKind::Event)
        .collect()
}

#[test]
fn tokens_of_a_maker_are_the_same_in_a_replay() {
    let task = json!({"Type": "Task", "End": true, "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
        "Parameters": {"token.$": "$$.Task.Token"}, "Retry": [{"ErrorEquals": ["E"], "IntervalSeconds": 1}]});
    let setting = Setting {
        definition: json!({"StartAt": "Task", "States": {"Task": task}}),
        start: asl_engine::Start::new("e", json!({}), start_time()),
    };
    let begin = || {
        let tokens = Arc::new(MacTokens::new("2026", b"secret"));
        let (program, start) = (setting.program(), setting.start.clone());
        Execution::start_with_tokens(program, start, tokens)
    };
    let mut host = Host::new(begin(), None);
    let (error, cause) = (Some("E".to_owned()), None);
    let id = asl_engine::EffectId(0);
    host.tell(
        start_time(),
        Input::TaskFailed {
            id,
            error_output: ErrorOutput { error, cause },
        },
    );
    host.tell(start_time().plus_seconds(1), Input::TimePassed);
    let mut replayed = begin();
    replayed
        .replay_on(host.journal)
        .expect("it is of this execution");
    assert_eq!(text(&replayed), text(&host.execution));
    assert!(replayed.pending().next().is_some());
}

#[test]
fn a_journal_gives_the_history_that_was_not_recorded() {
    let task = json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F", "End": true});
    let setting = Setting {
        definition: json!({"StartAt": "Task", "States": {"Task": task}}),
        start: asl_engine::Start::new("e", json!({}), start_time()),
    };
    let mut recorded = Vec::new();
    let id = asl_engine::EffectId(0);
    let answer = Input::TaskSucceeded {
        id,
        output: json!(1).into(),
    };
    let mut execution = Execution::start(setting.program(), setting.start.clone());
    execution.record_history(true);
    recorded.extend(execution.step(start_time(), None).events);
    let record = execution.journal(start_time(), answer.clone());
    recorded.extend(execution.step(start_time(), Some(answer)).events);

    let mut replayed = Execution::start(setting.program(), setting.start);
    replayed.record_history(true);
    let mut events = Vec::new();
    replayed
        .replay_on_with([record], |event| events.push(event))
        .expect("it is of this execution");
    assert!(events.len() > 3, "{events:?}");
    assert_eq!(events, recorded);
}

#[test]
fn an_execution_that_ends_at_once_has_the_same_history_after_a_replay() {
    let mut start = asl_engine::Start::new("e", json!({}), start_time());
    start.limits.max_history_events = Some(1);
    start.record_history = true;
    let setting = Setting {
        definition: json!({"StartAt": "Pass", "States": {"Pass": {"Type": "Pass", "End": true}}}),
        start,
    };
    let begin = || Execution::start(setting.program(), setting.start.clone());
    let mut execution = begin();
    let recorded = execution.step(start_time(), None).events;
    assert_eq!(recorded.len(), 1);

    let mut replayed = begin();
    let mut events = Vec::new();
    replayed
        .replay_on_with([], |event| events.push(event))
        .expect("the journal is empty");
    assert_eq!(events, recorded);
    assert_eq!(text(&replayed), text(&execution));
}
