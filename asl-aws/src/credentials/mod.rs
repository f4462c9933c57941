//! Keys: of the environment, of profiles, of programs that profiles name, and of the container or instance.
mod metadata;

use crate::connection::HttpClient;
use crate::endpoint::Endpoint;
use crate::settings::Settings;
use crate::signature::Credentials;
use crate::timestamp::now;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use std::fmt;
use std::process::Stdio;
use std::time::Duration;
use tokio::sync::Mutex;

/// Maximum time of a program.
const PROCESS_TIMEOUT: Duration = Duration::from_secs(60);
/// Keys are renewed so long before they expire.
const RENEWED_BEFORE: TimeDelta = TimeDelta::minutes(5);

/// No keys can be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CredentialsError {
    /// Nothing names keys.
    #[error(
        "no credentials for AWS: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE with keys or credential_process \
         (profile '{profile}')"
    )]
    Missing {
        /// The profile.
        profile: String,
    },
    /// The program that a profile names returned none.
    #[error("the credential_process of the profile '{profile}' failed: {reason}")]
    Process {
        /// The profile.
        profile: String,
        /// The reason.
        reason: String,
    },
}

/// Keys, and when they expire.
type Keys = (Credentials, Option<DateTime<Utc>>);

/// Returns keys, and keeps those that expire.
pub(crate) struct KeyProvider {
    fixed: Option<Credentials>,
    /// The keys of a program, a container or an instance.
    current: Mutex<Option<Keys>>,
}

impl fmt::Debug for KeyProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyProvider").finish_non_exhaustive()
    }
}

impl KeyProvider {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            fixed: settings.credentials(),
            current: Mutex::default(),
        }
    }

    pub(crate) async fn keys(
        &self,
        settings: &Settings,
        endpoint: &Endpoint,
        connections: &HttpClient,
    ) -> Result<Credentials, CredentialsError> {
        if let Some(fixed) = &self.fixed {
            return Ok(fixed.clone());
        }
        let process = settings.profile_setting("credential_process");
        // A simulation of AWS on this machine accepts any keys.
        match process.filter(|_| !endpoint.is_loopback()) {
            Some(command) => {
                let profile = settings.profile();
                self.current(async {
                    run(command)
                        .await
                        .map_err(|reason| CredentialsError::Process {
                            profile: profile.to_owned(),
                            reason,
                        })
                })
                .await
            }
            None if !endpoint.is_of_aws => Ok(Credentials::new("test", "test")),
            None => {
                self.current(async {
                    let missing = || CredentialsError::Missing {
                        profile: settings.profile().to_owned(),
                    };
                    let found = metadata::keys(settings, connections).await;
                    found.ok_or_else(missing)
                })
                .await
            }
        }
    }

    /// Returns the present keys, or new ones when they expire soon.
    async fn current(
        &self,
        renewing: impl Future<Output = Result<Keys, CredentialsError>>,
    ) -> Result<Credentials, CredentialsError> {
        let mut current = self.current.lock().await;
        if let Some((credentials, expires)) = &*current
            && expires.is_none_or(|expires| expires - RENEWED_BEFORE > now())
        {
            return Ok(credentials.clone());
        }
        let found = renewing.await?;
        let credentials = found.0.clone();
        *current = Some(found);
        Ok(credentials)
    }
}

async fn run(command: &str) -> Result<Keys, String> {
    let (shell, flag) = if cfg!(windows) {
        ("cmd", "/C")
    } else {
        ("sh", "-c")
    };
    let running = tokio::process::Command::new(shell)
        .args([flag, command])
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(PROCESS_TIMEOUT, running).await;
    let output = output.map_err(|_| format!("it took more than {PROCESS_TIMEOUT:?}"))?;
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}", output.status, said.trim()));
    }
    parse(&output.stdout)
}

/// The output of a program (AWS SDKs and Tools Reference Guide, Process credential provider), or an answer about a container or
/// an instance, which calls the token by another name.
fn parse(output: &[u8]) -> Result<Keys, String> {
    let value: Value = serde_json::from_slice(output).map_err(|_| "its output is not JSON")?;
    let text = |name: &str| value[name].as_str();
    let (Some(id), Some(secret)) = (text("AccessKeyId"), text("SecretAccessKey")) else {
        return Err("its output has no AccessKeyId or no SecretAccessKey".to_owned());
    };
    let mut credentials = Credentials::new(id, secret);
    if let Some(token) = text("SessionToken").or(text("Token")) {
        credentials = credentials.with_session_token(token);
    }
    let expires = text("Expiration").and_then(|text| text.parse().ok());
    Ok((credentials, expires))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_a_program_has_keys() {
        let output =
            br#"{"Version": 1, "AccessKeyId": "i", "SecretAccessKey": "s", "SessionToken": "t",
            "Expiration": "2030-01-01T00:00:00Z"}"#;
        let (credentials, expires) = parse(output).unwrap();
        assert_eq!(
            credentials,
            Credentials::new("i", "s").with_session_token("t")
        );
        assert!(expires.is_some());
        let error = parse(br#"{"AccessKeyId": "i"}"#).unwrap_err();
        assert!(error.contains("SecretAccessKey"), "{error}");
        // The output is a secret.
        assert!(!parse(b"hidden").unwrap_err().contains("hidden"));
    }

    fn settings(config: &str) -> Settings {
        let home = ("HOME".to_owned(), "/u".to_owned());
        let config = config.to_owned();
        Settings::new([home], move |path| {
            path.ends_with("config").then(|| config.clone())
        })
    }

    async fn keys(
        provider: &KeyProvider,
        settings: &Settings,
    ) -> Result<Credentials, CredentialsError> {
        let mut endpoint = Endpoint::parse("https://aws", "r").unwrap();
        endpoint.is_of_aws = true;
        let connections = HttpClient::new(1 << 20);
        provider.keys(settings, &endpoint, &connections).await
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_program_runs_once_until_its_keys_expire() {
        let provider = KeyProvider::new(&Settings::default());
        let folder = std::env::temp_dir().join(format!("asl-aws-keys-{}", std::process::id()));
        let _ = std::fs::remove_file(&folder);
        let command = format!(
            "echo x >> {}; echo '{{\"AccessKeyId\": \"i\", \"SecretAccessKey\": \"s\"}}'",
            folder.display()
        );
        let config = format!("[default]\ncredential_process = {command}\n");
        let settings = settings(&config);
        for _ in 0..2 {
            let keys = keys(&provider, &settings).await.unwrap();
            assert_eq!(keys.access_key_id, "i");
        }
        let runs = std::fs::read_to_string(&folder).unwrap();
        std::fs::remove_file(&folder).unwrap();
        assert_eq!(runs.lines().count(), 1);
        let failing = self::settings("[default]\ncredential_process = echo no >&2; exit 3\n");
        let error = keys(&KeyProvider::new(&failing), &failing).await;
        let error = error.unwrap_err().to_string();
        assert!(error.contains("exit status: 3: no"), "{error}");
    }
}
