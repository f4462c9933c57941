//! Functions, resources and events of templates.
mod common;

use asl_template::{
    ApplicationSource, CodeSource, File, FileSystem, FunctionSource, ReadOptions, Substitutions,
    read_application,
};
use serde_json::json;
use std::path::PathBuf;

fn application(name: &str, text: &str) -> ApplicationSource {
    let given = Substitutions::default();
    read_application(
        File::new(name, text),
        &ReadOptions::new(&FileSystem, &given),
    )
}

fn path(path: &str) -> CodeSource {
    CodeSource::Path(PathBuf::from(path))
}

fn named<'a>(application: &'a ApplicationSource, id: &str) -> &'a FunctionSource {
    let mut functions = application.functions.iter();
    functions.find(|it| it.id == id).expect(id)
}

const SAM: &str = r#"
Transform: AWS::Serverless-2016-10-31
Globals:
  Function: {Runtime: python3.12, Timeout: 20, CodeUri: src/, Layers: [!Ref Shared], Environment: {Variables: {STAGE: dev, LEVEL: info}}}
Parameters: {Prefix: {Type: String, Default: shop}}
Conditions: {Never: !Equals [a, b]}
Resources:
  Charge:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: !Sub "${Prefix}-charge"
      Handler: charge.handler
      Environment: {Variables: {TABLE: !Ref Orders, QUEUE: !Ref Queue, LEVEL: debug, MACHINE: !Ref Flow, SELF: !GetAtt Flow.Name}}
      Events:
        Post: {Type: Api, Properties: {Path: /charge, Method: post}}
  Refund:
    Type: AWS::Serverless::Function
    Properties: {Handler: index.handler, Runtime: nodejs22.x, InlineCode: "exports.handler = async () => 1;", Timeout: 5, MemorySize: 512}
  Hidden: {Type: AWS::Serverless::Function, Condition: Never, Properties: {}}
  Boxed: {Type: AWS::Serverless::Function, Properties: {PackageType: Image, ImageUri: "1.dkr.ecr/x:latest"}}
  Shared: {Type: AWS::Serverless::LayerVersion, Properties: {ContentUri: layer/}}
  Orders: {Type: AWS::DynamoDB::Table, Properties: {TableName: !Sub "${Prefix}-orders", KeySchema: [{AttributeName: id, KeyType: HASH}]}}
  Queue: {Type: AWS::SQS::Queue, Properties: {QueueName: work}}
  Flow:
    Type: AWS::Serverless::StateMachine
    Properties:
      Name: !Sub "${Prefix}-flow"
      Events: {Hourly: {Type: Schedule, Properties: {Schedule: rate(1 hour), Input: '{"a": 1}'}}}
      Definition: {StartAt: A, States: {A: {Type: Task, Resource: !GetAtt Charge.Arn, End: true}}}
"#;

#[test]
fn functions_of_sam_have_what_the_globals_say() {
    let application = application("app/template.yaml", SAM);
    assert_eq!(application.functions.len(), 3);
    let charge = named(&application, "Charge");
    assert_eq!((charge.name.as_str(), charge.line), ("shop-charge", 9));
    assert_eq!(charge.runtime.as_deref(), Some("python3.12"));
    assert_eq!((charge.timeout, charge.memory), (Some(20), None));
    assert_eq!(charge.code, path("app/src"));
    assert_eq!(charge.layers, [path("app/layer")]);
    let variables: Vec<(&str, &str)> = charge
        .environment
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let machine = "arn:aws:states:us-east-1:000000000000:stateMachine:shop-flow";
    let queue = "https://sqs.us-east-1.amazonaws.com/000000000000/work";
    let expected = [
        ("LEVEL", "debug"),
        ("MACHINE", machine),
        ("QUEUE", queue),
        ("SELF", "shop-flow"),
        ("STAGE", "dev"),
        ("TABLE", "shop-orders"),
    ];
    assert_eq!(variables, expected);
    assert_eq!(charge.events[0].event_type, "Api");
    assert_eq!(charge.events[0].properties["Path"], "/charge");
    let refund = named(&application, "Refund");
    let inline = "exports.handler = async () => 1;".to_owned();
    assert_eq!(refund.code, CodeSource::Inline(inline));
    assert_eq!((refund.timeout, refund.memory), (Some(5), Some(512)));
    let image = CodeSource::Elsewhere("1.dkr.ecr/x:latest".to_owned());
    assert_eq!(named(&application, "Boxed").code, image);
}

