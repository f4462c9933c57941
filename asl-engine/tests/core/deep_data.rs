//! Data that nests deeper than any stack allows, where it comes in from outside: it is refused, and what keeps it (a save, a
//! journal, an event) can be written, read and let go.
use asl_engine::{
    EffectId, Execution, Input, JournalRecord, Outcome, Program, SavedExecution, Start,
};
use asl_model::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;

const TOO_DEEP: &str = "is nested deeper than 1000 levels, the limit on data";

fn nested(levels: usize) -> Value {
    (0..levels).fold(json!(1), |inner, level| match level % 2 {
        0 => Value::Array(vec![inner]),
        _ => Value::Object([("a".to_owned(), inner)].into_iter().collect()),
    })
}

fn program(mut state: Value) -> Program {
    state["End"] = true.into();
    if matches!(state["Type"].as_str(), Some("Succeed")) {
        state.as_object_mut().expect("a state").shift_remove("End");
    }
    let definition = json!({"StartAt": "S", "States": {"S": state}});
    Program::parse(&definition.to_string()).expect("a valid definition")
}

fn start(input: Value) -> Start {
    Start::new("e", input, Timestamp::default()).with_record_history(true)
}

fn refuses(outcome: Option<&Outcome>) {
    let Some(Outcome::Failed(error)) = outcome else {
        panic!(
            "not refused: {}",
            outcome.map_or("RUNNING", Outcome::status)
        );
    };
    assert_eq!(error.error.as_deref(), Some("States.Runtime"));
    let cause = error.cause.as_deref().unwrap_or_default();
    assert!(cause.ends_with(TOO_DEEP), "{cause}");
}

fn text(execution: &Execution) -> String {
    serde_json::to_string(&execution.save()).expect("a save can be written")
}

fn task(resource: &str) -> Value {
    json!({"Type": "Task", "Resource": resource, "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "S"}]})
}

#[test]
fn an_input_of_any_depth_is_refused_by_every_state_and_kept_as_far_as_that_takes() {
    let inner = json!({"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}});
    for state in [
        json!({"Type": "Pass"}),
        json!({"Type": "Pass", "QueryLanguage": "JSONata"}),
        json!({"Type": "Succeed"}),
        json!({"Type": "Wait", "Seconds": 0}),
        task("F"),
        json!({"Type": "Parallel", "Branches": [inner.clone()]}),
        json!({"Type": "Map", "ItemProcessor": inner.clone()}),
    ] {
        for levels in [1_001, 100_001] {
            let program = program(state.clone());
            let mut execution = Execution::start(&program, start(nested(levels)));
            let begun = execution.now();
            let step = execution.step(begun, None);
            refuses(step.outcome.as_ref());
            let saved: SavedExecution = serde_json::from_str(&text(&execution)).expect("a save");
            let mut restored = saved.restore(program).expect("it is restored");
            assert_eq!(text(&restored), text(&execution));
            let step = restored.step(begun, Some(Input::Redrive));
            refuses(step.outcome.as_ref());
        }
    }
}

fn waiting(program: &Program) -> (Execution, EffectId) {
    let mut execution = Execution::start(program, start(json!({})));
    let begun = execution.now();
    let step = execution.step(begun, None);
    (execution, step.effects[0].id())
}

#[test]
fn answers_of_any_depth_are_refused_and_journaled() {
    let program = program(task("arn:aws:states:::sqs:sendMessage.waitForTaskToken"));
    let (mut execution, id) = waiting(&program);
    let now = execution.now();
    let mut journal = Vec::new();
    for submitted in [true, false] {
        let output = nested(100_000);
        let output = Arc::new(output);
        let input = match submitted {
            true => Input::TaskSubmitted { id, output },
            false => Input::TaskSucceeded { id, output },
        };
        // A copy of what is not cut would be a copy by recursion.
        let record = execution.journal(now, input);
        let input = record.input.clone();
        journal.push(record);
        let step = execution.step(now, Some(input));
        assert_eq!(step.outcome.is_some(), !submitted);
        assert!(text(&execution).len() < 100_000);
    }
    refuses(execution.outcome());
    let kept = serde_json::to_string(&journal).expect("a journal can be written");
    drop(journal);
    let journal: Vec<JournalRecord> = serde_json::from_str(&kept).expect("it can be read");
    let replayed = Execution::replay(&program, start(json!({})), journal).expect("its journal");
    assert_eq!(text(&replayed), text(&execution));
}
