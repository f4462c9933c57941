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
