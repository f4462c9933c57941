//! Restate's ingress and admin API, over HTTP.
mod connections;
mod error;
mod servers;

pub(crate) use error::ClientError;

use crate::RestateError;
use connections::Answer;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use servers::Servers;
use std::collections::HashMap;

/// A service, the key of the object, and the handler.
type Place<'p> = (&'p str, &'p str, &'p str);

/// A client of a cluster.
#[derive(Debug)]
pub(crate) struct Client {
    ingress: Servers,
    admin: Servers,
}

impl Client {
    pub(crate) fn new(ingress: &[String], admin: &[String]) -> Result<Self, RestateError> {
        Ok(Self {
            ingress: Servers::parse(ingress)?,
            admin: Servers::parse(admin)?,
        })
    }

    /// Calls a handler of an object or a workflow, and waits for its result.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        place: Place<'_>,
        message: &impl Serialize,
    ) -> Result<T, ClientError> {
        read(
            self.ingress
                .post(&path(place), Some(json(message)?))
                .await?,
        )
    }

    /// Calls a handler that needs no message.
    pub(crate) async fn query<T: DeserializeOwned>(
        &self,
        place: Place<'_>,
    ) -> Result<T, ClientError> {
        read(self.ingress.post(&path(place), None).await?)
    }

    /// Calls a handler that gives bytes.
    pub(crate) async fn fetch(
        &self,
        place: Place<'_>,
        message: &impl Serialize,
    ) -> Result<Vec<u8>, ClientError> {
        accepted(
            self.ingress
                .post(&path(place), Some(json(message)?))
                .await?,
        )
    }

    /// Calls a handler that gives nothing.
    pub(crate) async fn order(
        &self,
        place: Place<'_>,
        message: &impl Serialize,
    ) -> Result<(), ClientError> {
        self.fetch(place, message).await.map(drop)
    }

    /// Sends a delayed call to a handler of a service, of any type.
    pub(crate) async fn send(
        &self,
        service: &str,
        handler: &str,
        message: &impl Serialize,
    ) -> Result<(), ClientError> {
        let path = format!("/restate/send/{service}/{handler}");
        accepted(self.ingress.post(&path, Some(json(message)?)).await?).map(drop)
    }

    /// Reports Restate where the services of this build are.
    pub(crate) async fn register(&self, url: &str) -> Result<(), ClientError> {
        let body = json(&HashMap::from([("uri", url)]))?;
        accepted(self.admin.post("/deployments", Some(body)).await?).map(drop)
    }
}

/// A message as it is sent.
fn json(message: &impl Serialize) -> Result<Vec<u8>, ClientError> {
    serde_json::to_vec(message).map_err(|error| ClientError::Broken(error.to_string()))
}

/// Returns the path of a handler.
fn path((service, key, handler): Place<'_>) -> String {
    let mut path = format!("/restate/call/{service}/");
    for byte in key.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                path.push(char::from(byte));
            }
            _ => path.push_str(&format!("%{byte:02X}")),
        }
    }
    path.push('/');
    path.push_str(handler);
    path
}

/// Returns the body of a good answer.
fn accepted(answer: Answer) -> Result<Vec<u8>, ClientError> {
    if (200..300).contains(&answer.status) {
        return Ok(answer.body);
    }
    let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let said = match said["message"].as_str() {
        Some(message) => message.to_owned(),
        None => String::from_utf8_lossy(&answer.body).trim().to_owned(),
    };
    let status = answer.status;
    let what = format!("Restate responded with {status}: {said}");
    Err(match status {
        400 | 500 => ClientError::Broken(what),
        _ => ClientError::Unavailable(what),
    })
}

fn read<T: DeserializeOwned>(answer: Answer) -> Result<T, ClientError> {
    let body = accepted(answer)?;
    serde_json::from_slice(&body).map_err(|error| {
        ClientError::Broken(format!("the response of Restate cannot be read: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_one_part_of_the_path() {
        let place = ("S", "arn:aws:states:x/y:é|1", "run");
        assert_eq!(
            path(place),
            "/restate/call/S/arn%3Aaws%3Astates%3Ax%2Fy%3A%C3%A9%7C1/run"
        );
    }

    #[test]
    fn what_restate_refuses_is_told_in_its_words() {
        let answer = |status, body: &str| {
            let body = body.as_bytes().to_vec();
            accepted(Answer { status, body }).unwrap_err().to_string()
        };
        let refused = answer(404, r#"{"code": 404, "message": "service 'S' not found"}"#);
        assert_eq!(refused, "Restate responded with 404: service 'S' not found");
        assert_eq!(answer(503, " busy\n"), "Restate responded with 503: busy");
    }
}
