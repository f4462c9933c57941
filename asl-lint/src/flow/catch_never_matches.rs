//! A catcher that no error gets to: the first that matches takes it (2024 specification, Fallback states).
use super::error_names::report_unreached;
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, Severity};

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("catch-never-matches"),
    severity: Severity::Warning,
    look,
};

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    report_unreached(subject, found, &LINT, "Catch", "catcher", |state| {
        state.catch.iter().map(|one| &one.error_equals).collect()
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, found_by, jsonata, machine, task};
    use asl_model::{Options, ResourceNames};
    use serde_json::{Value, json};

    fn catchers(names: Value) -> Value {
        let names = names.as_array().into_iter().flatten();
        let catchers = names.map(|names| json!({"ErrorEquals": names, "Next": "B"}));
        json!({"Catch": catchers.collect::<Vec<_>>()})
    }

    fn of_task(resource: &str, names: Value) -> Value {
        let mut fields = catchers(names);
        fields["Resource"] = resource.into();
        task(fields)
    }

    fn text(index: usize, why: &str) -> String {
        format!(
            "catch-never-matches: no error reaches this catcher: {why} at /States/A/Catch[{index}]"
        )
    }

    #[test]
    fn a_name_is_taken_once() {
        let definition = task(catchers(json!([["E"], ["E"], ["E", "F"]])));
        assert_eq!(
            found(&definition),
            [text(1, "'E' is matched by an earlier one")]
        );
    }

    #[test]
    fn a_failed_task_takes_all_but_timeouts_and_what_the_wildcard_adds() {
        let names = json!([["States.TaskFailed"], ["E", "States.Permissions"]]);
        let why = "an earlier 'States.TaskFailed' also matches 'E', an earlier 'States.TaskFailed' also matches 'States.Permissions'";
        assert_eq!(found(&task(catchers(names))), [text(1, why)]);
        for other in [
            "States.Timeout",
            "States.DataLimitExceeded",
            "States.ALL",
            "${Error}",
        ] {
            let names = json!([["States.TaskFailed"], [other]]);
            assert_eq!(found(&task(catchers(names))), [""; 0], "{other}");
        }
    }

    #[test]
    fn a_timeout_takes_that_of_the_heartbeat() {
        let definition = |names: Value| {
            let mut fields = catchers(names);
            fields["HeartbeatSeconds"] = 5.into();
            task(fields)
        };
        let names = json!([["States.Timeout"], ["States.HeartbeatTimeout"]]);
        let why = "an earlier 'States.Timeout' also matches 'States.HeartbeatTimeout'";
        assert_eq!(found(&definition(names)), [text(1, why)]);
        let names = json!([["States.HeartbeatTimeout"], ["States.Timeout"]]);
        assert_eq!(found(&definition(names)), [""; 0]);
    }

    #[test]
    fn what_a_task_never_raises() {
        for (name, why) in [
            (
                "States.HeartbeatTimeout",
                "does not arise without a HeartbeatSeconds",
            ),
            ("States.BranchFailed", "is of Parallel States"),
            ("States.ItemReaderFailed", "is of Map States"),
            ("States.NoChoiceMatched", "is of Choice States"),
            ("States.QueryEvaluationError", "is of states in JSONata"),
            (
                "States.Runtime",
                "ends the execution, and cannot be retried or caught",
            ),
        ] {
            let definition = task(catchers(json!([[name]])));
            assert_eq!(found(&definition), [text(0, &format!("'{name}' {why}"))]);
            let definition = task(catchers(json!([[name, "E"]])));
            assert_eq!(found(&definition), [""; 0]);
        }
    }

    #[test]
    fn a_task_in_jsonata_raises_its_own() {
        let definition = |name: &str| {
            let mut state = catchers(json!([[name]]));
            state["Type"] = "Task".into();
            state["Resource"] = "arn:aws:states:::lambda:invoke".into();
            state["Arguments"] = json!({"FunctionName": "f"});
            state["End"] = true.into();
            jsonata(json!({"A": state}))
        };
        assert_eq!(found(&definition("States.QueryEvaluationError")), [""; 0]);
        let why = "'States.IntrinsicFailure' is of states in JSONPath";
        assert_eq!(
            found(&definition("States.IntrinsicFailure")),
            [text(0, why)]
        );
    }

    #[test]
    fn errors_of_lambda_come_from_functions_and_from_tokens() {
        let names = || json!([["Lambda.ServiceException"]]);
        let why = "'Lambda.ServiceException' is of Lambda functions";
        let queue = "arn:aws:states:::aws-sdk:sqs:listQueues";
        assert_eq!(found(&of_task(queue, names())), [text(0, why)]);
        let any = Options::default().with_resources(ResourceNames::Any);
        assert_eq!(found_by(&of_task(queue, names()), any), [""; 0]);
        for resource in [
            "arn:aws:states:::lambda:invoke",
            "arn:aws:lambda:us-east-1:123456789012:function:f",
            "arn:aws:states:us-east-1:123456789012:activity:a",
            "arn:aws:states:::aws-sdk:lambda:invoke",
            "${Resource}",
        ] {
            assert_eq!(found(&of_task(resource, names())), [""; 0], "{resource}");
        }
    }

    #[test]
    fn what_is_within_raises_what_it_likes() {
        let processor = |config: Value| json!({"ProcessorConfig": config, "StartAt": "I", "States": {"I": {"Type": "Succeed"}}});
        let map = |config: Value, name: &str| {
            let mut state = catchers(json!([[name]]));
            state["Type"] = "Map".into();
            state["ItemProcessor"] = processor(config);
            state["End"] = true.into();
            machine(json!({"A": state}))
        };
        let inline = || json!({"Mode": "INLINE"});
        assert_eq!(found(&map(inline(), "States.HeartbeatTimeout")), [""; 0]);
        let why = "'States.ItemReaderFailed' is of distributed Map States";
        assert_eq!(
            found(&map(inline(), "States.ItemReaderFailed")),
            [text(0, why)]
        );
        let distributed = json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"});
        assert_eq!(
            found(&map(distributed.clone(), "States.ItemReaderFailed")),
            [""; 0]
        );
        let mut around = map(inline(), "States.ItemReaderFailed");
        around["States"]["A"]["ItemProcessor"]["States"]["I"] = json!({"Type": "Map", "ItemProcessor": {"ProcessorConfig": distributed, "StartAt": "J", "States": {"J": {"Type": "Succeed"}}}, "End": true});
        assert_eq!(found(&around), [""; 0]);
    }
}
