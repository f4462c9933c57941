//! All of the data, and what is known of some of it.
use asl_services::{Kind, Services};

#[test]
fn every_service_can_be_read() {
    let services = Services::new();
    assert!(services.source().starts_with("botocore 1."));
    let (mut count, mut operations, mut members) = (0, 0, 0);
    for name in services.names() {
        let service = services
            .service(name)
            .unwrap_or_else(|| panic!("{name} is damaged"));
        assert_eq!(service.name(), name);
        count += 1;
        for operation in service.operations() {
            operations += 1;
            let sides = [operation.input(), operation.output()]
                .into_iter()
                .flatten();
            for side in sides {
                assert!(
                    matches!(side.kind(), Kind::Structure),
                    "{name} {}",
                    operation.name()
                );
                members += side.members().count();
            }
        }
    }
    assert!(
        count > 400 && operations > 19_000 && members > 80_000,
        "{count} {operations} {members}"
    );
}

#[test]
fn services_are_named_as_resources_name_them() {
    let services = Services::new();
    for (name, expected) in [
        ("sfn", "sfn"),
        ("states", "sfn"),
        ("stepfunctions", "sfn"),
        ("events", "eventbridge"),
        ("cloudwatchlogs", "cloudwatchlogs"),
        ("emr-serverless", "emrserverless"),
        ("elasticmapreduce", "emr"),
        ("elasticloadbalancingv2", "elasticloadbalancingv2"),
        ("config", "config"),
        ("configservice", "config"),
    ] {
        let service = services.service(name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(service.name(), expected);
    }
}

#[test]
fn shapes_have_what_the_api_says() {
    let services = Services::new();
    let kms = services.service("kms").expect("it is known");
    let encrypt = kms.operation("encrypt").expect("it is known");
    assert_eq!(encrypt.name(), "Encrypt");
    let output = encrypt.output().expect("a structure");
    let blob = output.member("CiphertextBlob").expect("a member").shape();
    assert!(matches!(blob.kind(), Kind::Blob));
    assert_eq!((blob.minimum(), blob.maximum()), (Some(1), Some(6144)));

    let algorithm = output
        .member("EncryptionAlgorithm")
        .expect("a member")
        .shape();
    assert!(algorithm.values().contains(&"SYMMETRIC_DEFAULT".to_owned()));
    let input = encrypt.input().expect("a structure");
    let required: Vec<&str> = input
        .members()
        .filter(|member| member.is_required())
        .map(|member| member.name())
        .collect();
    assert_eq!(required, ["KeyId", "Plaintext"]);
    assert!(kms.operation("nothing").is_none());
    assert!(output.member("Nothing").is_none());
}

#[test]
fn shapes_may_contain_themselves() {
    let services = Services::new();
    let dynamodb = services.service("dynamodb").expect("it is known");
    let put = dynamodb
        .operation("putItem")
        .and_then(|it| it.input())
        .expect("a structure");
    let item = put.member("Item").expect("a member");
    let Kind::Map { key, value } = item.shape().kind() else {
        panic!("a map of attributes")
    };
    assert_eq!(key.maximum(), Some(65_535));
    let Kind::List(inner) = value.member("L").expect("a member").shape().kind() else {
        panic!("a list of attributes")
    };
    assert!(inner.member("L").is_some());
}

#[test]
fn members_have_the_names_that_states_have_for_them() {
    let services = Services::new();
    let sfn = services.service("sfn").expect("it is known");
    let start = sfn
        .operation("startExecution")
        .and_then(|it| it.output())
        .expect("a structure");
    let arn = start
        .member("ExecutionArn")
        .expect("under the state's name");
    assert_eq!((arn.name(), arn.is_required()), ("executionArn", true));
    let s3 = services.service("s3").expect("it is known");
    let object = s3
        .operation("getObject")
        .and_then(|it| it.output())
        .expect("a structure");
    let key = object
        .member("SsekmsKeyId")
        .expect("under the state's name");
    assert_eq!(key.name(), "SSEKMSKeyId");
    assert_eq!(key.step_functions_names(), ["SSEKMSKeyId", "SsekmsKeyId"]);
}
