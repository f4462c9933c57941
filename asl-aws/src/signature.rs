//! Signature Version 4 (AWS General Reference, Signing AWS API requests), without a connection: for clients, which sign requests, and for
//! servers, which compare signatures.
use crate::encoding::{percent_encoded, percent_encoded_path};
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// Keys of a caller.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Credentials {
    /// Names the key.
    pub access_key_id: String,
    /// The secret key.
    pub secret_access_key: String,
    /// Comes with temporary keys.
    pub session_token: Option<String>,
}

impl Credentials {
    /// Creates keys without a token.
    pub fn new(access_key_id: impl Into<String>, secret_access_key: impl Into<String>) -> Self {
        Self {
            access_key_id: access_key_id.into(),
            secret_access_key: secret_access_key.into(),
            session_token: None,
        }
    }

    /// Sets the token of temporary keys.
    #[must_use]
    pub fn with_session_token(mut self, token: impl Into<String>) -> Self {
        self.session_token = Some(token.into());
        self
    }
}

/// Secrets are not shown.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials")
            .field("access_key_id", &self.access_key_id)
            .finish_non_exhaustive()
    }
}

/// A request as it is sent.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "callers fill all of it")]
pub struct SignableRequest<'r> {
    /// The method.
    pub method: &'r str,
    /// The path as it is sent.
    pub path: &'r str,
    /// The query as it is sent, without a question mark.
    pub query: &'r str,
    /// The headers that are signed, with `host`.
    pub headers: &'r [(String, String)],
    /// The SHA-256 of the body in hexadecimal digits ([`payload_hash`]), or a word such as `UNSIGNED-PAYLOAD`.
    pub payload_hash: &'r str,
}

/// Signs requests.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Signer<'s> {
    /// The keys.
    pub credentials: &'s Credentials,
    /// The region of the service.
    pub region: &'s str,
    /// The name of the service in signatures.
    pub service: &'s str,
    /// The time of the request.
    pub time: DateTime<Utc>,
    /// True if the path is signed as it is sent. Only S3 does that: elsewhere it is normalized and encoded again.
    pub keeps_path: bool,
    /// True if `.`, `..` and repeated slashes are removed from the path that is signed.
    pub normalizes_path: bool,
    /// True if the token is added after the signature, instead of being signed.
    pub leaves_token_out: bool,
}

/// A signature, and the texts that lead to it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signature {
    /// The signed parts of the request.
    pub canonical_request: String,
    /// The text that the key signs.
    pub string_to_sign: String,
    /// The signature.
    pub signature: String,
    /// The headers, or the parameters of the query, that the request takes on. Parameters are not encoded.
    pub added: Vec<(String, String)>,
}

/// Returns the SHA-256 of a body in hexadecimal digits.
///
/// ```
/// let empty = asl_aws::signature::payload_hash(b"");
/// assert!(empty.starts_with("e3b0c44298fc1c14"));
/// ```
pub fn payload_hash(body: &[u8]) -> String {
    hex(&Sha256::digest(body))
}

impl<'s> Signer<'s> {
    /// Creates a signer. For the service `s3` it keeps the path.
    ///
    /// ```
    /// use asl_aws::signature::{Credentials, SignableRequest, Signer, payload_hash};
    ///
    /// let credentials = Credentials::new("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");
    /// let time = chrono::DateTime::from_timestamp(1_440_938_160, 0).unwrap();
    /// let request = SignableRequest {
    ///     method: "GET",
    ///     path: "/",
    ///     query: "",
    ///     headers: &[("Host".to_owned(), "example.amazonaws.com".to_owned())],
    ///     payload_hash: &payload_hash(b""),
    /// };
    /// let signature = Signer::new(&credentials, "us-east-1", "service", time).sign_headers(&request);
    /// assert_eq!(signature.added[0], ("X-Amz-Date".to_owned(), "20150830T123600Z".to_owned()));
    /// assert!(signature.signature.starts_with("5fa00fa31553b73e"));
    /// ```
    pub fn new(
        credentials: &'s Credentials,
        region: &'s str,
        service: &'s str,
        time: DateTime<Utc>,
    ) -> Self {
        Self {
            credentials,
            region,
            service,
            time,
            keeps_path: service == "s3",
            normalizes_path: service != "s3",
            leaves_token_out: false,
        }
    }

    /// Signs a request in its headers: adds `X-Amz-Date`, the token, and `Authorization`.
    pub fn sign_headers(&self, request: &SignableRequest<'_>) -> Signature {
        let mut added = vec![("X-Amz-Date".to_owned(), self.timestamp())];
        let token = self.credentials.session_token.as_deref();
        let token = token.map(|token| ("X-Amz-Security-Token".to_owned(), token.to_owned()));
        added.extend(token.clone().filter(|_| !self.leaves_token_out));
        let headers = canonical_headers(request.headers.iter().chain(&added));
        let signed = names(&headers);
        let query = canonical_query(request.query, &[]);
        let mut signature = self.sign(request, &query, &headers);
        let authorization = format!(
            "{ALGORITHM} Credential={}/{}, SignedHeaders={signed}, Signature={}",
            self.credentials.access_key_id,
            self.scope(),
            signature.signature
        );
        added.extend(token.filter(|_| self.leaves_token_out));
        added.push(("Authorization".to_owned(), authorization));
        signature.added = added;
        signature
    }

