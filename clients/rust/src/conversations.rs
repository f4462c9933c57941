//! Requests to the server, and the required responses.
use crate::Done;
use aws_sdk_sfn::Client;
use aws_sdk_sfn::operation::describe_execution::DescribeExecutionOutput;
use aws_sdk_sfn::types::{
    ExecutionStatus, HistoryEventType, RoutingConfigurationListItem, StateMachineType,
    SyncExecutionStatus, Tag,
};
use serde_json::{Value, json};
use std::time::Duration;

const ROLE: &str = "arn:aws:iam::000000000000:role/clients";
const PAUSE: Duration = Duration::from_millis(50);
const TRIES: usize = 600;

macro_rules! definition {
    ($name:literal) => {
        include_str!(concat!("../../definitions/", $name, ".asl.json"))
    };
}

async fn create(client: &Client, name: &str, definition: &str) -> Done<String> {
    let create = client.create_state_machine().name(name).role_arn(ROLE);
    let created = create.definition(definition).send().await?;
    Ok(created.state_machine_arn)
}

async fn start(client: &Client, machine: &str, name: &str, input: Value) -> Done<String> {
    let start = client.start_execution().state_machine_arn(machine);
    let started = start.name(name).input(input.to_string()).send().await?;
    Ok(started.execution_arn)
}