#[test]
fn machines_resources_and_events_have_their_names() {
    let application = application("template.yaml", SAM);
    let flow = &application.machines[0];
    assert_eq!(flow.resource_name(), Some("shop-flow"));
    let definition = flow.definition().unwrap().as_str();
    let arn = "arn:aws:lambda:us-east-1:000000000000:function:shop-charge";
    assert!(definition.contains(arn), "{definition}");
    let resources: Vec<(&str, &str)> = application
        .resources
        .iter()
        .map(|it| (it.resource_type.as_str(), it.name.as_str()))
        .collect();
    let expected = [
        ("AWS::Serverless::LayerVersion", "Shared"),
        ("AWS::DynamoDB::Table", "shop-orders"),
        ("AWS::SQS::Queue", "work"),
    ];
    assert_eq!(resources, expected);
    let keys = &application.resources[1].properties["KeySchema"];
    assert_eq!(keys, &json!([{"AttributeName": "id", "KeyType": "HASH"}]));
    let event = &application.events[0];
    assert_eq!(
        (event.target.as_str(), event.event_type.as_str()),
        ("Flow", "Schedule")
    );
    assert_eq!(event.properties["Input"], r#"{"a": 1}"#);
}

#[test]
fn names_that_lead_in_a_circle_end() {
    let text = "
AWSTemplateFormatVersion: '2010-09-09'
Resources:
  A: {Type: AWS::SQS::Queue, Properties: {QueueName: !Sub '${B.QueueName}x'}}
  B: {Type: AWS::SQS::Queue, Properties: {QueueName: !Sub '${A.QueueName}y'}}
  C: {Type: AWS::SQS::Queue, Properties: {QueueName: !ImportValue other}}
";
    let application = application("template.yaml", text);
    let names = application.resources.iter().map(|it| it.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["Bx", "Bxy", "C"]);
}

#[test]
fn assets_of_cdk_are_the_code() {
    let text = json!({"Resources": {
        "F1": {"Type": "AWS::Lambda::Function", "Metadata": {"aws:asset:path": "asset.abc"},
            "Properties": {"Runtime": "nodejs22.x", "Handler": "index.handler", "Code": {"S3Bucket": "b", "S3Key": "abc.zip"}}},
        "F2": {"Type": "AWS::Lambda::Function", "Properties": {"Code": {"ZipFile": "def handler(e, c): pass"}}},
        "F3": {"Type": "AWS::Lambda::Function", "Properties": {"Code": {"S3Bucket": "b", "S3Key": "k.zip"}}},
    }});
    let application = application("cdk.out/Stack.template.json", &text.to_string());
    assert_eq!(named(&application, "F1").code, path("cdk.out/asset.abc"));
    let inline = CodeSource::Inline("def handler(e, c): pass".to_owned());
    assert_eq!(named(&application, "F2").code, inline);
    let elsewhere = CodeSource::Elsewhere("k.zip".to_owned());
    assert_eq!(named(&application, "F3").code, elsewhere);
}

#[test]
fn functions_of_serverless_have_what_the_provider_says() {
    let text = r#"
service: shop
provider: {name: aws, runtime: nodejs22.x, stage: "${opt:stage, 'test'}", environment: {STAGE: "${self:provider.stage}"}}
functions:
  charge:
    handler: src/charge.handler
    timeout: 9
    environment: {TABLE: !Ref Orders}
    events: [{httpApi: 'POST /charge'}, {schedule: rate(1 hour)}]
  refund: {handler: refund.handler, name: own-name, runtime: python3.12}
stepFunctions:
  stateMachines:
    flow:
      name: "flow-${self:provider.stage}"
      events: [{http: {path: start, method: POST}}]
      definition: {StartAt: A, States: {A: {Type: Task, Resource: !GetAtt charge.Arn, End: true}}}
resources:
  Resources:
    Orders: {Type: AWS::DynamoDB::Table, Properties: {TableName: "orders-${self:provider.stage}"}}
"#;
    let application = application("shop/serverless.yml", text);
    let charge = named(&application, "charge");
    assert_eq!(charge.name, "charge");
    assert_eq!(charge.code, path("shop"));
    assert_eq!(charge.handler.as_deref(), Some("src/charge.handler"));
    assert_eq!((charge.timeout, charge.memory), (Some(9), Some(1024)));
    assert_eq!(charge.environment["STAGE"], "test");
    assert_eq!(charge.environment["TABLE"], "orders-test");
    let post = json!({"Method": "POST", "Path": "/charge"});
    assert_eq!(charge.events[0].properties, post);
    assert_eq!(charge.events[1].event_type, "Schedule");
    let refund = named(&application, "refund");
    assert_eq!(
        (refund.name.as_str(), refund.runtime.as_deref()),
        ("own-name", Some("python3.12"))
    );
    assert_eq!(application.machines[0].resource_name(), Some("flow-test"));
    let definition = application.machines[0].definition().unwrap().as_str();
    assert!(definition.contains("function:charge"), "{definition}");
    assert_eq!(application.events[0].properties["Path"], "/start");
}

#[test]
fn functions_of_a_plan_have_the_folder_that_is_packed() {
    let function = json!({"address": "aws_lambda_function.charge", "mode": "managed", "type": "aws_lambda_function", "values": {
        "function_name": "charge", "handler": "app.handler", "runtime": "python3.12", "timeout": 7, "memory_size": 256,
        "filename": "build/charge.zip", "environment": [{"variables": {"STAGE": "dev"}}]}});
    let table = json!({"address": "aws_dynamodb_table.orders", "type": "aws_dynamodb_table", "values": {
        "name": "orders", "hash_key": "id", "attribute": [{"name": "id", "type": "S"}]}});
    let archive = json!({"address": "data.archive_file.charge", "mode": "data", "type": "archive_file",
        "values": {"output_path": "build/charge.zip", "source_dir": "functions/charge"}});
    let plan = json!({"format_version": "1.2",
        "planned_values": {"root_module": {"resources": [table], "child_modules": [{"resources": [function]}]}},
        "prior_state": {"values": {"root_module": {"resources": [archive]}}}});
    let application = application("infra/plan.json", &plan.to_string());
    let charge = &application.functions[0];
    assert_eq!(charge.code, path("infra/functions/charge"));
    assert_eq!(
        (charge.name.as_str(), charge.timeout, charge.memory),
        ("charge", Some(7), Some(256))
    );
    assert_eq!(charge.environment["STAGE"], "dev");
    let table = &application.resources[0];
    assert_eq!(
        (table.name.as_str(), table.resource_type.as_str()),
        ("orders", "AWS::DynamoDB::Table")
    );
    let expected = json!({
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    });
    assert_eq!(table.properties, expected);
}

#[test]
fn code_outside_of_the_repository_is_not_taken() {
    let text = "Transform: AWS::Serverless-2016-10-31\nResources:\n  F: {Type: AWS::Serverless::Function, Properties: {CodeUri: ../../../../../../../../etc, \
                Layers: [!Ref L]}}\n  L: {Type: AWS::Serverless::LayerVersion, Properties: {ContentUri: /etc}}\n";
    let outside =
        |code: &CodeSource| matches!(code, CodeSource::Outside(path) if path.ends_with("etc"));
    let found = application("app/template.yaml", text);
    assert!(outside(&found.functions[0].code), "{found:?}");
    assert!(outside(&found.functions[0].layers[0]), "{found:?}");
    let given = Substitutions::default();
    let reading = ReadOptions::new(&FileSystem, &given).anywhere(true);
    let found = read_application(File::new("app/template.yaml", text), &reading);
    assert!(matches!(found.functions[0].code, CodeSource::Path(_)));
}

#[test]
fn loops_make_functions_and_state_machines() {
    let template = r#"
AWSTemplateFormatVersion: "2010-09-09"
Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Parameters: {Regions: {Type: CommaDelimitedList, Default: "North,South"}}
Resources:
  Fn::ForEach::Ships:
    - Region
    - !Ref Regions
    - Ship${Region}:
        Type: AWS::Serverless::Function
        Properties: {Runtime: python3.12, Handler: app.handler, CodeUri: "ship-${Region}/"}
      Order${Region}:
        Type: AWS::Serverless::StateMachine
        Properties:
          Name: !Sub "order-${Region}"
          Definition:
            StartAt: Ship
            States: {Ship: {Type: Task, Resource: !GetAtt [!Sub "Ship${Region}", Arn], End: true}}
"#;
    let found = application("template.yaml", template);
    let functions: Vec<_> = found
        .functions
        .iter()
        .map(|it| (&*it.id, it.line))
        .collect();
    assert_eq!(functions, [("ShipNorth", 10), ("ShipSouth", 10)]);
    assert_eq!(named(&found, "ShipSouth").code, path("ship-South"));
    let machines = found.machines.iter();
    let machines: Vec<_> = machines
        .map(|it| (it.name().unwrap(), it.resource_name().unwrap()))
        .collect();
    assert_eq!(
        machines,
        [("OrderNorth", "order-North"), ("OrderSouth", "order-South")]
    );
    let definition = found.machines[1].definition().unwrap();
    let resource = "arn:aws:lambda:us-east-1:000000000000:function:ShipSouth";
    assert!(
        definition.as_str().contains(resource),
        "{}",
        definition.as_str()
    );
    let at = definition.as_str().find("\"Task\"").unwrap();
    let offset = definition.place_at(at).unwrap().offset;
    assert_eq!(template[..offset].lines().count(), 18);
}

/// Files in memory.
struct Folder(&'static [(&'static str, &'static str)]);

impl asl_template::Files for Folder {
    fn read(&self, path: &std::path::Path) -> Result<String, String> {
        let mut files = self.0.iter();
        let found = files.find(|(name, _)| std::path::Path::new(name) == path);
        let found = found.map(|(_, text)| (*text).to_owned());
        found.ok_or_else(|| "it is not there".to_owned())
    }
}

const STACKS: Folder = Folder(&[
    (
        "template.yaml",
        r#"
Transform: AWS::Serverless-2016-10-31
Parameters: {Stage: {Type: String, Default: test}}
Resources:
  Flow:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition: {StartAt: A, States: {A: {Type: Task, Resource: !GetAtt Work.Outputs.ShipArn, End: true}}}
  Work:
    Type: AWS::Serverless::Application
    Properties:
      Location: work/template.yaml
      Parameters: {Stage: !Ref Stage, Table: !GetAtt Data.Outputs.TableName}
  Data: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: ./data.yaml}}
  Shared: {Type: AWS::Serverless::Application, Properties: {Location: {ApplicationId: "arn:aws:serverlessrepo", SemanticVersion: 1.0.0}}}
"#,
    ),
    (
        "work/template.yaml",
        r#"
Transform: AWS::Serverless-2016-10-31
Parameters: {Stage: {Type: String}, Table: {Type: String}}
Resources:
  Ship:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: !Sub "ship-${Stage}"
      Runtime: python3.12
      Handler: app.handler
      CodeUri: src/
      Environment: {Variables: {TABLE: !Ref Table}}
Outputs: {ShipArn: {Value: !GetAtt Ship.Arn}}
"#,
    ),
    (
        "data.yaml",
        "Resources: {Orders: {Type: AWS::DynamoDB::Table, Properties: {TableName: orders}}}\nOutputs: {TableName: {Value: !Ref Orders}}\n",
    ),
    (
        "circle.yaml",
        "Transform: AWS::Serverless-2016-10-31\nResources: {Again: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: circle.yaml}}, More: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: circle.yaml}}}\n",
    ),
]);

