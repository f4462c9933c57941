//! Hosts that may be called.

/// Names of hosts and patterns of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Hosts(Vec<String>);

impl FromIterator<String> for Hosts {
    fn from_iter<I: IntoIterator<Item = String>>(hosts: I) -> Self {
        let hosts = hosts.into_iter();
        Self(hosts.map(|host| host.to_ascii_lowercase()).collect())
    }
}

impl Hosts {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true for a host that is allowed by its own name, false for one that a pattern allows, and None for any other.
    /// A name without a port allows each port.
    pub(super) fn allows(&self, authority: &str) -> Option<bool> {
        let authority = authority.to_ascii_lowercase();
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|it| it.is_ascii_digit()) => host,
            _ => &authority,
        };
        if self.0.iter().any(|own| *own == authority || own == host) {
            return Some(true);
        }
        let matches = |pattern: &String| match pattern.strip_prefix('*') {
            Some("") => true,
            Some(end) => host.len() > end.len() && host.ends_with(end),
            None => false,
        };
        self.0.iter().any(matches).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_allowed_by_its_name_or_a_pattern() {
        let hosts: Hosts = ["API.example.com", "*.example.org", "localhost:8080"]
            .map(str::to_owned)
            .into_iter()
            .collect();
        for (host, allowed) in [
            ("api.example.com", Some(true)),
            ("api.example.com:8443", Some(true)),
            ("Api.Example.Com", Some(true)),
            ("x.api.example.com", None),
            ("a.example.org", Some(false)),
            ("example.org", None),
            (".example.org", None),
            ("a.example.org.evil", None),
            ("localhost:8080", Some(true)),
            ("localhost:8081", None),
            ("localhost", None),
        ] {
            assert_eq!(hosts.allows(host), allowed, "{host}");
        }
        let all: Hosts = [String::from("*")].into_iter().collect();
        assert_eq!(all.allows("169.254.169.254"), Some(false));
        assert_eq!(Hosts::default().allows("a"), None);
    }
}
