//! Operations of `elasticmapreduce`, which Step Functions names and shapes by their purpose (Step Functions Developer Guide,
//! Amazon EMR): the API has one operation for lists where a state adds one step, and calls a cluster a job flow.
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The service, as resources name it.
pub(super) const SERVICE: &str = "elasticmapreduce";

/// Returns the operation of the API.
pub(super) fn api_operation(operation: &str) -> &str {
    match operation {
        "createCluster" => "runJobFlow",
        "addStep" => "addJobFlowSteps",
        "cancelStep" => "cancelSteps",
        "terminateCluster" => "terminateJobFlows",
        "setClusterTerminationProtection" => "setTerminationProtection",
        other => other,
    }
}

/// Returns the parameters of the API.
pub(super) fn api_parameters<'p>(operation: &str, parameters: &'p Value) -> Cow<'p, Value> {
    let Value::Object(members) = parameters else {
        return Cow::Borrowed(parameters);
    };
    let renamed: &[(&str, &str, bool)] = match operation {
        "addStep" => &[("ClusterId", "JobFlowId", false), ("Step", "Steps", true)],
        "cancelStep" => &[("StepId", "StepIds", true)],
        "terminateCluster" | "setClusterTerminationProtection" => {
            &[("ClusterId", "JobFlowIds", true)]
        }
        _ => return Cow::Borrowed(parameters),
    };
    let members = members.iter().map(|(name, value)| {
        let renamed = renamed.iter().find(|(own, ..)| own == name);
        match renamed {
            Some((_, api, true)) => ((*api).to_owned(), json!([value])),
            Some((_, api, false)) => ((*api).to_owned(), value.clone()),
            None => (name.clone(), value.clone()),
        }
    });
    Cow::Owned(Value::Object(members.collect::<Map<_, _>>()))
}

/// Returns the result, as Step Functions shapes it.
pub(super) fn shown(operation: &str, mut result: Value) -> Value {
    match operation {
        "createCluster" => json!({
            "ClusterId": result["JobFlowId"].take(),
            "ClusterArn": result["ClusterArn"].take(),
        }),
        "addStep" => json!({"StepId": result["StepIds"][0].take()}),
        "cancelStep" => result["CancelStepsInfoList"][0].take(),
        _ => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_becomes_a_list_of_the_api_and_its_id_comes_back() {
        let parameters = json!({"ClusterId": "j-1", "Step": {"Name": "s"}});
        let sent = json!({"JobFlowId": "j-1", "Steps": [{"Name": "s"}]});
        assert_eq!(*api_parameters("addStep", &parameters), sent);
        assert_eq!(
            shown("addStep", json!({"StepIds": ["s-1"]})),
            json!({"StepId": "s-1"})
        );
    }

    #[test]
    fn a_cluster_is_a_job_flow_of_the_api() {
        let parameters = json!({"ClusterId": "j-1", "TerminationProtected": true});
        let sent = json!({"JobFlowIds": ["j-1"], "TerminationProtected": true});
        let operation = "setClusterTerminationProtection";
        assert_eq!(*api_parameters(operation, &parameters), sent);
        let created = json!({"JobFlowId": "j-1", "ClusterArn": "arn"});
        let shown = shown("createCluster", created);
        assert_eq!(shown, json!({"ClusterId": "j-1", "ClusterArn": "arn"}));
    }
}