fn application_of(name: &str) -> ApplicationSource {
    use asl_template::Files as _;
    let given = Substitutions::default();
    let reading = ReadOptions::new(&STACKS, &given).anywhere(true);
    let text = STACKS.read(name.as_ref()).unwrap();
    read_application(File::new(name, text), &reading)
}

#[test]
fn the_parts_of_nested_stacks_are_parts_of_the_application() {
    let found = application_of("template.yaml");
    let ship = named(&found, "Ship");
    assert_eq!(ship.name, "ship-test");
    assert_eq!(ship.code, path("work/src"));
    assert_eq!(ship.environment["TABLE"], "orders");
    let definition = found.machines[0].definition().unwrap().as_str();
    let arn = "arn:aws:lambda:us-east-1:000000000000:function:ship-test";
    assert!(definition.contains(arn), "{definition}");
    let resources: Vec<_> = found.resources.iter().map(|it| &*it.id).collect();
    assert_eq!(resources, ["Orders"]);
    assert_eq!(
        found.templates,
        ["work/template.yaml", "data.yaml"].map(PathBuf::from)
    );
    let findings: Vec<String> = found.findings.iter().map(ToString::to_string).collect();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(
        findings[0].contains("the template of the nested stack 'Shared' is not on this machine"),
        "{findings:?}"
    );
}

#[test]
fn stacks_that_lead_in_a_circle_end() {
    let found = application_of("circle.yaml");
    assert!(!found.findings.is_empty());
    assert!(
        found.findings[0].to_string().contains("too deep"),
        "{}",
        found.findings[0]
    );
}