async fn ended(client: &Client, arn: &str) -> Done<DescribeExecutionOutput> {
    for _ in 0..TRIES {
        let execution = client
            .describe_execution()
            .execution_arn(arn)
            .send()
            .await?;
        if execution.status != ExecutionStatus::Running {
            return Ok(execution);
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(format!("{arn} still runs").into())
}

async fn output(client: &Client, arn: &str) -> Done<Value> {
    let execution = ended(client, arn).await?;
    assert_eq!(
        execution.status,
        ExecutionStatus::Succeeded,
        "{execution:?}"
    );
    Ok(serde_json::from_str(&execution.output.unwrap_or_default())?)
}

pub(crate) async fn executions_and_their_history(client: &Client) -> Done {
    let machine = create(client, "orders", definition!("orders")).await?;
    let items: Vec<u32> = (0..30).collect();
    let execution = start(client, &machine, "one", json!({ "items": items })).await?;
    assert_eq!(output(client, &execution).await?[29], json!({"price": 30}));
    let history = client.get_execution_history().execution_arn(&execution);
    let mut pages = history.max_results(25).into_paginator().send();
    let (mut ids, mut count, mut last) = (Vec::new(), 0, None);
    while let Some(page) = pages.next().await {
        let page = page?;
        count += 1;
        last = page.events.last().map(|event| event.r#type.clone());
        ids.extend(page.events.iter().map(|event| event.id));
    }
    assert_eq!(count, ids.len().div_ceil(25));
    assert!(ids.iter().copied().eq(1..=ids.len() as i64), "{ids:?}");
    assert_eq!(last, Some(HistoryEventType::ExecutionSucceeded));
    Ok(())
}

pub(crate) async fn activities(client: &Client) -> Done {
    let activity = client.create_activity().name("approvals").send().await?;
    let activity = activity.activity_arn;
    let definition = definition!("worker").replace("${Activity}", &activity);
    let machine = create(client, "worker", &definition).await?;
    let take = client.get_activity_task().activity_arn(&activity);
    let poll = tokio::spawn(take.worker_name("w").send());
    // The poll is there before the task.
    tokio::time::sleep(6 * PAUSE).await;
    let execution = start(client, &machine, "long-poll", json!({"amount": 7})).await?;
    let task = poll.await??;
    assert_eq!(task.input.as_deref(), Some(r#"{"amount":7}"#));
    let token = task.task_token.unwrap_or_default();
    client
        .send_task_heartbeat()
        .task_token(&token)
        .send()
        .await?;
    let succeed = client.send_task_success().task_token(&token);
    let succeed = succeed.output(r#"{"approved": true}"#);
    succeed.clone().send().await?;
    assert_eq!(output(client, &execution).await?, json!({"approved": true}));
    let refused = succeed.send().await.unwrap_err().into_service_error();
    assert!(refused.is_task_timed_out(), "{refused:?}");
    client
        .delete_activity()
        .activity_arn(&activity)
        .send()
        .await?;
    let gone = client
        .describe_activity()
        .activity_arn(&activity)
        .send()
        .await;
    let gone = gone.unwrap_err().into_service_error();
    assert!(gone.is_activity_does_not_exist(), "{gone:?}");
    Ok(())
}

/// The token in the input of an execution that is about to be started.
async fn token(client: &Client, arn: &str) -> Done<String> {
    for _ in 0..TRIES {
        match client.describe_execution().execution_arn(arn).send().await {
            Ok(execution) => {
                let input: Value = serde_json::from_str(&execution.input.unwrap_or_default())?;
                return Ok(input["token"].as_str().unwrap_or_default().to_owned());
            }
            Err(error) => {
                let error = error.into_service_error();
                assert!(error.is_execution_does_not_exist(), "{error:?}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    Err(format!("{arn} was not started").into())
}

pub(crate) async fn callbacks(client: &Client) -> Done {
    let keep = create(client, "keep", definition!("keep")).await?;
    let definition = definition!("callback").replace("${Keep}", &keep);
    let machine = create(client, "callback", &definition).await?;
    let child = keep.replace(":stateMachine:", ":execution:");

    let accepted = start(client, &machine, "accepted", json!({})).await?;
    let asked = token(client, &format!("{child}:accepted")).await?;
    let succeed = client.send_task_success().task_token(asked);
    succeed.output(r#"{"answer": 42}"#).send().await?;
    assert_eq!(output(client, &accepted).await?, json!({"answer": 42}));

    let refused = start(client, &machine, "refused", json!({})).await?;
    let asked = token(client, &format!("{child}:refused")).await?;
    let fail = client.send_task_failure().task_token(asked);
    fail.error("Refused").cause("too dear").send().await?;
    let refusal = json!({"refusal": {"Error": "Refused", "Cause": "too dear"}});
    assert_eq!(output(client, &refused).await?, refusal);
    Ok(())
}

pub(crate) async fn express(client: &Client) -> Done {
    let create = client.create_state_machine().name("sum").role_arn(ROLE);
    let create = create
        .definition(definition!("sum"))
        .r#type(StateMachineType::Express);
    let machine = create.send().await?.state_machine_arn;
    let start = client.start_sync_execution().state_machine_arn(machine);
    let done = start
        .clone()
        .input(r#"{"numbers": [1, 2, 3]}"#)
        .send()
        .await?;
    assert_eq!(done.status, SyncExecutionStatus::Succeeded, "{done:?}");
    assert_eq!(done.output.as_deref(), Some(r#"{"sum":6}"#));
    let failed = start.input(r#"{"numbers": []}"#).send().await?;
    assert_eq!(failed.status, SyncExecutionStatus::Failed, "{failed:?}");
    assert_eq!(failed.error.as_deref(), Some("Empty"));
    Ok(())
}

pub(crate) async fn errors(client: &Client) -> Done {
    let unknown = "arn:aws:states:us-east-1:000000000000:stateMachine:unknown";
    let describe = client.describe_state_machine().state_machine_arn(unknown);
    let error = describe.send().await.unwrap_err().into_service_error();
    assert!(error.is_state_machine_does_not_exist(), "{error:?}");
    let create = client.create_state_machine().name("broken").role_arn(ROLE);
    let error = create.definition("{}").send().await.unwrap_err();
    let error = error.into_service_error();
    assert!(error.is_invalid_definition(), "{error:?}");
    let heartbeat = client.send_task_heartbeat().task_token("none");
    let error = heartbeat.send().await.unwrap_err().into_service_error();
    assert!(error.is_invalid_token(), "{error:?}");
    Ok(())
}

pub(crate) async fn versions_and_aliases(client: &Client) -> Done {
    let machine = create(client, "versions", definition!("keep")).await?;
    let publish = client
        .publish_state_machine_version()
        .state_machine_arn(&machine);
    let version = publish.send().await?.state_machine_version_arn;
    assert_eq!(version, format!("{machine}:1"));
    let route = RoutingConfigurationListItem::builder().weight(100);
    let route = route.state_machine_version_arn(&version).build()?;
    let alias = client.create_state_machine_alias().name("live");
    let alias = alias.routing_configuration(route).send().await?;
    let alias = alias.state_machine_alias_arn;
    let execution = start(client, &alias, "by-alias", json!({})).await?;
    let execution = ended(client, &execution).await?;
    assert_eq!(execution.state_machine_version_arn, Some(version.clone()));
    assert_eq!(execution.state_machine_alias_arn, Some(alias));
    let delete = client
        .delete_state_machine_version()
        .state_machine_version_arn(version);
    let error = delete.send().await.unwrap_err().into_service_error();
    assert!(error.is_conflict_exception(), "{error:?}");

    let tag = Tag::builder().key("team").value("b").build();
    client
        .tag_resource()
        .resource_arn(&machine)
        .tags(tag.clone())
        .send()
        .await?;
    let listed = client
        .list_tags_for_resource()
        .resource_arn(&machine)
        .send()
        .await?;
    assert_eq!(listed.tags(), [tag]);
    Ok(())
}
