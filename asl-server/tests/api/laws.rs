//! Laws of the API: pages of any size are one list, an execution is described as it was started, and any request is answered.
use crate::client::{Api, pass};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    tokio.unwrap().block_on(future)
}

/// All entries of a list, by pages, of which none is longer than asked, and only the last is shorter.
async fn listed(
    api: &Api,
    operation: &str,
    list: &str,
    mut request: Value,
    size: usize,
) -> Vec<Value> {
    let mut all = Vec::new();
    request["maxResults"] = json!(size);
    loop {
        let page = api.call(operation, request.clone()).await;
        let entries = page[list].as_array().unwrap().clone();
        let token = page.get("nextToken").cloned();
        assert!(entries.len() == size || (token.is_none() && entries.len() < size));
        all.extend(entries);
        match token {
            Some(token) => request["nextToken"] = token,
            None => return all,
        }
    }
}

/// Members of requests with values of the right type, of a wrong type, or of none.
fn request() -> impl Strategy<Value = Value> {
    let names = prop::sample::select(vec![
        "stateMachineArn",
        "executionArn",
        "name",
        "definition",
        "roleArn",
        "input",
        "maxResults",
        "nextToken",
        "statusFilter",
        "taskToken",
        "output",
        "error",
        "cause",
        "activityArn",
        "resourceArn",
        "tags",
        "type",
        "reverseOrder",
    ]);
    let value = prop_oneof![
        Just(Value::Null),
        Just(json!(-1)),
        Just(json!(1.5e300)),
        Just(json!(true)),
        Just(json!([])),
        Just(json!([{"key": "k"}])),
        Just(json!({"StartAt": "A"})),
        Just(json!(
            "arn:aws:states:us-east-1:000000000000:stateMachine:m"
        )),
        Just(json!(
            "arn:aws:states:us-east-1:000000000000:execution:m:e:1"
        )),
        Just(json!(
            r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#
        )),
        "[ -~ä\u{0}]{0,6}".prop_map(Value::from),
    ];
    prop::collection::btree_map(names.prop_map(str::to_owned), value, 0..6)
        .prop_map(|members| members.into_iter().collect::<Map<_, _>>().into())
}

fn operation() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "CreateStateMachine",
        "DescribeStateMachine",
        "UpdateStateMachine",
        "DeleteStateMachine",
        "ListStateMachines",
        "PublishStateMachineVersion",
        "CreateStateMachineAlias",
        "StartExecution",
        "StartSyncExecution",
        "StopExecution",
        "RedriveExecution",
        "DescribeExecution",
        "ListExecutions",
        "GetExecutionHistory",
        "CreateActivity",
        "SendTaskSuccess",
        "SendTaskFailure",
        "SendTaskHeartbeat",
        "ListMapRuns",
        "TagResource",
        "UntagResource",
        "ListTagsForResource",
        "TestState",
        "ValidateStateMachineDefinition",
        "Unknown",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn pages_of_any_size_are_one_list(
        names in prop::collection::btree_set("[a-cA-C_-]{1,3}", 0..8),
        size in 1_usize..5,
    ) {
        let (machines, executions) = block_on(async {
            let api = Api::new().await;
            for name in &names {
                api.machine(name, &pass()).await;
            }
            let machine = api.machine("the_machine", &pass()).await;
            for name in &names {
                api.call("StartExecution", json!({"stateMachineArn": machine, "name": name})).await;
            }
            let machines = listed(&api, "ListStateMachines", "stateMachines", json!({}), size).await;
            let of_machine = json!({"stateMachineArn": machine});
            let executions = listed(&api, "ListExecutions", "executions", of_machine, size).await;
            api.stop().await;
            (machines, executions)
        });
        let found = |entries: &[Value]| -> Vec<String> {
            entries.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
        };
        let mut expected: Vec<String> = names.iter().cloned().chain(["the_machine".to_owned()]).collect();
        expected.sort_unstable();
        prop_assert_eq!(found(&machines), expected);
        // Executions are listed from the latest; each is there once.
        let started: BTreeSet<String> = found(&executions).into_iter().collect();
        prop_assert_eq!(&started, &names);
        prop_assert_eq!(executions.len(), names.len());
    }

    #[test]
    fn an_execution_is_described_as_it_was_started(
        name in "[a-zA-Z0-9_-]{1,20}",
        fields in prop::collection::btree_map("[ -~ä😀]{0,6}", any::<i32>(), 0..4),
    ) {
        let input = json!(fields).to_string();
        block_on(async {
            let api = Api::new().await;
            let machine = api.machine("m", &pass()).await;
            let start = json!({"stateMachineArn": machine, "name": name, "input": input});
            let started = api.call("StartExecution", start.clone()).await;
            let arn = &started["executionArn"];
            let described = api.ended(arn.as_str().unwrap()).await;
            assert_eq!(described["name"], json!(name));
            assert_eq!(described["input"], json!(input));
            assert_eq!(described["status"], "SUCCEEDED");
            let output: Value = serde_json::from_str(described["output"].as_str().unwrap()).unwrap();
            assert_eq!(output, json!(fields));
            let events = listed(&api, "GetExecutionHistory", "events", json!({"executionArn": arn}), 2).await;
            let reversed = json!({"executionArn": arn, "reverseOrder": true});
            let mut reversed = listed(&api, "GetExecutionHistory", "events", reversed, 3).await;
            reversed.reverse();
            assert_eq!(events, reversed);
            let ids: Vec<u64> = events.iter().map(|event| event["id"].as_u64().unwrap()).collect();
            assert_eq!(ids, (1..=events.len() as u64).collect::<Vec<_>>());
            api.stop().await;
        });
    }

    #[test]
    fn any_request_has_an_answer_that_an_sdk_reads(
        requests in prop::collection::vec((operation(), request()), 1..12),
    ) {
        block_on(async {
            let api = Api::new().await;
            api.machine("m", &pass()).await;
            for (operation, request) in requests {
                let answer = api.with_headers(operation, "", &request).await;
                let body = answer.json();
                assert!(body.is_object(), "{operation} {request}: {answer:?}");
                match answer.status {
                    200 => {}
                    400 => assert!(
                        !answer.code().is_empty() && body["message"].is_string(),
                        "{operation} {request}: {answer:?}"
                    ),
                    _ => panic!("{operation} {request}: {answer:?}"),
                }
            }
            // It still serves.
            api.call("ListStateMachines", json!({})).await;
            api.stop().await;
        });
    }
}
