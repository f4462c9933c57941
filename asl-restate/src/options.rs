//! How an engine connects to its cluster.
use asl_engine::runtime::Performer;
use asl_host::MockConfiguration;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// How an engine connects to its cluster.
///
/// ```
/// use asl_engine::runtime::TaskHandlers;
/// use asl_restate::Options;
/// use std::sync::Arc;
///
/// let handlers = TaskHandlers::new().on("greet", |_input| async { Ok("hello".into()) });
/// let options = Options {
///     services_url: Some("http://asl-1.internal:9080".to_owned()),
///     ..Options::new("http://restate:8080", "http://restate:9070", Arc::new(handlers))
/// };
/// ```
#[derive(Clone)]
pub struct Options {
    /// Restate's ingress, as `http://HOST:PORT`; of several nodes of one cluster, the next is asked where one cannot be reached.
    pub ingress: Vec<String>,
    /// Restate's admin API, likewise.
    pub admin: Vec<String>,
    /// Where this node listens for Restate. Executions end where they began: it stays the same when the node starts again.
    pub listen: SocketAddr,
    /// Where Restate finds this node, if not at [`listen`](Self::listen): also a balancer in front of several that are alike.
    pub services_url: Option<String>,
    /// Tells this deployment from others of the same version: a build that does its tasks otherwise may be deployed beside an older
    /// one, under which executions end that began under it. The same as before when the node starts again.
    pub deployment: Option<String>,
    /// The public keys of Restate's request identity (`publickeyv1_...`): where there are any, requests are refused that are
    /// signed by none of them.
    pub identity_keys: Vec<String>,
    /// Whether other processes of this machine, which do the same, may listen at [`listen`](Self::listen) too: the system spreads
    /// Restate's connections over those that are there. Only on Unix.
    pub share_listen: bool,
    /// What performs tasks and storage requests.
    pub performer: Arc<dyn Performer>,
    /// Test cases that executions may be started with. Every node is given the same.
    pub mocks: Option<MockConfiguration>,
    /// How long executions that ended are kept.
    pub retention: Duration,
    /// Bytes that the data of an execution weighs in memory before it fails; None for as many as the core allows by default.
    pub max_execution_bytes: Option<u64>,
}

const PORT: u16 = 9080;
const NINETY_DAYS: Duration = Duration::from_secs(90 * 24 * 60 * 60);

impl Options {
    /// The defaults, with these servers of one node, and this performer.
    pub fn new(
        ingress: impl Into<String>,
        admin: impl Into<String>,
        performer: Arc<dyn Performer>,
    ) -> Self {
        Self {
            ingress: vec![ingress.into()],
            admin: vec![admin.into()],
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)),
            services_url: None,
            deployment: None,
            identity_keys: Vec::new(),
            share_listen: false,
            performer,
            mocks: None,
            retention: NINETY_DAYS,
            max_execution_bytes: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("ingress", &self.ingress)
            .field("admin", &self.admin)
            .field("listen", &self.listen)
            .field("services_url", &self.services_url)
            .field("deployment", &self.deployment)
            .field("identity_keys", &self.identity_keys)
            .field("mocks", &self.mocks.is_some())
            .field("share_listen", &self.share_listen)
            .field("retention", &self.retention)
            .field("max_execution_bytes", &self.max_execution_bytes)
            .finish_non_exhaustive()
    }
}
