//! Aliases of state machines, and which version a start by one reaches.
use super::{Change, StateMachineRecord};
use crate::arn::{Arn, StateMachineArn};
use crate::protocol::{ApiError, ErrorCode};
use asl_engine::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// As the service's quotas have it.
const MOST: usize = 100;
/// Sum of the weights of an alias.
const WHOLE: u64 = 100;

/// An alias.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Alias {
    pub(crate) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    pub(crate) routes: Vec<Route>,
    pub(crate) creation_date: Timestamp,
    pub(crate) update_date: Timestamp,
}

/// A version that an alias leads to, and how often of a hundred times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Route {
    pub(crate) version: u64,
    pub(crate) weight: u64,
}

/// A member of "routingConfiguration".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RoutingRequest {
    pub(crate) state_machine_version_arn: String,
    pub(crate) weight: u64,
}

/// CreateStateMachineAlias, as far as the record decides on it.
#[derive(Debug, Clone)]
pub(crate) struct AliasRequest {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) routes: Vec<Route>,
    pub(crate) now: Timestamp,
}

impl Alias {
    /// Returns the version that an execution of this name reaches: the same one, whenever it is said again.
    pub(crate) fn version_for(&self, execution_name: &str) -> Option<u64> {
        let digest = Sha256::digest(execution_name.as_bytes());
        let bytes = digest.first_chunk::<8>().copied().unwrap_or_default();
        let mut left = u64::from_be_bytes(bytes) % WHOLE;
        self.routes.iter().find_map(|route| {
            let reached = left < route.weight;
            left = left.saturating_sub(route.weight);
            reached.then_some(route.version)
        })
    }
}

/// Reads a routing configuration: the state machine whose versions it names, and how often each.
///
/// # Errors
/// ValidationException, in the recorded order: versions they are, distinct, of one state machine, and 100 in all.
pub(crate) fn routes(given: &[RoutingRequest]) -> Result<(StateMachineArn, Vec<Route>), ApiError> {
    let refused = |message: String| ApiError {
        reason: Some("INVALID_ROUTING_CONFIGURATION"),
        ..ApiError::validation(message)
    };
    let arns: Vec<&str> = given
        .iter()
        .map(|route| route.state_machine_version_arn.as_str())
        .collect();
    let shown = arns.join(", ");
    let read: Result<Vec<StateMachineArn>, ApiError> =
        arns.iter().map(|arn| Arn::state_machine(arn)).collect();
    let read = read?;
    let versions: Option<Vec<u64>> = read.iter().map(StateMachineArn::version).collect();
    let (Some(machine), Some(versions)) = (read.first(), versions) else {
        return Err(refused(format!(
            "Routing configuration must contain state machine version ARNs. Received: [{shown}]"
        )));
    };
    let is_repeated = |index: usize| {
        arns.iter()
            .skip(index + 1)
            .any(|arn| arns.get(index) == Some(arn))
    };
    if (0..arns.len()).any(is_repeated) {
        return Err(refused(format!(
            "Routing configuration must contain distinct state machine version ARNs. Received: [{shown}]"
        )));
    }
    if read
        .iter()
        .any(|arn| arn.unqualified() != machine.unqualified())
    {
        return Err(refused(format!(
            "Routing configuration must contain versions of the same state machine. Received: [{shown}]"
        )));
    }
    let weights = given.iter().map(|route| route.weight);
    if weights.clone().fold(0, u64::saturating_add) != WHOLE {
        let shown: Vec<String> = weights.map(|weight| weight.to_string()).collect();
        return Err(refused(format!(
            "Sum of routing configuration weights must equal 100. Received: [{}]",
            shown.join(", ")
        )));
    }
    let routes = versions.into_iter().zip(weights);
    let routes = routes.map(|(version, weight)| Route { version, weight });
    Ok((machine.clone(), routes.collect()))
}

impl StateMachineRecord {
    pub(crate) fn alias(&self, name: &str) -> Option<&Alias> {
        self.aliases.iter().find(|alias| alias.name == name)
    }

