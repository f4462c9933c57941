//! State machines, versions, aliases, activities and tags.
use crate::client::{Api, PREFIX, ROLE, pass, wait};
use serde_json::{Value, json};

fn names<'a>(answer: &'a Value, list: &str, member: &str) -> Vec<&'a str> {
    let entries = answer[list].as_array().unwrap().iter();
    entries
        .map(|entry| entry[member].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_state_machine_is_described_as_it_was_made() {
    let api = Api::new().await;
    let definition = r#"{ "StartAt": "A",  "States": {"A": {"Type": "Succeed"}} }"#;
    let request = json!({"name": "m", "definition": definition, "roleArn": ROLE, "publish": true,
        "versionDescription": "first", "tags": [{"key": "k", "value": "v"}]});
    let created = api.call("CreateStateMachine", request.clone()).await;
    assert_eq!(
        created["stateMachineVersionArn"],
        format!("{PREFIX}:stateMachine:m:1")
    );
    assert_eq!(api.call("CreateStateMachine", request).await, created);
    let arn = &created["stateMachineArn"];
    let described = api
        .call("DescribeStateMachine", json!({"stateMachineArn": arn}))
        .await;
    assert_eq!(
        described,
        json!({"creationDate": created["creationDate"], "definition": definition,
            "encryptionConfiguration": {"type": "AWS_OWNED_KEY"},
            "loggingConfiguration": {"includeExecutionData": false, "level": "OFF"}, "name": "m", "roleArn": ROLE,
            "stateMachineArn": arn, "status": "ACTIVE", "tracingConfiguration": {"enabled": false}, "type": "STANDARD"})
    );
    let version = json!({"stateMachineArn": created["stateMachineVersionArn"]});
    let described = api.call("DescribeStateMachine", version).await;
    assert_eq!(
        (&described["description"], &described["stateMachineArn"]),
        (&json!("first"), &created["stateMachineVersionArn"])
    );
    let metadata = json!({"stateMachineArn": arn, "includedData": "METADATA_ONLY"});
    assert!(
        api.call("DescribeStateMachine", metadata)
            .await
            .get("definition")
            .is_none()
    );
}

#[tokio::test]
async fn lists_are_paged_in_the_order_of_names() {
    let api = Api::new().await;
    for name in ["m_10_", "m_1_", "m_0_"] {
        api.machine(name, &pass()).await;
    }
    let first = api
        .call("ListStateMachines", json!({"maxResults": 2}))
        .await;
    assert_eq!(names(&first, "stateMachines", "name"), ["m_0_", "m_10_"]);
    let token = first["nextToken"].as_str().unwrap();
    let second = api
        .call(
            "ListStateMachines",
            json!({"maxResults": 2, "nextToken": token}),
        )
        .await;
    assert_eq!(names(&second, "stateMachines", "name"), ["m_1_"]);
    assert!(second.get("nextToken").is_none());
    let refused = api
        .refused("ListActivities", json!({"nextToken": token}))
        .await;
    assert_eq!(
        refused,
        (
            "InvalidToken".into(),
            "Invalid Token: 'Invalid token'".into()
        )
    );
}

#[tokio::test]
async fn updates_versions_and_aliases_go_together() {
    let api = Api::new().await;
    let machine = api.machine("m", &pass()).await;
    let publish = json!({"stateMachineArn": machine});
    let first = api
        .call("PublishStateMachineVersion", publish.clone())
        .await;
    let update =
        json!({"stateMachineArn": machine, "definition": wait().to_string(), "publish": true});
    let updated = api.call("UpdateStateMachine", update).await;
    assert_eq!(updated["stateMachineVersionArn"], format!("{machine}:2"));
    assert!(updated["revisionId"].is_string());
    let list = json!({"stateMachineArn": machine, "maxResults": 1});
    let versions = api.call("ListStateMachineVersions", list).await;
    assert_eq!(
        names(&versions, "stateMachineVersions", "stateMachineVersionArn"),
        [format!("{machine}:2")]
    );
    let rest = json!({"stateMachineArn": machine, "nextToken": versions["nextToken"]});
    let rest = api.call("ListStateMachineVersions", rest).await;
    assert_eq!(
        rest["stateMachineVersions"][0],
        json!({"creationDate": first["creationDate"], "stateMachineVersionArn": format!("{machine}:1")})
    );

    let routes = json!([{"stateMachineVersionArn": format!("{machine}:1"), "weight": 100}]);
    for name in ["B", "A"] {
        let create = json!({"name": name, "routingConfiguration": routes, "description": "d"});
        api.call("CreateStateMachineAlias", create).await;
    }
    let list = json!({"stateMachineArn": machine, "maxResults": 1});
    let aliases = api.call("ListStateMachineAliases", list).await;
    assert_eq!(
        names(&aliases, "stateMachineAliases", "stateMachineAliasArn"),
        [format!("{machine}:B")]
    );
    let alias = json!({"stateMachineAliasArn": format!("{machine}:A")});
    let described = api.call("DescribeStateMachineAlias", alias.clone()).await;
    assert_eq!(
        (
            &described["routingConfiguration"],
            &described["description"]
        ),
        (&routes, &json!("d"))
    );
    let version = json!({"stateMachineVersionArn": format!("{machine}:1")});
    assert_eq!(
        api.refused("DeleteStateMachineVersion", version.clone())
            .await
            .0,
        "ConflictException"
    );
    let to_second = json!({"stateMachineAliasArn": format!("{machine}:A"),
        "routingConfiguration": [{"stateMachineVersionArn": format!("{machine}:2"), "weight": 100}]});
    api.call("UpdateStateMachineAlias", to_second).await;
    api.call(
        "DeleteStateMachineAlias",
        json!({"stateMachineAliasArn": format!("{machine}:B")}),
    )
    .await;
    api.call("DeleteStateMachineVersion", version).await;
    api.call("DeleteStateMachineAlias", alias.clone()).await;
    let gone = api.refused("DescribeStateMachineAlias", alias).await;
    assert_eq!(gone.1, "Request references a resource that does not exist.");
}

#[tokio::test]
async fn what_runs_is_stopped_before_its_state_machine_goes() {
    let api = Api::new().await;
    let machine = api.machine("m", &wait()).await;
    let execution = api.start(&machine, "e").await;
    let named = json!({"stateMachineArn": machine});
    assert_eq!(
        api.call("DeleteStateMachine", named.clone()).await,
        json!({})
    );
    assert_eq!(api.ended(&execution).await["status"], "ABORTED");
    while api
        .with_headers("DescribeStateMachine", "", &named)
        .await
        .status
        == 200
    {}
    assert_eq!(
        api.refused("StartExecution", named.clone()).await.0,
        "StateMachineDoesNotExist"
    );
    assert_eq!(api.call("DeleteStateMachine", named).await, json!({}));
    api.machine("m", &pass()).await;
}

#[tokio::test]
async fn names_roles_and_definitions_are_looked_at() {
    let api = Api::new().await;
    let create = |name: &str, role: &str, definition: Value| json!({"name": name, "roleArn": role, "definition": definition.to_string()});
    for (request, code) in [
        (create("a b", ROLE, pass()), "InvalidName"),
        (create("a", "role", pass()), "InvalidArn"),
        (create("a", ROLE, json!({})), "InvalidDefinition"),
        (create(&"a".repeat(81), ROLE, pass()), "ValidationException"),
    ] {
        assert_eq!(api.refused("CreateStateMachine", request).await.0, code);
    }
    let machine = api.machine("m", &pass()).await;
    let refused = api
        .refused("UpdateStateMachine", json!({"stateMachineArn": machine}))
        .await;
    assert_eq!(refused.0, "MissingRequiredParameter");
    let version = json!({"stateMachineArn": format!("{machine}:2")});
    assert_eq!(
        api.refused("DescribeStateMachine", version).await.1,
        format!("State Machine Does Not Exist: '{machine}:2'")
    );
}

#[tokio::test]
async fn machines_and_activities_have_tags() {
    let api = Api::new().await;
    let machine = api.machine("m", &pass()).await;
    let created = api
        .call(
            "CreateActivity",
            json!({"name": "a", "tags": [{"key": "x", "value": "0"}]}),
        )
        .await;
    for arn in [machine.as_str(), created["activityArn"].as_str().unwrap()] {
        let tags = json!([{"key": "x", "value": "1"}, {"key": "y", "value": "2"}]);
        api.call("TagResource", json!({"resourceArn": arn, "tags": tags}))
            .await;
        let listed = api
            .call("ListTagsForResource", json!({"resourceArn": arn}))
            .await;
        assert_eq!(listed["tags"], tags);
        api.call(
            "UntagResource",
            json!({"resourceArn": arn, "tagKeys": ["x", "z"]}),
        )
        .await;
        let listed = api
            .call("ListTagsForResource", json!({"resourceArn": arn}))
            .await;
        assert_eq!(listed["tags"], json!([{"key": "y", "value": "2"}]));
    }
    let version = format!("{machine}:1");
    let refused = api
        .refused("TagResource", json!({"resourceArn": version, "tags": []}))
        .await;
    assert_eq!(refused.1, format!("Resource not found: '{version}'"));
}

#[tokio::test]
async fn what_many_change_at_a_time_is_lost_by_none() {
    let api = Api::new().await;
    let machine = api.machine("m", &pass()).await;
    let mut tagged = tokio::task::JoinSet::new();
    for number in 0..30 {
        let tags = json!([{"key": format!("k{number}"), "value": ""}]);
        let request = json!({"resourceArn": machine, "tags": tags});
        tagged.spawn(api.request("TagResource", request));
    }
    let answers = tagged.join_all().await;
    assert!(
        answers.iter().all(|answer| answer.status == 200),
        "{answers:?}"
    );
    let listed = api
        .call("ListTagsForResource", json!({"resourceArn": machine}))
        .await;
    assert_eq!(listed["tags"].as_array().unwrap().len(), 30);
}
