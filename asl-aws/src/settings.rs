//! Settings that the tools of AWS share: variables of the environment, and the files `~/.aws/config` and `~/.aws/credentials`
//! (AWS SDKs and Tools Reference Guide).
use crate::endpoint::{Endpoint, EndpointError};
use crate::profile::Profiles;
use crate::signature::Credentials;
use asl_services::Interface;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

/// The region of a user who names none.
const DEFAULT_REGION: &str = "us-east-1";
const ENDPOINT: &str = "AWS_ENDPOINT_URL";

/// Endpoints of calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers choose")]
pub enum Target {
    /// To the endpoints that the settings name, and to no other.
    #[default]
    Named,
    /// To one endpoint for all services, except those for which the settings name one.
    Url(String),
    /// To AWS, except where the settings name an endpoint.
    Aws,
}

/// The settings. Files are read when a setting of theirs is needed.
#[derive(Clone)]
pub struct Settings {
    variables: BTreeMap<String, String>,
    profiles: Arc<LazyLock<Profiles, Box<dyn FnOnce() -> Profiles + Send>>>,
    target: Target,
}

impl Default for Settings {
    fn default() -> Self {
        Self::new([], |_| None)
    }
}

/// Secrets are not shown.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("target", &self.target)
            .field("profile", &self.profile())
            .field("region", &self.region())
            .finish_non_exhaustive()
    }
}

/// A service without an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoEndpoint {
    /// A setting is not valid.
    #[error("{setting}: {source}")]
    Invalid {
        /// Name of the setting.
        setting: String,
        /// The reason.
        source: EndpointError,
    },
    /// No setting names one.
    #[error("no endpoint is known for {service}: use --aws URL, set {variable}, or use --aws real")]
    Unknown {
        /// Name of the service.
        service: String,
        /// The variable that would name one.
        variable: String,
    },
}

impl Settings {
    /// Creates settings from variables. `read` returns the content of a file, or None.
    pub fn new(
        variables: impl IntoIterator<Item = (String, String)>,
        read: impl Fn(&PathBuf) -> Option<String> + Send + 'static,
    ) -> Self {
        let is_of_aws =
            |name: &str| name.starts_with("AWS_") || name == "HOME" || name == "USERPROFILE";
        let variables: BTreeMap<_, _> = variables
            .into_iter()
            .filter(|(name, value)| is_of_aws(name) && !value.is_empty())
            .collect();
        let home = variables.get("HOME").or(variables.get("USERPROFILE"));
        let path = |variable: &str, name: &str| {
            let named = variables.get(variable).map(PathBuf::from);
            named.or_else(|| Some(PathBuf::from(home?).join(".aws").join(name)))
        };
        let config = path("AWS_CONFIG_FILE", "config");
        let credentials = path("AWS_SHARED_CREDENTIALS_FILE", "credentials");
        let read_profiles = move || {
            let text =
                |path: Option<PathBuf>| path.and_then(|path| read(&path)).unwrap_or_default();
            Profiles::parse(&text(config), &text(credentials))
        };
        Self {
            variables,
            profiles: Arc::new(LazyLock::new(Box::new(read_profiles))),
            target: Target::Named,
        }
    }

    /// Reads the settings of this process.
    pub fn of_process() -> Self {
        let variables = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Self::new(variables, |path| std::fs::read_to_string(path).ok())
    }

    /// Sets the endpoints of calls.
    #[must_use]
    pub fn with_target(mut self, target: Target) -> Self {
        self.target = target;
        self
    }

    /// Returns the endpoints of calls.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Returns true if at least one service has an endpoint.
    pub fn has_endpoints(&self) -> bool {
        let mut variables = self.variables.keys();
        self.target != Target::Named
            || (variables.any(|name| name.starts_with(ENDPOINT)) && !self.ignores_endpoints())
    }

    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// Returns the name of the profile.
    pub fn profile(&self) -> &str {
        let named = self.variable("AWS_PROFILE");
        named
            .or_else(|| self.variable("AWS_DEFAULT_PROFILE"))
            .unwrap_or("default")
    }

