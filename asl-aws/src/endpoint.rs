//! Endpoints: where the requests of a service go.
use crate::endpoint_exceptions::HOSTS;
use asl_services::Interface;
use std::net::Ipv4Addr;

/// The endpoint of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Endpoint {
    /// True for `https`.
    pub is_secure: bool,
    /// Host, and the port if it is not the usual one.
    pub authority: String,
    /// Prefix of all paths, without a slash at its end.
    pub base_path: String,
    /// The region in signatures.
    pub region: String,
    /// True for an endpoint of AWS; false for one that a user names.
    pub is_of_aws: bool,
}

/// A text that is not the URL of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the endpoint '{0}' is not valid: expected http://HOST[:PORT][/PATH], or https")]
pub struct EndpointError(String);

impl Endpoint {
    /// Reads the URL of an endpoint that a user names.
    ///
    /// ```
    /// use asl_aws::Endpoint;
    ///
    /// let endpoint = Endpoint::parse("http://localhost:4566/", "eu-west-1").unwrap();
    /// assert_eq!(endpoint.authority, "localhost:4566");
    /// assert!(Endpoint::parse("localhost:4566", "eu-west-1").is_err());
    /// ```
    ///
    /// # Errors
    /// If it is not such a URL.
    pub fn parse(url: &str, region: &str) -> Result<Self, EndpointError> {
        // A user and a password may be secrets.
        let shown = url.rsplit('@').next().unwrap_or_default();
        let invalid = || EndpointError(shown.to_owned());
        let (scheme, rest) = url.trim().split_once("://").ok_or_else(invalid)?;
        let (authority, path) = match rest.find('/') {
            Some(start) => rest.split_at(start),
            None => (rest, ""),
        };
        let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
        let is_path = |byte: u8| byte.is_ascii_graphic() && !b"?#".contains(&byte);
        let is_secure = match scheme {
            "https" => true,
            "http" => false,
            _ => return Err(invalid()),
        };
        if authority.is_empty() || !authority.bytes().all(is_host) || !path.bytes().all(is_path) {
            return Err(invalid());
        }
        Ok(Self {
            is_secure,
            authority: authority.to_owned(),
            base_path: path.trim_end_matches('/').to_owned(),
            region: region.to_owned(),
            is_of_aws: false,
        })
    }

    /// Returns the endpoint of AWS for a service in a region.
    ///
    /// ```
    /// use asl_aws::{Endpoint, services::Services};
    ///
    /// let services = Services::new();
    /// let host = |name: &str| {
    ///     let service = services.callable_service(name).unwrap();
    ///     Endpoint::of_aws(service.interface().unwrap(), "eu-west-1").authority
    /// };
    /// assert_eq!(host("dynamodb"), "dynamodb.eu-west-1.amazonaws.com");
    /// assert_eq!(host("iam"), "iam.amazonaws.com");
    /// ```
    pub fn of_aws(interface: &Interface, region: &str) -> Self {
        let prefix = interface.endpoint_prefix.as_str();
        let exception = HOSTS.iter().find(|(own, ..)| *own == prefix);
        let is_in_china = region.starts_with("cn-");
        // The exceptions are those of the first partition; what others have is their usual form.
        let exception = exception.filter(|_| !is_in_china && !region.starts_with("us-iso"));
        let (authority, signing_region) = match exception {
            Some((_, host, signing)) => (host.replace("{region}", region), *signing),
            None => (format!("{prefix}.{region}.{}", domain(region)), ""),
        };
        let signing_region = if signing_region.is_empty() {
            region
        } else {
            signing_region
        };
        Self {
            is_secure: true,
            authority,
            base_path: String::new(),
            region: signing_region.to_owned(),
            is_of_aws: true,
        }
    }

    /// Returns the authority of a request. Only the endpoints of AWS have hosts with prefixes.
    pub(crate) fn authority_with(&self, prefix: Option<&str>) -> String {
        match prefix.filter(|_| self.is_of_aws) {
            Some(prefix) => format!("{prefix}{}", self.authority),
            None => self.authority.clone(),
        }
    }

    /// Returns the host without its port.
    pub(crate) fn host(&self) -> &str {
        match self.authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => &self.authority,
        }
    }

    /// Returns true if the endpoint is this machine.
    pub fn is_loopback(&self) -> bool {
        let host = self.host();
        let address = host.parse::<Ipv4Addr>();
        host == "localhost"
            || host.ends_with(".localhost")
            || host == "[::1]"
            || address.is_ok_and(|address| address.is_loopback())
    }
}

/// Returns the domain of a region's partition.
fn domain(region: &str) -> &'static str {
    match region {
        _ if region.starts_with("cn-") => "amazonaws.com.cn",
        _ if region.starts_with("us-isob-") => "sc2s.sgov.gov",
        _ if region.starts_with("us-isof-") => "csp.hci.ic.gov",
        _ if region.starts_with("eu-isoe-") => "cloud.adc-e.uk",
        _ if region.starts_with("us-iso-") => "c2s.ic.gov",
        _ if region.starts_with("eusc-") => "amazonaws.eu",
        _ => "amazonaws.com",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_endpoints_are_read() {
        let endpoint = Endpoint::parse("https://host/a/b/", "r").unwrap();
        assert!(endpoint.is_secure && endpoint.base_path == "/a/b");
        for url in [
            "",
            "host",
            "ftp://host",
            "http://",
            "http://a b",
            "http://h/p?q",
            "http://user@host",
        ] {
            assert!(Endpoint::parse(url, "r").is_err(), "{url}");
        }
    }

    #[test]
    fn a_password_is_not_shown() {
        let error = Endpoint::parse("http://user:hidden@host", "r").unwrap_err();
        let text = error.to_string();
        assert!(text.contains("host") && !text.contains("hidden"), "{text}");
    }

    #[test]
    fn this_machine_is_known() {
        for (url, expected) in [
            ("http://localhost:4566", true),
            ("http://127.0.0.1:1", true),
            ("http://[::1]:1", true),
            ("http://[::1]", true),
            ("http://a.localhost", true),
            ("http://localhost.example.org", false),
            ("http://127.example.org", false),
            ("http://10.0.0.1:4566", false),
        ] {
            let endpoint = Endpoint::parse(url, "r").unwrap();
            assert_eq!(endpoint.is_loopback(), expected, "{url}");
        }
    }
}
