//! Connections: authorization and parameters of HTTP Tasks (Amazon EventBridge API Reference, CreateConnection).
use super::refused;
use asl_engine::TaskError;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// Connections by name.
#[derive(Clone, Default)]
pub struct ConnectionBook(BTreeMap<String, Connection>);

/// The reason why a text is not a book of connections.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConnectionBookError(String);

debug_as_display!(ConnectionBookError);

/// Names alone: the rest may be secret.
impl fmt::Debug for ConnectionBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// A connection.
#[derive(Clone, Default)]
pub(super) struct Connection {
    pub(super) authorization: Authorization,
    /// Parameters that go with each request, and win over those of the task.
    pub(super) headers: Vec<(String, String)>,
    pub(super) query: Vec<(String, String)>,
    pub(super) body: Vec<(String, String)>,
}

/// Authorization of requests.
#[derive(Clone, Default)]
pub(super) enum Authorization {
    #[default]
    None,
    ApiKey {
        name: String,
        value: String,
    },
    Basic {
        user: String,
        password: String,
    },
    ClientCredentials(OauthClient),
}

/// A client of OAuth (RFC 6749, section 4.4).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OauthClient {
    pub(super) endpoint: String,
    pub(super) method: String,
    pub(super) id: String,
    pub(super) secret: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) query: Vec<(String, String)>,
    pub(super) body: Vec<(String, String)>,
}

impl Connection {
    pub(super) fn needs_token(&self) -> bool {
        matches!(self.authorization, Authorization::ClientCredentials(_))
    }
}

impl ConnectionBook {
    /// Reads an object of connections by name. Each is as CreateConnection takes it: "AuthorizationType" and "AuthParameters".
    ///
    /// # Errors
    /// It is not such an object.
    pub fn parse(text: &str) -> Result<Self, ConnectionBookError> {
        let value = asl_path::json::parse(text, asl_path::json::DEFAULT_MAX_DEPTH);
        let value = value.map_err(|error| ConnectionBookError(error.to_string()))?;
        Self::from_value(&value)
    }

    /// Reads connections as [`parse`](Self::parse) does.
    ///
    /// # Errors
    /// It is not such an object.
    pub fn from_value(value: &Value) -> Result<Self, ConnectionBookError> {
        let Some(fields) = value.as_object() else {
            return Err(ConnectionBookError(
                "expected an object with a field for each connection".to_owned(),
            ));
        };
        let connections = fields.iter().map(|(name, value)| {
            let connection = connection(value);
            let connection = connection
                .map_err(|why| ConnectionBookError(format!("connection '{name}': {why}")))?;
            Ok((name.clone(), connection))
        });
        connections.collect::<Result<_, _>>().map(Self)
    }

    /// Returns the connection that arguments of `http:invoke` name.
    pub(super) fn of_arguments(&self, arguments: &Value) -> Result<&Connection, TaskError> {
        let arn = [
            "/Authentication/ConnectionArn",
            "/InvocationConfig/ConnectionArn",
        ]
        .iter()
        .find_map(|pointer| arguments.pointer(pointer)?.as_str());
        let Some(arn) = arn else {
            return Err(refused(
                "expected a ConnectionArn in Authentication or InvocationConfig",
            ));
        };
        // arn:aws:events:REGION:ACCOUNT:connection/NAME/ID
        let name = arn.split('/').nth(1).unwrap_or(arn);
        let found = self.0.get(arn).or_else(|| self.0.get(name));
        found.ok_or_else(|| {
            let cause = format!(
                "connection '{name}' is not known: describe it in a file for --connections"
            );
            TaskError::new("Events.ConnectionResource.ResourceNotFound", cause)
        })
    }
}

fn connection(value: &Value) -> Result<Connection, String> {
    let parameters = &value["AuthParameters"];
    let common = &parameters["InvocationHttpParameters"];
    Ok(Connection {
        authorization: authorization(value["AuthorizationType"].as_str(), parameters)?,
        headers: pairs(&common["HeaderParameters"])?,
        query: pairs(&common["QueryStringParameters"])?,
        body: pairs(&common["BodyParameters"])?,
    })
}

fn authorization(name: Option<&str>, parameters: &Value) -> Result<Authorization, String> {
    let text = |pointer: &str| {
        let found = parameters.pointer(pointer).and_then(Value::as_str);
        found.map(str::to_owned).ok_or_else(|| {
            let member = pointer.trim_start_matches('/').replace('/', ".");
            format!("expected a text at AuthParameters.{member}")
        })
    };
    match name {
        None => Ok(Authorization::None),
        Some("API_KEY") => Ok(Authorization::ApiKey {
            name: text("/ApiKeyAuthParameters/ApiKeyName")?,
            value: text("/ApiKeyAuthParameters/ApiKeyValue")?,
        }),
        Some("BASIC") => Ok(Authorization::Basic {
            user: text("/BasicAuthParameters/Username")?,
            password: text("/BasicAuthParameters/Password")?,
        }),
        Some("OAUTH_CLIENT_CREDENTIALS") => {
            let more = &parameters["OAuthParameters"]["OAuthHttpParameters"];
            Ok(Authorization::ClientCredentials(OauthClient {
                endpoint: text("/OAuthParameters/AuthorizationEndpoint")?,
                method: text("/OAuthParameters/HttpMethod")?,
                id: text("/OAuthParameters/ClientParameters/ClientID")?,
                secret: text("/OAuthParameters/ClientParameters/ClientSecret")?,
                headers: pairs(&more["HeaderParameters"])?,
                query: pairs(&more["QueryStringParameters"])?,
                body: pairs(&more["BodyParameters"])?,
            }))
        }
        Some(other) => Err(format!(
            "expected API_KEY, BASIC or OAUTH_CLIENT_CREDENTIALS as its AuthorizationType, found '{other}'"
        )),
    }
}

/// Reads `[{"Key": …, "Value": …}]`.
fn pairs(value: &Value) -> Result<Vec<(String, String)>, String> {
    let items = value.as_array().into_iter().flatten();
    items
        .map(|item| {
            let text = |name: &str| Some(item.get(name)?.as_str()?.to_owned());
            let pair = text("Key").zip(text("Value"));
            pair.ok_or_else(|| "expected parameters with Key and Value".to_owned())
        })
        .collect()
}
