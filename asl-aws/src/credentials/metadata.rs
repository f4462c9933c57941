//! Keys of the container or of the instance in which the program runs (AWS SDKs and Tools Reference Guide, Container credential
//! provider and IMDS credential provider).
use super::{Keys, parse};
use crate::connection::HttpClient;
use crate::endpoint::Endpoint;
use crate::request::HttpRequest;
use crate::settings::Settings;
use std::time::Duration;

/// Maximum time of each request: there is no such service elsewhere, and nothing says so.
const TIMEOUT: Duration = Duration::from_secs(2);
const OF_CONTAINERS: &str = "http://169.254.170.2";
const OF_INSTANCES: &str = "http://169.254.169.254";
const ROLES: &str = "/latest/meta-data/iam/security-credentials/";
/// Lifetime of a session with the service of instances, in seconds.
const SESSION: &str = "21600";

/// Returns the keys of the container or of the instance, if there are any.
pub(super) async fn keys(settings: &Settings, connections: &HttpClient) -> Option<Keys> {
    match of_container(settings, connections).await {
        Some(keys) => Some(keys),
        None => of_instance(settings, connections).await,
    }
}

async fn of_container(settings: &Settings, connections: &HttpClient) -> Option<Keys> {
    let relative = settings.variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    let full = settings.variable("AWS_CONTAINER_CREDENTIALS_FULL_URI");
    let url = match (relative, full) {
        (Some(path), _) => format!("{OF_CONTAINERS}{path}"),
        (None, Some(url)) => url.to_owned(),
        (None, None) => return None,
    };
    let endpoint = Endpoint::parse(&url, settings.region()).ok()?;
    // The token goes to this machine or its container agents, or over TLS.
    let is_safe = endpoint.is_secure
        || endpoint.is_loopback()
        || ["169.254.170.2", "169.254.170.23"].contains(&endpoint.host());
    if !is_safe {
        return None;
    }
    let token = match settings.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE") {
        Some(file) => std::fs::read_to_string(file).ok(),
        None => settings
            .variable("AWS_CONTAINER_AUTHORIZATION_TOKEN")
            .map(str::to_owned),
    };
    let headers = token.map(|token| ("Authorization".to_owned(), token.trim().to_owned()));
    let path = endpoint.base_path.clone();
    let answer = ask(connections, &endpoint, "GET", &path, headers).await?;
    parse(&answer).ok()
}

async fn of_instance(settings: &Settings, connections: &HttpClient) -> Option<Keys> {
    let is_disabled = settings.variable("AWS_EC2_METADATA_DISABLED");
    if is_disabled.is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return None;
    }
    let url = settings.variable("AWS_EC2_METADATA_SERVICE_ENDPOINT");
    let endpoint = Endpoint::parse(url.unwrap_or(OF_INSTANCES), settings.region()).ok()?;
    let lifetime = (
        "X-aws-ec2-metadata-token-ttl-seconds".to_owned(),
        SESSION.to_owned(),
    );
    let session = ask(
        connections,
        &endpoint,
        "PUT",
        "/latest/api/token",
        Some(lifetime),
    )
    .await?;
    let session = String::from_utf8(session).ok()?;
    let session = || Some(("X-aws-ec2-metadata-token".to_owned(), session.clone()));
    let roles = ask(connections, &endpoint, "GET", ROLES, session()).await?;
    let roles = String::from_utf8(roles).ok()?;
    let role = roles.lines().next()?.trim();
    let path = format!("{ROLES}{}", crate::encoding::percent_encoded(role));
    let answer = ask(connections, &endpoint, "GET", &path, session()).await?;
    parse(&answer).ok()
}

async fn ask(
    connections: &HttpClient,
    endpoint: &Endpoint,
    method: &str,
    path: &str,
    header: Option<(String, String)>,
) -> Option<Vec<u8>> {
    let request = HttpRequest {
        method: method.to_owned(),
        path: path.to_owned(),
        headers: header.into_iter().collect(),
        ..HttpRequest::default()
    };
    let asking = connections.send(endpoint, request);
    let response = tokio::time::timeout(TIMEOUT, asking).await.ok()?.ok()?;
    (response.status == 200).then_some(response.body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    const KEYS: &str = r#"{"AccessKeyId": "i", "SecretAccessKey": "s", "Token": "t", "Expiration": "2030-01-01T00:00:00Z"}"#;

    /// A server that answers by the first line of a request, if its headers are as they must be.
    fn server(answer: fn(&str) -> Option<&'static str>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut buffer = [0; 4096];
                let count = stream.read(&mut buffer).unwrap_or(0);
                let request = String::from_utf8_lossy(&buffer[..count]).to_lowercase();
                let (status, body) = match answer(&request) {
                    Some(body) => ("200 OK", body),
                    None => ("404 Not Found", ""),
                };
                let length = body.len();
                let response = format!(
                    "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
                let _ = stream.write_all(response.as_bytes());
            }
        });
        url
    }

    async fn found(variables: &[(&str, &str)]) -> Option<String> {
        let variables = variables.iter();
        let variables = variables.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let settings = Settings::new(variables, |_| None);
        let (credentials, expires) = keys(&settings, &HttpClient::new(1 << 20)).await?;
        assert!(expires.is_some());
        assert_eq!(credentials.session_token.as_deref(), Some("t"));
        Some(credentials.access_key_id)
    }

    #[tokio::test]
    async fn a_container_has_keys() {
        let url = server(|request| {
            let is_authorized = request.contains("authorization: secret");
            (is_authorized && request.starts_with("get /v2/keys ")).then_some(KEYS)
        });
        let uri = format!("{url}/v2/keys");
        let variables = [
            ("AWS_CONTAINER_CREDENTIALS_FULL_URI", uri.as_str()),
            ("AWS_CONTAINER_AUTHORIZATION_TOKEN", "secret"),
        ];
        assert_eq!(found(&variables).await.as_deref(), Some("i"));
        // A token does not leave the machine in plain text.
        let elsewhere = (
            "AWS_CONTAINER_CREDENTIALS_FULL_URI",
            "http://example.org/keys",
        );
        let disabled = ("AWS_EC2_METADATA_DISABLED", "true");
        assert_eq!(found(&[elsewhere, disabled]).await, None);
    }

    #[tokio::test]
    async fn an_instance_has_keys_for_a_session() {
        let url = server(|request| {
            let has_session = request.contains("x-aws-ec2-metadata-token: session");
            match request.lines().next()?.split(' ').nth(1)? {
                "/latest/api/token" if request.starts_with("put") => Some("session"),
                "/latest/meta-data/iam/security-credentials/" if has_session => Some("role\n"),
                "/latest/meta-data/iam/security-credentials/role" if has_session => Some(KEYS),
                _ => None,
            }
        });
        let endpoint = ("AWS_EC2_METADATA_SERVICE_ENDPOINT", url.as_str());
        assert_eq!(found(&[endpoint]).await.as_deref(), Some("i"));
        let disabled = ("AWS_EC2_METADATA_DISABLED", "true");
        assert_eq!(found(&[endpoint, disabled]).await, None);
    }
}
