//! Histories: by replay while an execution runs, and sealed afterwards.
use super::common::Folder;
use super::common::served::{ServeProcess, ended};
use super::{EXECUTION, Restate, patiently, start_named, until};
use serde_json::{Value, json};

/// Returns the ids of all events, page by page.
fn ids(server: &ServeProcess, is_reversed: bool) -> Vec<u64> {
    let mut request =
        json!({"executionArn": EXECUTION, "maxResults": 700, "reverseOrder": is_reversed});
    let mut ids = Vec::new();
    loop {
        let answer = server.call("GetExecutionHistory", &request.to_string());
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let page: Value = serde_json::from_str(body).unwrap();
        let events = page["events"]
            .as_array()
            .unwrap_or_else(|| panic!("{answer}"));
        ids.extend(events.iter().map(|event| event["id"].as_u64().unwrap()));
        match &page["nextToken"] {
            Value::Null => return ids,
            token => request["nextToken"] = token.clone(),
        }
    }
}

#[test]
fn a_history_is_sealed_at_the_end_and_read_by_pages() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let server = restate.serve(&folder, &[]);
    let definition = r#"{"StartAt": "W", "States": {
        "W": {"Type": "Wait", "Seconds": 1, "Next": "M"},
        "M": {"Type": "Map", "ItemsPath": "$.a", "End": true, "ItemProcessor": {
            "StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}}}}"#;
    let items: Vec<u32> = (0..600).collect();
    start_named(&server, definition, &json!({"a": items}).to_string());
    let named = json!({"executionArn": EXECUTION}).to_string();
    until(&server, "GetExecutionHistory", &named, "WaitStateEntered");
    ended(&server);
    let records =
        "SELECT key FROM state WHERE service_name = 'AslExecution' AND key LIKE 'record-%'";
    patiently(|| match restate.query(records).contains("record-") {
        true => Err("the records are still there".to_owned()),
        false => Ok(()),
    });
    server.end("-KILL");

    let server = restate.serve(&folder, &[]);
    let mut all = ids(&server, false);
    assert!(all.len() > 2_000, "{}", all.len());
    assert_eq!(all, (1..=all.len() as u64).collect::<Vec<_>>());
    all.reverse();
    assert_eq!(ids(&server, true), all);
}
