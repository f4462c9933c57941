//! Roles that states name in "Credentials" (Amazon States Language, Task State, Credentials).
use asl_aws::signature::Credentials;
use asl_aws::{CallOptions, Caller};
use asl_engine::TaskError;
use asl_engine::runtime::Task;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// The time for which assumed credentials are used: less than the hour that they are valid.
const LIFETIME: Duration = Duration::from_secs(50 * 60);
/// The name of the sessions.
const SESSION: &str = "asl";

/// Credentials of roles, by ARN.
#[derive(Debug, Default)]
pub(super) struct Roles(Mutex<BTreeMap<String, (Credentials, Instant)>>);

impl Roles {
    /// Returns the credentials of the role of a task; None for a task without a role.
    pub(super) async fn credentials(
        &self,
        caller: &Caller,
        task: &Task,
    ) -> Result<Option<Credentials>, TaskError> {
        let role = task
            .credentials()
            .and_then(|it| it.get("RoleArn")?.as_str());
        let Some(role) = role else {
            return Ok(None);
        };
        // Tasks of the same role wait for one call.
        let mut assumed = self.0.lock().await;
        if let Some((credentials, end)) = assumed.get(role)
            && *end > Instant::now()
        {
            return Ok(Some(credentials.clone()));
        }
        let credentials = assume(caller, role).await?;
        let end = Instant::now() + LIFETIME;
        assumed.insert(role.to_owned(), (credentials.clone(), end));
        Ok(Some(credentials))
    }
}

async fn assume(caller: &Caller, role: &str) -> Result<Credentials, TaskError> {
    let parameters = json!({"RoleArn": role, "RoleSessionName": SESSION});
    let options = CallOptions::default();
    let called = caller.call("sts", "assumeRole", &parameters, &options);
    let failed = |why: String| TaskError::failed(format!("cannot assume the role {role}: {why}"));
    let answer = called.await.map_err(|error| failed(error.to_string()))?;
    let text = |name: &str| {
        let member = answer.result.get("Credentials").and_then(|it| it.get(name));
        let member = member.and_then(Value::as_str).map(str::to_owned);
        member.ok_or_else(|| failed(format!("the response has no {name}")))
    };
    let keys = Credentials::new(text("AccessKeyId")?, text("SecretAccessKey")?);
    Ok(keys.with_session_token(text("SessionToken")?))
}
