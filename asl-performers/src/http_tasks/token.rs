//! Tokens of OAuth: requested once, and used until they expire (RFC 6749, section 4.4).
use super::HttpCaller;
use super::connection_book::{Authorization, Connection, OauthClient};
use super::request::ApiRequest;
use asl_engine::{ArrayFormat, TaskError, form_encoded};
use asl_path::json;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The lifetime of a token that names none.
const LIFETIME: u64 = 3_600;
/// A token is replaced so long before its end.
const MARGIN: u64 = 30;

/// The tokens that were given, with their ends.
#[derive(Default)]
pub(super) struct Tokens(Mutex<BTreeMap<OauthClient, (String, Instant)>>);

impl Tokens {
    /// Returns the value of the Authorization header; None for a connection without tokens. `may_be_known` allows one that was
    /// given before.
    pub(super) async fn authorization(
        &self,
        connection: &Connection,
        shared: &HttpCaller,
        may_be_known: bool,
    ) -> Result<Option<String>, TaskError> {
        let Authorization::ClientCredentials(client) = &connection.authorization else {
            return Ok(None);
        };
        if let Some(known) = self.known(client).filter(|_| may_be_known) {
            return Ok(Some(known));
        }
        let request = request(client)?;
        let failed = |why: String| {
            let cause = format!("{} gave no token: {why}", client.endpoint);
            TaskError::new("Events.ConnectionResource.AccessDenied", cause)
        };
        let response = shared.send(&request).await?;
        let body = String::from_utf8_lossy(&response.body);
        if !(200..300).contains(&response.status) {
            return Err(failed(format!("status {}", response.status)));
        }
        let told = json::parse(&body, json::DEFAULT_MAX_DEPTH).unwrap_or_default();
        let text = |name: &str| told.get(name).and_then(Value::as_str);
        let token = text("access_token").ok_or_else(|| failed("no access_token".to_owned()))?;
        let value = match text("token_type") {
            Some(kind) if !kind.eq_ignore_ascii_case("bearer") => format!("{kind} {token}"),
            _ => format!("Bearer {token}"),
        };
        let seconds = told.get("expires_in").and_then(Value::as_u64);
        let seconds = seconds.unwrap_or(LIFETIME).saturating_sub(MARGIN);
        let end = Instant::now().checked_add(Duration::from_secs(seconds));
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.insert(
            client.clone(),
            (value.clone(), end.unwrap_or_else(Instant::now)),
        );
        Ok(Some(value))
    }

    fn known(&self, client: &OauthClient) -> Option<String> {
        let tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (value, end) = tokens.get(client)?;
        (*end > Instant::now()).then(|| value.clone())
    }
}

fn request(client: &OauthClient) -> Result<ApiRequest, TaskError> {
    let mut fields: Map<String, Value> = Map::new();
    fields.insert("grant_type".to_owned(), "client_credentials".into());
    fields.insert("client_id".to_owned(), client.id.as_str().into());
    fields.insert("client_secret".to_owned(), client.secret.as_str().into());
    let texts = |pairs: &[(String, String)]| {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| (name.clone(), value.as_str().into()))
            .collect::<Map<String, Value>>()
    };
    fields.extend(texts(&client.body));
    let encode = |fields: Map<String, Value>| form_encoded(&fields.into(), ArrayFormat::Repeat);
    let mut query = texts(&client.query);
    let has_body = client.method != "GET";
    if !has_body {
        query.extend(std::mem::take(&mut fields));
    }
    let mut request = ApiRequest {
        method: client.method.clone(),
        url: client.endpoint.clone(),
        query: encode(query),
        headers: client.headers.clone(),
        body: encode(fields).into_bytes(),
        is_of_this_machine: false,
    };
    if has_body {
        request.set_header("Content-Type", "application/x-www-form-urlencoded");
    }
    Ok(request)
}
