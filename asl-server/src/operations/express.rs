//! Express executions that are waited for.
use super::start::{Request, input, name, refused, target, type_not_supported};
use super::{IncludedData, date, members, read, text};
use crate::api::{Api, Call};
use crate::protocol::ApiError;
use asl_backend::EndedExpress;
use asl_engine::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Unit to which the billed duration is rounded up.
const BILLED_MILLISECONDS: u64 = 100;
/// The least memory that is billed; what an execution takes is not measured here.
const BILLED_MEGABYTES: u64 = 64;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StartSync {
    #[serde(flatten)]
    start: Request,
    #[serde(default)]
    included_data: IncludedData,
}

pub(super) async fn start(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let StartSync {
        start: request,
        included_data,
    } = read(call.request)?;
    let name = name(&request)?;
    let target = target(api, &request.state_machine_arn, &name).await?;
    if !target.revision.is_express() {
        return Err(type_not_supported());
    }
    let input = input(request.input)?;
    let arn = target.express_arn(&name)?;
    let machine_arn = target.machine_arn.clone();
    let trace_header = request.trace_header;
    let sent = Arc::clone(input.text());
    let start = target.start(name.clone(), input, trace_header.clone(), Some(arn.clone()))?;
    let ended = api.backend.run_express(start).await;
    let ended = ended.map_err(|error| refused(error, &arn))?;
    let includes_data = included_data == IncludedData::AllData;
    let data = |data: Option<Arc<str>>| text(data.filter(|_| includes_data));
    let details = || Some(json!({ "included": includes_data }));
    Ok(members([
        ("billingDetails", Some(billing(&ended))),
        ("cause", text(ended.error_output.cause.as_ref())),
        ("error", text(ended.error_output.error.as_ref())),
        ("executionArn", Some(arn.into())),
        ("input", data(Some(sent))),
        ("inputDetails", details()),
        ("name", Some(name.into())),
        ("output", data(ended.output)),
        ("outputDetails", details()),
        ("startDate", Some(date(ended.start_date))),
        ("stateMachineArn", Some(machine_arn.into())),
        ("status", Some(ended.status.word().into())),
        ("stopDate", Some(date(ended.stop_date))),
        ("traceHeader", text(trace_header)),
    ]))
}

fn billing(ended: &EndedExpress) -> Value {
    json!({
        "billedDurationInMilliseconds": billed_milliseconds(ended.start_date, ended.stop_date),
        "billedMemoryUsedInMB": BILLED_MEGABYTES,
    })
}

fn billed_milliseconds(start: Timestamp, stop: Timestamp) -> u64 {
    let taken = stop.duration_since(start).as_millis();
    let begun = u64::try_from(taken)
        .unwrap_or(u64::MAX)
        .div_ceil(BILLED_MILLISECONDS);
    begun.max(1).saturating_mul(BILLED_MILLISECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tenth_of_a_second_that_was_begun_is_billed() {
        let billed = |milliseconds| {
            billed_milliseconds(
                Timestamp::default(),
                Timestamp::from_milliseconds(milliseconds),
            )
        };
        assert_eq!(
            [0, 1, 100, 101, 1_000].map(billed),
            [100, 100, 100, 200, 1_000]
        );
    }
}
