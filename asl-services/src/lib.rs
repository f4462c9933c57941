#![doc = include_str!("../README.md")]
//!
//! # The file
//!
//! A number of sections, each its length, its length once it is inflated, and a deflate stream: a directory, the names that
//! several services have, and then five for each block of services (names, names' places, operations, shapes, protocols).
//! Numbers are LEB128. A name or a shape is written where it is met first, and referred to by how long ago that was.

mod bytes;
mod container;
mod decode;
mod decode_protocol;
mod directory;
mod member_name;
mod polled;
mod protocol;
mod service;

pub use member_name::step_functions_name;
pub use polled::polled_operation;
pub use protocol::{
    Binding, ErrorShape, Interface, Location, Protocol, TimestampFormat, Traits, XmlNamespace,
};
pub use service::{Kind, Member, Operation, Service, Shape};

use container::Container;
use directory::Directory;
use std::borrow::Cow;
use std::sync::OnceLock;

#[cfg(feature = "data")]
static DATA: &[u8] = include_bytes!("../data/services.bin");

/// Returns the name of the service that [`Services::called_service`] returns.
///
/// ```
/// use asl_services::called_service_name;
/// assert_eq!(called_service_name("aws-sdk:sqs", "sendMessage"), Some("sqs"));
/// assert_eq!(called_service_name("apigateway", "invoke"), None);
/// ```
pub fn called_service_name<'n>(own: &'n str, action: &str) -> Option<&'n str> {
    Some(match (own, action) {
        ("apigateway", _) => return None,
        ("bedrock", "invokeModel") => "bedrockruntime",
        _ => own.strip_prefix("aws-sdk:").unwrap_or(own),
    })
}

/// The services. Nothing is read before it is requested; what several services share is kept after it was read.
#[derive(Debug)]
pub struct Services {
    container: Container,
    directory: OnceLock<Directory>,
    shared_names: OnceLock<Vec<String>>,
}

#[cfg(feature = "data")]
impl Default for Services {
    fn default() -> Self {
        Self::new()
    }
}

impl Services {
    /// Creates all that this version of the crate knows.
    #[cfg(feature = "data")]
    pub fn new() -> Self {
        Self::read(DATA.into())
    }

    /// Creates the services of a file: the file `data/services.bin` of this version of the crate, for a program that is built
    /// without the feature `data` and loads the file when it needs it. None if the data is not such a file.
    ///
    /// ```
    /// use asl_services::Services;
    ///
    /// let file = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/data/services.bin"))?;
    /// let services = Services::from_data(file).ok_or("not a file of services")?;
    /// assert!(services.service("sqs").is_some());
    /// assert_eq!(Services::from_data(&b"something else"[..]).map(drop), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_data(data: impl Into<Cow<'static, [u8]>>) -> Option<Self> {
        let services = Self::read(data.into());
        let has_services = services.names().next().is_some();
        has_services.then_some(services)
    }

    fn read(data: Cow<'static, [u8]>) -> Self {
        Self {
            container: Container::new(data),
            directory: OnceLock::new(),
            shared_names: OnceLock::new(),
        }
    }

    /// Returns the source of the data: `botocore`, and its version.
    pub fn source(&self) -> &str {
        &self.directory().source
    }

    /// Returns a service by its name in `aws-sdk:` resources or optimized integrations: `dynamodb`, `sfn`, `states`,
    /// `eventbridge`, `events` …; None for an unknown name.
    ///
    /// ```
    /// let services = asl_services::Services::new();
    /// assert_eq!(services.service("states").unwrap().name(), services.service("sfn").unwrap().name());
    /// assert!(services.service("nothing").is_none());
    /// ```
    pub fn service(&self, name: &str) -> Option<Service> {
        self.decode(name, false)
    }

    /// Returns a service as [`service`](Self::service) does, with its protocol: its
    /// [interface](Service::interface), the [bindings](Operation::binding) of operations, and the traits of all values.
    ///
    /// ```
    /// use asl_services::{Protocol, Services};
    ///
    /// let sqs = Services::new().callable_service("sqs").unwrap();
    /// assert_eq!(sqs.interface().unwrap().protocol, Protocol::Json);
    /// let s3 = Services::new().callable_service("s3").unwrap();
    /// assert_eq!(s3.operation("getObject").unwrap().binding().uri, "/{Bucket}/{Key+}");
    /// ```
    pub fn callable_service(&self, name: &str) -> Option<Service> {
        self.decode(name, true)
    }

    fn decode(&self, name: &str, with_protocol: bool) -> Option<Service> {
        let entry = self.directory().find(name)?;
        let columns = self.container.block(entry.block, with_protocol)?;
        let columns = columns.part(&entry.parts)?;
        let mut service = decode::service(&entry.name, &columns, self.shared_names())?;
        if with_protocol {
            let [.., protocol] = &columns.columns;
            decode_protocol::add_protocol(&mut service, protocol)?;
        }
        Some(service)
    }

    /// Returns the service whose API a resource of a Task State calls: `own` is the service that the resource names, as
    /// `sqs` or `aws-sdk:sqs`. None of `apigateway`, whose integration calls APIs of the user, and of an unknown service.
    ///
    /// ```
    /// let services = asl_services::Services::new();
    /// let model = services.called_service("bedrock", "invokeModel").unwrap();
    /// assert_eq!(model.name(), services.service("bedrockruntime").unwrap().name());
    /// assert!(services.called_service("apigateway", "invoke").is_none());
    /// ```
    pub fn called_service(&self, own: &str, action: &str) -> Option<Service> {
        self.service(called_service_name(own, action)?)
    }

    /// Returns the names of all services, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.directory().names()
    }

    fn directory(&self) -> &Directory {
        self.directory.get_or_init(|| {
            let text = self.container.text(container::DIRECTORY);
            Directory::parse(&text.unwrap_or_default())
        })
    }

    fn shared_names(&self) -> &[String] {
        self.shared_names.get_or_init(|| {
            let text = self.container.text(container::SHARED_NAMES);
            let text = text.unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        })
    }
}
