//! The jobs, held against the models of their services.
use super::catalogue::all;
use super::*;
use crate::aws::cluster_calls;
use asl_aws::services::{Operation, Service, Services};

fn operation_of<'s>(service: &'s Service, name: &str) -> Operation<'s> {
    let name = match service.name() {
        "emr" => cluster_calls::api_operation(name),
        _ => name,
    };
    service
        .operation(name)
        .unwrap_or_else(|| panic!("{name} of {}", service.name()))
}

/// Members of the request, and those that it must have. Of clusters, Step Functions has its own.
fn check_request(service: &Service, operation: &str, members: Members) {
    let object = json!({"a": "b"});
    let request = members
        .iter()
        .map(|it| (it.name.to_owned(), object.clone()));
    let request = Value::Object(request.collect());
    let request = match service.name() {
        "emr" => cluster_calls::api_parameters(operation, &request).into_owned(),
        _ => request,
    };
    let sent = request.as_object().unwrap();
    let same = |own: &str, other: &str| own.eq_ignore_ascii_case(other);
    let shape = operation_of(service, operation).input().unwrap();
    let known: Vec<_> = shape.members().collect();
    for name in sent.keys() {
        assert!(
            known.iter().any(|it| same(it.name(), name)),
            "{operation}: {name}"
        );
    }
    for member in known.iter().filter(|member| member.is_required()) {
        assert!(
            sent.keys().any(|name| same(name, member.name())),
            "{operation} needs {}",
            member.name()
        );
    }
}

#[test]
fn requests_about_jobs_are_those_of_the_models() {
    let services = Services::new();
    assert_eq!(all().len(), 19);
    for kind in all() {
        let service = services.called_service(kind.service, kind.submits).unwrap();
        operation_of(&service, kind.submits);
        check_request(&service, kind.polled().unwrap(), kind.asked_by);
        if let Some((operation, members)) = kind.stopped_by {
            check_request(&service, operation, members);
        }
    }
}

#[test]
fn requests_are_made_of_the_submission_and_the_arguments() {
    let kind = JobKind::find("glue", "startJobRun").unwrap();
    let arguments = json!({"JobName": "import", "Timeout": 5});
    let submission = json!({"JobRunId": "jr_1"});
    let asked = request(kind.asked_by, &arguments, &submission);
    assert_eq!(asked, json!({"JobName": "import", "RunId": "jr_1"}));
    let (operation, members) = kind.stopped_by.unwrap();
    let stop = request(members, &arguments, &submission);
    assert_eq!(operation, "batchStopJobRun");
    assert_eq!(stop, json!({"JobName": "import", "JobRunIds": ["jr_1"]}));
}

#[test]
fn a_job_is_over_by_its_status() {
    let kind = JobKind::find("batch", "submitJob").unwrap();
    let report = |status: &str| json!({"Jobs": [{"Status": status}]});
    assert_eq!(kind.has_succeeded(&report("RUNNABLE")), None);
    assert_eq!(kind.has_succeeded(&report("SUCCEEDED")), Some(true));
    assert_eq!(kind.has_succeeded(&report("FAILED")), Some(false));
    assert_eq!(kind.has_succeeded(&json!({"Jobs": []})), None);
}

#[test]
fn a_task_of_ecs_succeeds_if_each_container_exited_with_0() {
    let kind = JobKind::find("ecs", "runTask").unwrap();
    let report = |status: &str, codes: Value| {
        let containers: Vec<Value> = codes.as_array().unwrap().clone();
        json!({"Tasks": [{"LastStatus": status, "Containers": containers}]})
    };
    let codes = json!([{"ExitCode": 0}, {"ExitCode": 0}]);
    assert_eq!(kind.has_succeeded(&report("RUNNING", codes.clone())), None);
    assert_eq!(kind.has_succeeded(&report("STOPPED", codes)), Some(true));
    let codes = json!([{"ExitCode": 0}, {"ExitCode": 3}]);
    assert_eq!(kind.has_succeeded(&report("STOPPED", codes)), Some(false));
    // A container that never ran has no code.
    let codes = json!([{"Reason": "CannotPullContainerError"}]);
    assert_eq!(kind.has_succeeded(&report("STOPPED", codes)), Some(false));
}

#[test]
fn results_have_the_shape_that_states_read() {
    let result = |service, operation, report: Value, submission: Value| {
        let kind = JobKind::find(service, operation).unwrap();
        kind.result(&report, &submission)
    };
    let query = json!({"QueryExecution": {"QueryExecutionId": "q"}});
    let of_query = result("athena", "startQueryExecution", query.clone(), json!({}));
    assert_eq!(of_query, query);
    let builds = json!({"Builds": [{"Id": "b"}]});
    let of_build = result("codebuild", "startBuild", builds, json!({}));
    assert_eq!(of_build, json!({"Build": {"Id": "b"}}));
    let run = json!({"JobRun": {"Id": "jr"}});
    assert_eq!(
        result("glue", "startJobRun", run, json!({})),
        json!({"Id": "jr"})
    );
    let cluster = json!({"Cluster": {"Id": "j"}});
    let created = json!({"ClusterId": "j"});
    let of_cluster = result("elasticmapreduce", "createCluster", cluster, created);
    assert_eq!(
        of_cluster,
        json!({"ClusterId": "j", "Cluster": {"Id": "j"}})
    );
}

#[test]
fn jobs_of_batch_have_the_variable_of_step_functions() {
    let kind = JobKind::find("batch", "submitJob").unwrap();
    let own = json!({"Name": "A", "Value": "1"});
    let arguments = json!({"JobName": "j", "ContainerOverrides": {"Environment": [own]}});
    let variable = json!({"Name": "MANAGED_BY_AWS", "Value": "STARTED_BY_STEP_FUNCTIONS"});
    let environment = &kind.parameters(&arguments)["ContainerOverrides"]["Environment"];
    assert_eq!(*environment, json!([own, variable]));
    let of_nodes = json!({"JobName": "j", "NodeOverrides": {"NumNodes": 2}});
    assert_eq!(*kind.parameters(&of_nodes), of_nodes);
}
