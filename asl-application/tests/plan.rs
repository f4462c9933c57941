//! Plans, their differences, and routes.
use asl_application::{Plan, Route, RouteTarget};
use asl_template::{Files, ReadOptions, Substitutions};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

struct Memory(BTreeMap<PathBuf, String>);

impl Files for Memory {
    fn read(&self, path: &Path) -> Result<String, String> {
        let text = self.0.get(path);
        text.cloned().ok_or_else(|| "no such file".to_owned())
    }
}

fn plan(files: &[(&str, &str)]) -> Plan {
    let files = files.iter();
    let files: BTreeMap<PathBuf, String> = files
        .map(|(path, text)| (PathBuf::from(path), (*text).to_owned()))
        .collect();
    let given = Substitutions::default();
    let sources: Vec<PathBuf> = files.keys().cloned().collect();
    Plan::read(&sources, &ReadOptions::new(&Memory(files), &given))
}

const MACHINE: &str = "  Order: {Type: AWS::Serverless::StateMachine, Properties: {Definition: {StartAt: A, States: {A: {Type: Succeed}}}, Events: {Go: {Type: HttpApi, Properties: {Path: /go, Method: POST}}}}}\n";

fn template(resources: &str) -> String {
    format!("Transform: AWS::Serverless-2016-10-31\nResources:\n{resources}")
}

fn function(name: &str, more: &str) -> String {
    format!(
        "  {name}: {{Type: AWS::Serverless::Function, Properties: {{Runtime: python3.12, Handler: a.b, CodeUri: c/{more}}}}}\n"
    )
}

#[test]
fn two_plans_differ_by_what_was_changed() {
    let first = template(&(MACHINE.to_owned() + &function("A", "") + &function("B", "")));
    let second = template(
        &(MACHINE.replace("Succeed", "Fail")
            + &function("A", ", Timeout: 9")
            + &function("C", "")
            + "  Queue: {Type: AWS::SQS::Queue}\n"),
    );
    let (first, second) = (plan(&[("t.yaml", &first)]), plan(&[("t.yaml", &second)]));
    let difference = second.difference(&first);
    assert_eq!(difference.changed_machines, ["Order"]);
    assert_eq!(difference.changed_functions, ["A", "C"]);
    assert_eq!(difference.removed_functions, ["B"]);
    assert_eq!(difference.changed_resources, ["Queue"]);
    assert!(second.difference(&second).is_empty());
    assert_eq!(
        Plan::default().difference(&second).removed_machines,
        ["Order"]
    );
}

#[test]
fn definitions_are_state_machines_called_like_their_files() {
    let yaml = "StartAt: A\nStates: {A: {Type: Succeed}}\n";
    let plan = plan(&[
        ("flows/pay.asl.yaml", yaml),
        ("broken.yaml", "Resources: ["),
        ("other.json", "{}"),
    ]);
    let machine = &plan.machines[0];
    assert_eq!((plan.machines.len(), machine.name.as_str()), (1, "pay"));
    let definition: serde_json::Value =
        serde_json::from_str(&machine.definition().unwrap()).unwrap();
    assert_eq!(definition["StartAt"], "A");
    let unreadable: Vec<String> = plan
        .unreadable
        .iter()
        .map(|(path, why)| format!("{}: {why}", path.display()))
        .collect();
    assert!(
        unreadable[0].starts_with("broken.yaml: it is neither a template nor a definition: "),
        "{unreadable:?}"
    );
    assert_eq!(
        unreadable[1],
        "other.json: it is neither a template nor a definition"
    );
}

fn answering(routes: &[Route], api: &str, method: &str, path: &str) -> Option<(String, String)> {
    let mut routes = routes.iter().filter(|route| route.api == api);
    routes.find_map(|route| {
        let parameters = route.parameters_of(method, path)?;
        let target = match &route.target {
            RouteTarget::Function(name) | RouteTarget::StateMachine(name) => name.clone(),
            _ => return None,
        };
        let parameters: Vec<String> = parameters
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        Some((target, parameters.join(",")))
    })
}

#[test]
fn requests_find_the_most_special_route() {
    let event = |path: &str, method: &str, api: &str| {
        format!(
            ", Events: {{E: {{Type: Api, Properties: {{Path: '{path}', Method: {method}{api}}}}}}}"
        )
    };
    let text = template(
        &(MACHINE.to_owned()
            + &function("Any", &event("/{proxy+}", "any", ""))
            + &function("One", &event("/orders/{id}", "get", ""))
            + &function("New", &event("/orders/new", "get", ""))
            + &function("Own", &event("/x", "get", ", RestApiId: !Ref Api"))
            + "  Api: {Type: AWS::Serverless::Api, Properties: {StageName: v1}}\n"
            + "  Raw: {Type: AWS::ApiGateway::RestApi}\n"
            + "  Part: {Type: AWS::ApiGateway::Resource, Properties: {ParentId: !GetAtt Raw.RootResourceId, PathPart: a, RestApiId: !Ref Raw}}\n"
            + "  Sub: {Type: AWS::ApiGateway::Resource, Properties: {ParentId: !Ref Part, PathPart: '{b}', RestApiId: !Ref Raw}}\n"
            + "  Method: {Type: AWS::ApiGateway::Method, Properties: {HttpMethod: PUT, ResourceId: !Ref Sub, RestApiId: !Ref Raw, Integration: {Type: AWS_PROXY, Uri: !Sub 'arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${One.Arn}/invocations'}}}\n"),
    );
    let routes = plan(&[("t.yaml", &text)]).routes();
    for (api, method, path, expected) in [
        (
            "ServerlessRestApi",
            "GET",
            "/Prod/orders/new",
            Some(("New", "")),
        ),
        (
            "ServerlessRestApi",
            "GET",
            "/Prod/orders/7",
            Some(("One", "id=7")),
        ),
        (
            "ServerlessRestApi",
            "PUT",
            "/Prod/orders/7",
            Some(("Any", "proxy=orders/7")),
        ),
        ("ServerlessRestApi", "GET", "/Prod", None),
        ("ServerlessRestApi", "GET", "/other/orders/7", None),
        ("Api", "GET", "/v1/x", Some(("Own", ""))),
        ("Api", "GET", "/v1/x/y", None),
        ("ServerlessHttpApi", "POST", "/go", Some(("Order", ""))),
        ("Raw", "PUT", "/Prod/a/1", Some(("One", "b=1"))),
    ] {
        let expected =
            expected.map(|(target, parameters)| (target.to_owned(), parameters.to_owned()));
        assert_eq!(
            answering(&routes, api, method, path),
            expected,
            "{method} {path}"
        );
    }
}