    /// Makes an alias. The same request is answered the same; any other of its name is refused (recorded).
    pub(crate) fn create_alias(
        record: Option<Self>,
        arn: &str,
        request: &AliasRequest,
    ) -> Result<Change<Self, Timestamp>, ApiError> {
        let mut record = Self::with_aliases(record, arn)?;
        record.check_routes(&request.routes)?;
        if let Some(known) = record.alias(&request.name) {
            let is_same =
                known.description == request.description && known.routes == request.routes;
            return match is_same {
                true => Ok(Change::None(known.creation_date)),
                false => Err(ApiError::new(
                    ErrorCode::Conflict,
                    "Failed to create alias because an alias with the same name and a different routing configuration \
                     already exists.",
                )),
            };
        }
        if record.aliases.len() >= MOST {
            return Err(ApiError::new(
                ErrorCode::ServiceQuotaExceeded,
                format!(
                    "The state machine has {MOST} aliases, the most that are possible: delete some first."
                ),
            ));
        }
        record.aliases.push(Alias {
            name: request.name.clone(),
            description: request.description.clone(),
            routes: request.routes.clone(),
            creation_date: request.now,
            update_date: request.now,
        });
        Ok(Change::Write(record, request.now))
    }

    /// Changes an alias; None keeps a value.
    pub(crate) fn update_alias(
        record: Option<Self>,
        arn: &str,
        name: &str,
        description: Option<&str>,
        routes: Option<&[Route]>,
        now: Timestamp,
    ) -> Result<Change<Self, Timestamp>, ApiError> {
        let mut record = Self::with_aliases(record, arn)?;
        if let Some(routes) = routes {
            record.check_routes(routes)?;
        }
        let mut aliases = record.aliases.iter_mut();
        let alias = aliases
            .find(|alias| alias.name == name)
            .ok_or_else(ApiError::no_reference)?;
        if let Some(description) = description {
            alias.description = Some(description.to_owned());
        }
        if let Some(routes) = routes {
            alias.routes = routes.to_vec();
        }
        alias.update_date = now;
        Ok(Change::Write(record, now))
    }

    /// Deletes an alias. One that is not there is gone already (recorded).
    pub(crate) fn delete_alias(record: Option<Self>, name: &str) -> Change<Self, ()> {
        let Some(mut record) = record else {
            return Change::None(());
        };
        let before = record.aliases.len();
        record.aliases.retain(|alias| alias.name != name);
        let is_gone = record.aliases.len() < before;
        Change::written_if(is_gone, record, ())
    }

    /// Returns the record of the state machine of an alias.
    ///
    /// # Errors
    ///
    /// ResourceNotFound if it does not exist, or StateMachineDeleting.
    fn with_aliases(record: Option<Self>, arn: &str) -> Result<Self, ApiError> {
        let record = record.ok_or_else(ApiError::no_reference)?;
        Self::active(Some(record), arn)
    }

