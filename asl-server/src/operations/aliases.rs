//! Aliases.
use super::{date, members, nothing, read, text};
use crate::api::{Api, Call};
use crate::arn::{Arn, Qualifier, StateMachineArn};
use crate::catalogue::{
    Alias, AliasRequest, Key, Route, RoutingRequest, StateMachineRecord, routes,
};
use crate::page::{Pages, cut, page_size};
use crate::protocol::ApiError;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Create {
    name: String,
    description: Option<String>,
    routing_configuration: Vec<RoutingRequest>,
}

pub(super) async fn create(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: Create = read(call.request)?;
    let (machine, routes) = routes(&request.routing_configuration)?;
    let unqualified = machine.unqualified();
    let alias = AliasRequest {
        name: request.name,
        description: request.description,
        routes,
        now: api.backend.now(),
    };
    let key = Key::new(&machine.scope, &machine.name);
    let create = |record| StateMachineRecord::create_alias(record, &unqualified, &alias);
    let creation_date = api.catalogue.change(&key, create).await?;
    Ok(json!({
        "creationDate": date(creation_date),
        "stateMachineAliasArn": format!("{unqualified}:{}", alias.name),
    }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AliasArnRequest {
    state_machine_alias_arn: String,
}

pub(super) async fn describe(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: AliasArnRequest = read(call.request)?;
    let (arn, name) = alias_arn(&request.state_machine_alias_arn)?;
    let record = api.machine(&arn.scope, &arn.name).await?;
    let alias = record.as_ref().and_then(|record| record.alias(&name));
    let alias = alias.ok_or_else(ApiError::no_reference)?;
    Ok(members([
        ("creationDate", Some(date(alias.creation_date))),
        ("description", text(alias.description.as_ref())),
        ("name", Some(name.into())),
        ("routingConfiguration", Some(routing(&arn, &alias.routes))),
        ("stateMachineAliasArn", Some(arn.to_string().into())),
        ("updateDate", Some(date(alias.update_date))),
    ]))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Update {
    state_machine_alias_arn: String,
    description: Option<String>,
    routing_configuration: Option<Vec<RoutingRequest>>,
}

pub(super) async fn update(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: Update = read(call.request)?;
    let (arn, name) = alias_arn(&request.state_machine_alias_arn)?;
    let routes = match &request.routing_configuration {
        None if request.description.is_none() => {
            return Err(ApiError {
                reason: Some("MISSING_REQUIRED_PARAMETER"),
                ..ApiError::validation(
                    "Either the description or the routing configuration must be specified",
                )
            });
        }
        None => None,
        Some(given) => Some(routes_of(&arn, given)?),
    };
    let key = Key::new(&arn.scope, &arn.name);
    let now = api.backend.now();
    let unqualified = arn.unqualified();
    let update = |record| {
        let (description, routes) = (request.description.as_deref(), routes.as_deref());
        StateMachineRecord::update_alias(record, &unqualified, &name, description, routes, now)
    };
    let update_date = api.catalogue.change(&key, update).await?;
    Ok(json!({ "updateDate": date(update_date) }))
}

pub(super) async fn delete(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: AliasArnRequest = read(call.request)?;
    let (arn, name) = alias_arn(&request.state_machine_alias_arn)?;
    let key = Key::new(&arn.scope, &arn.name);
    let delete = |record| Ok(StateMachineRecord::delete_alias(record, &name));
    api.catalogue.change(&key, delete).await?;
    Ok(nothing())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct List {
    state_machine_arn: String,
    max_results: Option<usize>,
    next_token: Option<String>,
}

/// Returns the oldest first (recorded); of a version, those that lead to it.
pub(super) async fn list(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: List = read(call.request)?;
    let arn = Arn::state_machine(&request.state_machine_arn)?;
    let record = api.machine(&arn.scope, &arn.name).await?;
    let record = StateMachineRecord::active(record, &request.state_machine_arn)?;
    let pages = Pages {
        list: &["ListStateMachineAliases", &request.state_machine_arn],
        now: api.backend.now(),
    };
    let after = pages.cursor(request.next_token.as_deref())?;
    let leads_here = |alias: &&Alias| match arn.version() {
        Some(number) => alias.routes.iter().any(|route| route.version == number),
        None => true,
    };
    let follows = |alias: &&Alias| after.as_ref().is_none_or(|after| place(alias) > *after);
    let size = page_size(request.max_results);
    let aliases = record.aliases.iter().filter(leads_here).filter(follows);
    let mut listed: Vec<&Alias> = aliases.collect();
    listed.sort_by_cached_key(|alias| place(alias));
    let next = cut(&mut listed, size).map(|last| pages.token(&place(last)));
    let entry = |alias: &&Alias| {
        json!({
            "creationDate": date(alias.creation_date),
            "stateMachineAliasArn": format!("{}:{}", arn.unqualified(), alias.name),
        })
    };
    let entries: Vec<Value> = listed.iter().map(entry).collect();
    Ok(members([
        ("stateMachineAliases", Some(entries.into())),
        ("nextToken", text(next)),
    ]))
}

/// Returns the position of an alias in the list, in order of creation.
fn place(alias: &Alias) -> String {
    format!("{:020}:{}", alias.creation_date.nanoseconds(), alias.name)
}

fn alias_arn(text: &str) -> Result<(StateMachineArn, String), ApiError> {
    let arn = Arn::state_machine(text)?;
    match &arn.qualifier {
        Some(Qualifier::Alias(name)) => {
            let name = name.clone();
            Ok((arn, name))
        }
        _ => Err(ApiError::validation(format!(
            "expected the ARN of an alias of a state machine, found '{text}'"
        ))),
    }
}

/// Returns the routes of an alias that there is: to versions of its own state machine.
fn routes_of(arn: &StateMachineArn, given: &[RoutingRequest]) -> Result<Vec<Route>, ApiError> {
    let (machine, routes) = routes(given)?;
    match machine.unqualified() == arn.unqualified() {
        true => Ok(routes),
        false => Err(ApiError::no_reference()),
    }
}

fn routing(arn: &StateMachineArn, routes: &[Route]) -> Value {
    let machine = arn.unqualified();
    let route = |route: &Route| RoutingRequest {
        state_machine_version_arn: format!("{machine}:{}", route.version),
        weight: route.weight,
    };
    json!(routes.iter().map(route).collect::<Vec<_>>())
}
