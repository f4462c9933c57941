//! Addresses of hosts.
use hyper_util::client::legacy::connect::dns::{GaiResolver, Name};
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use tower_service::Service;

/// The reason of a refused address.
pub(crate) const LINK_LOCAL: &str = "the host has a link-local address, which is not called";

/// Asks the system for the addresses of a host.
#[derive(Debug, Clone)]
pub(crate) struct Resolver {
    pub(crate) system: GaiResolver,
    /// Drops addresses at which only this machine's network answers, such as 169.254.169.254.
    pub(crate) refuses_link_local: bool,
}

impl Service<Name> for Resolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.system.poll_ready(context)
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let (asked, refuses) = (self.system.call(name), self.refuses_link_local);
        Box::pin(async move {
            let found: Vec<SocketAddr> = asked.await?.collect();
            if refuses && found.iter().any(|address| is_link_local(address.ip())) {
                return Err(io::Error::other(LINK_LOCAL));
            }
            Ok(found.into_iter())
        })
    }
}

/// Returns true for an address within one network only (RFC 3927; RFC 4291, section 2.5.6), and for that of AWS's metadata over
/// IPv6.
pub(crate) fn is_link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => {
            let metadata = [0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254];
            let mapped = address.to_ipv4_mapped();
            address.is_unicast_link_local()
                || address.segments() == metadata
                || mapped.is_some_and(|address| address.is_link_local())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_metadata_are_known() {
        for address in [
            "169.254.169.254",
            "169.254.170.2",
            "fe80::1",
            "fd00:ec2::254",
            "::ffff:169.254.169.254",
        ] {
            assert!(is_link_local(address.parse().unwrap()), "{address}");
        }
        for address in ["127.0.0.1", "10.0.0.1", "::1", "2001:db8::1"] {
            assert!(!is_link_local(address.parse().unwrap()), "{address}");
        }
    }
}