    fn check_routes(&self, routes: &[Route]) -> Result<(), ApiError> {
        let is_there = |route: &Route| self.version(route.version).is_some();
        match routes.iter().all(is_there) {
            true => Ok(()),
            false => Err(ApiError::no_reference()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::machine::tests::{created, update};
    use super::*;

    const MACHINE: &str = "arn:aws:states:us-east-1:000000000000:stateMachine:m";

    fn request(versions: &[(&str, u64)]) -> Vec<RoutingRequest> {
        let request = |(qualifier, weight): &(&str, u64)| RoutingRequest {
            state_machine_version_arn: format!("{MACHINE}{qualifier}"),
            weight: *weight,
        };
        versions.iter().map(request).collect()
    }

    fn refused(versions: &[(&str, u64)]) -> String {
        routes(&request(versions)).unwrap_err().message
    }

    fn alias(weights: &[(u64, u64)]) -> AliasRequest {
        let route = |(version, weight): &(u64, u64)| Route {
            version: *version,
            weight: *weight,
        };
        AliasRequest {
            name: "PROD".into(),
            description: Some("d".into()),
            routes: weights.iter().map(route).collect(),
            now: Timestamp::from_milliseconds(3),
        }
    }

    fn two_versions() -> StateMachineRecord {
        match StateMachineRecord::update(Some(created("a", true)), &update("b", "r", true)) {
            Ok(Change::Write(record, _)) => record,
            other => panic!("{other:?}"),
        }
    }

    fn with_alias(record: StateMachineRecord, request: &AliasRequest) -> StateMachineRecord {
        match StateMachineRecord::create_alias(Some(record), MACHINE, request) {
            Ok(Change::Write(record, _)) => record,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn routes_are_of_distinct_versions_and_whole() {
        let (machine, read) = routes(&request(&[(":1", 70), (":2", 30)])).unwrap();
        assert_eq!(machine.unqualified(), MACHINE);
        assert_eq!(
            read,
            [(1, 70), (2, 30)].map(|(version, weight)| Route { version, weight })
        );
        assert_eq!(
            refused(&[("", 70), (":2", 30)]),
            format!(
                "Routing configuration must contain state machine version ARNs. Received: [{MACHINE}, {MACHINE}:2]"
            )
        );
        assert_eq!(
            refused(&[(":1", 50), (":1", 50)]),
            format!(
                "Routing configuration must contain distinct state machine version ARNs. Received: [{MACHINE}:1, {MACHINE}:1]"
            )
        );
        assert_eq!(
            refused(&[(":1", 70), (":2", 29)]),
            "Sum of routing configuration weights must equal 100. Received: [70, 29]"
        );
        assert!(refused(&[(":1", 70), ("x:2", 30)]).contains("the same state machine"));
    }

    #[test]
    fn a_start_said_again_reaches_the_same_version() {
        let record = with_alias(two_versions(), &alias(&[(1, 20), (2, 80)]));
        let alias = record.alias("PROD").unwrap();
        let reached = |n: u32| alias.version_for(&format!("execution-{n}")).unwrap();
        let first = (0..10_000).filter(|n| reached(*n) == 1).count();
        assert!((1_800..2_200).contains(&first), "{first}");
        assert!((0..100).all(|n| reached(n) == reached(n)));
        let all = Alias {
            routes: vec![
                Route {
                    version: 1,
                    weight: 0,
                },
                Route {
                    version: 2,
                    weight: 100,
                },
            ],
            ..alias.clone()
        };
        assert!((0..1_000).all(|n| all.version_for(&n.to_string()) == Some(2)));
    }

    #[test]
    fn an_alias_of_the_same_name_is_the_same_or_refused() {
        let record = with_alias(two_versions(), &alias(&[(1, 100)]));
        let again = AliasRequest {
            now: Timestamp::from_milliseconds(99),
            ..alias(&[(1, 100)])
        };
        let answer = StateMachineRecord::create_alias(Some(record.clone()), MACHINE, &again);
        assert_eq!(answer, Ok(Change::None(Timestamp::from_milliseconds(3))));
        let described = AliasRequest {
            description: None,
            ..alias(&[(1, 100)])
        };
        for other in [alias(&[(2, 100)]), described] {
            let error = StateMachineRecord::create_alias(Some(record.clone()), MACHINE, &other);
            assert_eq!(error.unwrap_err().code, ErrorCode::Conflict);
        }
    }

    #[test]
    fn a_version_that_is_not_there_is_no_reference() {
        let error =
            StateMachineRecord::create_alias(Some(two_versions()), MACHINE, &alias(&[(3, 100)]));
        assert_eq!(error, Err(ApiError::no_reference()));
        let error = StateMachineRecord::create_alias(None, MACHINE, &alias(&[(1, 100)]));
        assert_eq!(error, Err(ApiError::no_reference()));
    }

    #[test]
    fn a_version_that_an_alias_leads_to_stays() {
        let record = with_alias(two_versions(), &alias(&[(1, 100)]));
        let error = StateMachineRecord::delete_version(Some(record.clone()), 1).unwrap_err();
        assert!(
            error
                .message
                .ends_with("aliases referencing this version: [PROD]")
        );
        let Change::Write(record, ()) = StateMachineRecord::delete_alias(Some(record), "PROD")
        else {
            panic!("there was one")
        };
        assert!(StateMachineRecord::delete_version(Some(record.clone()), 1).is_ok());
        assert_eq!(
            StateMachineRecord::delete_alias(Some(record), "PROD"),
            Change::None(())
        );
    }

    #[test]
    fn what_is_not_named_stays_in_an_update() {
        let record = with_alias(two_versions(), &alias(&[(1, 100)]));
        let now = Timestamp::from_milliseconds(8);
        let routes = [Route {
            version: 2,
            weight: 100,
        }];
        let updated = StateMachineRecord::update_alias(
            Some(record.clone()),
            MACHINE,
            "PROD",
            None,
            Some(&routes),
            now,
        );
        let Ok(Change::Write(record, date)) = updated else {
            panic!("{updated:?}")
        };
        let alias = record.alias("PROD").unwrap();
        assert_eq!(
            (alias.description.as_deref(), &*alias.routes),
            (Some("d"), &routes[..])
        );
        assert_eq!((date, alias.update_date), (now, now));
        let missing =
            StateMachineRecord::update_alias(Some(record), MACHINE, "DEV", Some("x"), None, now);
        assert_eq!(missing, Err(ApiError::no_reference()));
    }
}
