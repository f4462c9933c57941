//! Journal entries of the services, which earlier journals depend on.
//!
//! Where a change makes one of these texts another, journals that were begun before cannot be replayed any more: then
//! `SERVICES_VERSION` goes up with them, and the new build is deployed next to the old one. (What the core requests is of its own
//! version, and what a host makes of this is in `services/durable.rs`, `children.rs` and `execution.rs`: the same goes for it.)
use super::tests::nested::{NESTED, told};
use super::tests::{FUNCTION, at, run, task};
use super::*;
use crate::deployment::SERVICES_VERSION;
use crate::messages::JsonText;
use asl_engine::TaskAnswer;
use serde_json::json;

fn shape(definition: &str, happenings: impl IntoIterator<Item = HostEvent>) -> String {
    run(definition, happenings).unwrap().2.asked.join(", ")
}

fn slept(seconds: i64) -> HostEvent {
    let (due, now) = (at(seconds), at(seconds));
    HostEvent::Slept { due, now }
}

#[test]
fn journals_look_as_they_do_in_this_version_of_the_services() {
    assert_eq!(SERVICES_VERSION, 1);
    let answer = Ok(TaskAnswer::Completed(json!(1)).into());
    let performed = HostEvent::Performed(EffectId(0), PerformedRequest::new(at(101), answer));
    let one_task = shape(&task(FUNCTION), [performed]);
    assert_eq!(one_task, ONE_TASK);

    let fields = format!(r#"{FUNCTION}, "TimeoutSeconds": 50, "HeartbeatSeconds": 20"#);
    let heartbeats = [told(110, ExternalEvent::Heartbeat), slept(120), slept(130)];
    assert_eq!(shape(&task(&fields), heartbeats), HEARTBEATS);

    let output = JsonText::new(&json!({}));
    let nested = [
        told(102, ExternalEvent::Nested("arn:n".into())),
        told(103, ExternalEvent::Submitted(output.clone())),
        told(104, ExternalEvent::Success(output)),
    ];
    assert_eq!(shape(&task(NESTED), nested), WAITED_FOR);
}

const ONE_TASK: &str = "perform 0, sleep 86500, done 0";
const HEARTBEATS: &str = "open 0 0, perform 0, sleep 120, open 0 1, sleep 130, close 0, let go 0";
const WAITED_FOR: &str = "open 0 0, perform 0, sleep 86500, open 0 1, open 0 2, close 0, let go 0";
