//! Options of a backend.
use asl_engine::runtime::Performer;
use asl_performers::MockConfiguration;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// Options of a backend.
///
/// ```
/// use asl_engine::runtime::TaskHandlers;
/// use asl_restate::Options;
/// use std::sync::Arc;
///
/// let handlers = TaskHandlers::new().on_value("greet", |_input| async { Ok("hello".into()) });
/// let options = Options::new("http://restate:8080", "http://restate:9070", Arc::new(handlers)).with_services_url("http://asl-1.internal:9080".to_owned());
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// Restate's ingress URLs, `http://HOST:PORT`. If a node of the cluster cannot be reached, the next one is used.
    pub ingress: Vec<String>,
    /// Restate's admin API, in the same way.
    pub admin: Vec<String>,
    /// Address on which this node listens for Restate. Executions end on the deployment that started them, so the address
    /// must not change when the node restarts.
    pub listen: SocketAddr,
    /// URL at which Restate reaches this node, if it differs from [`listen`](Self::listen): for example a load balancer in
    /// front of several equal nodes.
    pub services_url: Option<String>,
    /// Distinguishes this deployment from others of the same version: a build that does its tasks otherwise may be deployed next
    /// to an older one, under which executions end that began under it. The same as before when the node starts again.
    pub deployment: Option<String>,
    /// Public keys of Restate's request identity (`publickeyv1_...`): if there are any, requests must be signed with one of
    /// them.
    pub identity_keys: Vec<String>,
    /// True if other processes of this machine, which do the same, may listen at [`listen`](Self::listen) too: the system
    /// spreads Restate's connections over those that are there. Only on Unix.
    pub share_listen: bool,
    /// Performs tasks and storage requests.
    pub performer: Arc<dyn Performer>,
    /// Test cases that executions may be started with. Every node is given the same.
    pub mocks: Option<MockConfiguration>,
    /// Retention period of ended executions.
    pub retention: Duration,
    /// Bytes that the data of an execution weighs in memory before it fails; None for as many as the core allows by default.
    pub max_execution_bytes: Option<u64>,
}

asl_path::with_methods! {
    impl Options {
        with_ingress(ingress: Vec<String>),
        with_admin(admin: Vec<String>),
        with_listen(listen: SocketAddr),
        with_services_url(services_url: Option<String>),
        with_deployment(deployment: Option<String>),
        with_identity_keys(identity_keys: Vec<String>),
        with_share_listen(share_listen: bool),
        with_mocks(mocks: Option<MockConfiguration>),
        with_retention(retention: Duration),
        with_max_execution_bytes(max_execution_bytes: Option<u64>),
    }
}

const PORT: u16 = 9080;
const NINETY_DAYS: Duration = Duration::from_secs(90 * 24 * 60 * 60);

impl Options {
    /// Creates the defaults, with these servers of one node, and this performer.
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
