//! Percent-encoding as AWS requires it (RFC 3986, section 2.3).
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');
const PATH: &AsciiSet = &UNRESERVED.remove(b'/');

/// Encodes all but letters, digits and `-._~`.
pub(crate) fn percent_encoded(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

/// Keeps slashes too.
pub(crate) fn percent_encoded_path(text: &str) -> String {
    utf8_percent_encode(text, PATH).to_string()
}

/// Returns the host that a request names. Only the endpoints of AWS have a host for a prefix.
#[cfg(feature = "client")]
pub(crate) fn host_of(endpoint: &crate::Endpoint, prefix: Option<&str>) -> String {
    match prefix.filter(|_| endpoint.is_of_aws) {
        Some(prefix) => format!("{prefix}{}", endpoint.authority),
        None => endpoint.authority.clone(),
    }
}