    /// Signs a request in its query, for a URL that can be used for some time.
    pub fn sign_query(&self, request: &SignableRequest<'_>, expires: Duration) -> Signature {
        let headers = canonical_headers(request.headers.iter());
        let credential = format!("{}/{}", self.credentials.access_key_id, self.scope());
        let mut added = vec![
            ("X-Amz-Algorithm".to_owned(), ALGORITHM.to_owned()),
            ("X-Amz-Credential".to_owned(), credential),
            ("X-Amz-Date".to_owned(), self.timestamp()),
            ("X-Amz-SignedHeaders".to_owned(), names(&headers)),
            ("X-Amz-Expires".to_owned(), expires.as_secs().to_string()),
        ];
        let token = self.credentials.session_token.as_deref();
        let token = token.map(|token| ("X-Amz-Security-Token".to_owned(), token.to_owned()));
        added.extend(token.clone().filter(|_| !self.leaves_token_out));
        let query = canonical_query(request.query, &added);
        let mut signature = self.sign(request, &query, &headers);
        added.extend(token.filter(|_| self.leaves_token_out));
        added.push(("X-Amz-Signature".to_owned(), signature.signature.clone()));
        signature.added = added;
        signature
    }

    fn sign(
        &self,
        request: &SignableRequest<'_>,
        query: &str,
        headers: &BTreeMap<String, String>,
    ) -> Signature {
        let mut lines = String::new();
        for (name, value) in headers {
            lines.push_str(&format!("{name}:{value}\n"));
        }
        let canonical_request = format!(
            "{}\n{}\n{query}\n{lines}\n{}\n{}",
            request.method,
            self.canonical_path(request.path),
            names(headers),
            request.payload_hash
        );
        let string_to_sign = format!(
            "{ALGORITHM}\n{}\n{}\n{}",
            self.timestamp(),
            self.scope(),
            payload_hash(canonical_request.as_bytes())
        );
        let signature = hex(&hmac(&self.signing_key(), string_to_sign.as_bytes()));
        Signature {
            canonical_request,
            string_to_sign,
            signature,
            added: Vec::new(),
        }
    }

    fn timestamp(&self) -> String {
        self.time.format("%Y%m%dT%H%M%SZ").to_string()
    }

    fn scope(&self) -> String {
        let date = self.time.format("%Y%m%d");
        format!("{date}/{}/{}/aws4_request", self.region, self.service)
    }

    fn signing_key(&self) -> Vec<u8> {
        let secret = format!("AWS4{}", self.credentials.secret_access_key);
        let date = self.time.format("%Y%m%d").to_string();
        let parts = [date.as_str(), self.region, self.service, "aws4_request"];
        let first = secret.into_bytes();
        parts
            .iter()
            .fold(first, |key, part| hmac(&key, part.as_bytes()))
    }

    fn canonical_path(&self, path: &str) -> String {
        let path = if path.is_empty() { "/" } else { path };
        let normalized = match self.normalizes_path {
            true => normalized(path),
            false => path.to_owned(),
        };
        match self.keeps_path {
            true => normalized,
            false => percent_encoded_path(&normalized),
        }
    }
}

/// Removes `.`, `..` and empty segments (RFC 3986, section 5.2.4).
fn normalized(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                kept.pop();
            }
            other => kept.push(other),
        }
    }
    let ends_with_slash = path.ends_with('/') || path.ends_with("/.") || path.ends_with("/..");
    let end = match ends_with_slash && !kept.is_empty() {
        true => "/",
        false => "",
    };
    format!("/{}{end}", kept.join("/"))
}

/// Returns the parameters in order, encoded.
fn canonical_query(query: &str, added: &[(String, String)]) -> String {
    let decoded = |text: &str| {
        percent_encoding::percent_decode_str(text)
            .decode_utf8_lossy()
            .into_owned()
    };
    let sent = query.split('&').filter(|part| !part.is_empty());
    let sent = sent.map(|part| part.split_once('=').unwrap_or((part, "")));
    let sent = sent.map(|(name, value)| (decoded(name), decoded(value)));
    let all = sent.chain(added.iter().cloned());
    let mut parameters: Vec<_> = all
        .map(|(name, value)| (percent_encoded(&name), percent_encoded(&value)))
        .collect();
    parameters.sort();
    let parameters = parameters.iter();
    let parameters: Vec<_> = parameters
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    parameters.join("&")
}

/// Returns the headers by name: values of one name follow each other, with single spaces.
fn canonical_headers<'h>(
    headers: impl Iterator<Item = &'h (String, String)>,
) -> BTreeMap<String, String> {
    let mut canonical: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in headers {
        let words: Vec<&str> = value.split_ascii_whitespace().collect();
        let value = words.join(" ");
        canonical
            .entry(name.to_ascii_lowercase())
            .and_modify(|values| {
                values.push(',');
                values.push_str(&value);
            })
            .or_insert(value);
    }
    canonical
}

fn names(headers: &BTreeMap<String, String>) -> String {
    let names: Vec<&str> = headers.keys().map(String::as_str).collect();
    names.join(";")
}

fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    // HMAC takes keys of any length.
    Hmac::<Sha256>::new_from_slice(key)
        .map(|mac| mac.chain_update(message).finalize().into_bytes().to_vec())
        .unwrap_or_default()
}

fn hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    let mut digits = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalized() {
        for (path, expected) in [
            ("/", "/"),
            ("//example//", "/example/"),
            ("/a/b/../..", "/"),
            ("/./example", "/example"),
            ("/a/./b/", "/a/b/"),
            ("/../../x", "/x"),
        ] {
            assert_eq!(normalized(path), expected, "{path}");
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let credentials = Credentials::new("id", "hidden").with_session_token("hidden too");
        let shown = format!("{credentials:?}");
        assert!(shown.contains("id") && !shown.contains("hidden"), "{shown}");
    }
}