    /// Returns a setting of the profile.
    pub(crate) fn profile_setting(&self, name: &str) -> Option<&str> {
        self.profiles.setting(self.profile(), name)
    }

    /// Returns the region.
    pub fn region(&self) -> &str {
        let named = self.variable("AWS_REGION");
        named
            .or_else(|| self.variable("AWS_DEFAULT_REGION"))
            .or_else(|| self.profile_setting("region"))
            .unwrap_or(DEFAULT_REGION)
    }

    /// Returns the keys that the settings contain.
    pub(crate) fn credentials(&self) -> Option<Credentials> {
        let of_environment = || {
            keys(
                self.variable("AWS_ACCESS_KEY_ID"),
                self.variable("AWS_SECRET_ACCESS_KEY"),
                self.variable("AWS_SESSION_TOKEN"),
            )
        };
        of_environment().or_else(|| {
            keys(
                self.profile_setting("aws_access_key_id"),
                self.profile_setting("aws_secret_access_key"),
                self.profile_setting("aws_session_token"),
            )
        })
    }

    fn ignores_endpoints(&self) -> bool {
        let ignores = self.variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS");
        let ignores = ignores.or_else(|| self.profile_setting("ignore_configured_endpoint_urls"));
        ignores.is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// Returns the endpoint of a service in a region. What names the service comes before what names all.
    ///
    /// ```
    /// use asl_aws::{Settings, Target, services::Services};
    ///
    /// let variable = ("AWS_ENDPOINT_URL_DYNAMODB".to_owned(), "http://localhost:8000".to_owned());
    /// let settings = Settings::new([variable], |_| None).with_target(Target::Url("http://localhost:4566".into()));
    /// let services = Services::new();
    /// let authority = |name: &str| {
    ///     let service = services.callable_service(name).unwrap();
    ///     settings.endpoint(service.interface().unwrap(), "us-east-1").unwrap().authority
    /// };
    /// assert_eq!(authority("dynamodb"), "localhost:8000");
    /// assert_eq!(authority("sqs"), "localhost:4566");
    /// ```
    ///
    /// # Errors
    /// If none is known, or a setting is not valid.
    pub fn endpoint(&self, interface: &Interface, region: &str) -> Result<Endpoint, NoEndpoint> {
        let name = id_in_settings(&interface.service_id);
        let variable = format!("{ENDPOINT}_{}", name.to_uppercase());
        let uses_configured = !self.ignores_endpoints();
        let configured = |name: &str| self.variable(name).filter(|_| uses_configured);
        let of_profile = |service: Option<&str>| {
            let found = self.profiles.endpoint(self.profile(), service);
            found.filter(|_| uses_configured)
        };
        let target = match &self.target {
            Target::Url(url) => Some(url.as_str()),
            _ => None,
        };
        let candidates = [
            (variable.as_str(), configured(&variable)),
            ("services of the profile", of_profile(Some(&name))),
            ("--aws", target),
            (ENDPOINT, configured(ENDPOINT)),
            ("endpoint_url of the profile", of_profile(None)),
        ];
        let named = candidates
            .iter()
            .find_map(|(setting, url)| url.map(|url| (*setting, url)));
        match (named, &self.target) {
            (Some((setting, url)), _) => {
                Endpoint::parse(url, region).map_err(|source| NoEndpoint::Invalid {
                    setting: setting.to_owned(),
                    source,
                })
            }
            (None, Target::Aws) => Ok(Endpoint::of_aws(interface, region)),
            (None, _) => Err(NoEndpoint::Unknown {
                service: interface.service_id.clone(),
                variable,
            }),
        }
    }
}

fn keys(id: Option<&str>, secret: Option<&str>, token: Option<&str>) -> Option<Credentials> {
    let credentials = Credentials::new(id?, secret?);
    Some(match token {
        Some(token) => credentials.with_session_token(token),
        None => credentials,
    })
}

/// `Secrets Manager` is `secrets_manager`.
fn id_in_settings(service_id: &str) -> String {
    service_id.replace([' ', '-'], "_").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_services::Services;

    fn settings(variables: &[(&str, &str)], config: &str) -> Settings {
        let variables = variables.iter();
        let variables = variables.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let home = [("HOME".to_owned(), "/u".to_owned())];
        let config = config.to_owned();
        Settings::new(variables.chain(home), move |path| {
            path.ends_with("config").then(|| config.clone())
        })
    }

    fn endpoint(settings: &Settings, service: &str) -> Result<String, String> {
        let service = Services::new().callable_service(service).unwrap();
        let found = settings.endpoint(service.interface().unwrap(), settings.region());
        found
            .map(|endpoint| endpoint.authority)
            .map_err(|error| error.to_string())
    }

    const CONFIG: &str = "
[default]
region = eu-central-1
endpoint_url = http://all:1
services = local

[services local]
secrets_manager =
  endpoint_url = http://secrets:2
";

    #[test]
    fn services_of_a_profile_have_endpoints() {
        let settings = settings(&[], CONFIG);
        assert_eq!(settings.region(), "eu-central-1");
        assert_eq!(endpoint(&settings, "secretsmanager").unwrap(), "secrets:2");
        assert_eq!(endpoint(&settings, "sqs").unwrap(), "all:1");
    }

    #[test]
    fn files_are_not_read_before_they_are_needed() {
        let (reports, read) = std::sync::mpsc::channel();
        let home = ("HOME".to_owned(), "/u".to_owned());
        let settings = Settings::new([home], move |path| {
            reports.send(path.clone()).ok()?;
            None
        });
        assert!(!settings.has_endpoints());
        assert!(read.try_recv().is_err());
        assert_eq!(settings.region(), "us-east-1");
        assert_eq!(read.try_iter().count(), 2);
    }

    #[test]
    fn aws_is_called_only_if_it_is_named() {
        let none = settings(&[("AWS_ACCESS_KEY_ID", "a")], "");
        let error = endpoint(&none, "secretsmanager").unwrap_err();
        assert!(
            error.contains("AWS_ENDPOINT_URL_SECRETS_MANAGER"),
            "{error}"
        );
        assert!(!none.has_endpoints());
        let real = none.with_target(Target::Aws);
        let expected = "secretsmanager.us-east-1.amazonaws.com";
        assert_eq!(endpoint(&real, "secretsmanager").unwrap(), expected);
    }

    #[test]
    fn configured_endpoints_can_be_ignored() {
        let ignoring = settings(&[("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true")], CONFIG);
        assert!(endpoint(&ignoring, "sqs").is_err());
    }

    #[test]
    fn secrets_are_not_shown() {
        let file = "[default]\naws_access_key_id = hidden\naws_secret_access_key = hidden\n";
        let shown = format!("{:?}", settings(&[("AWS_SESSION_TOKEN", "hidden")], file));
        assert!(
            shown.contains("us-east-1") && !shown.contains("hidden"),
            "{shown}"
        );
    }

    #[test]
    fn keys_of_the_environment_come_first() {
        let file = "[default]\naws_access_key_id = file\naws_secret_access_key = s\n";
        assert_eq!(
            settings(&[], file).credentials().unwrap().access_key_id,
            "file"
        );
        let variables = [("AWS_ACCESS_KEY_ID", "own"), ("AWS_SECRET_ACCESS_KEY", "s")];
        let own = settings(&variables, file).credentials().unwrap();
        assert_eq!(own.access_key_id, "own");
        // One key alone does not count.
        assert!(settings(&variables[..1], "").credentials().is_none());
    }
}
