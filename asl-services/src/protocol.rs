//! Protocols of services, and the places of values in requests and results.
//!
//! Most members have no more than a name of their own. What few have is kept apart.

/// The protocol of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Protocol {
    /// JSON, with the operation in a header.
    Json,
    /// JSON, with the operation in method and path.
    RestJson,
    /// A form, answered with XML.
    Query,
    /// The form of EC2, answered with XML.
    Ec2,
    /// XML, with the operation in method and path.
    RestXml,
    /// CBOR.
    Cbor,
}

impl Protocol {
    /// Returns the protocol with this name in a model.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "json" => Self::Json,
            "rest-json" => Self::RestJson,
            "query" => Self::Query,
            "ec2" => Self::Ec2,
            "rest-xml" => Self::RestXml,
            "smithy-rpc-v2-cbor" => Self::Cbor,
            _ => return None,
        })
    }
}

/// A place of a value outside of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle each")]
pub enum Location {
    /// A part of the path.
    Uri,
    /// A parameter of the query.
    Query,
    /// A header.
    Header,
    /// Headers with a common prefix.
    Headers,
    /// The status code of the response.
    StatusCode,
}

impl Location {
    /// Returns true for a place in a response. A result has the other members in its body.
    pub fn is_of_responses(self) -> bool {
        matches!(self, Self::Header | Self::Headers | Self::StatusCode)
    }
}

/// The text of a timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle each")]
pub enum TimestampFormat {
    /// Seconds since 1970.
    Seconds,
    /// `2026-01-31T12:00:00Z`.
    Iso8601,
    /// `Sat, 31 Jan 2026 12:00:00 GMT`.
    HttpDate,
}

/// An XML namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct XmlNamespace {
    /// Its URI.
    pub uri: String,
    /// Its prefix; None for the default namespace.
    pub prefix: Option<String>,
}

/// The traits of a value in requests and results: of a member of a structure, an element of a list, a key or a value of a map, or of all
/// values of a shape.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traits {
    pub(crate) location: Option<Location>,
    pub(crate) name: Option<String>,
    pub(crate) is_idempotency_token: bool,
    pub(crate) rare: Option<Box<RareTraits>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RareTraits {
    pub(crate) is_flattened: bool,
    pub(crate) is_xml_attribute: bool,
    pub(crate) is_json_text: bool,
    pub(crate) is_host_label: bool,
    pub(crate) is_streaming: bool,
    pub(crate) is_event_stream: bool,
    pub(crate) timestamp_format: Option<TimestampFormat>,
    pub(crate) xml_namespace: Option<XmlNamespace>,
    pub(crate) query_name: Option<String>,
    pub(crate) payload: Option<String>,
}

impl Traits {
    /// Those of a value without any.
    pub(crate) const NONE: &'static Self = &Self::none();

    pub(crate) const fn none() -> Self {
        Self {
            location: None,
            name: None,
            is_idempotency_token: false,
            rare: None,
        }
    }

    /// Returns its place; None in the body.
    pub fn location(&self) -> Option<Location> {
        self.location
    }

    /// Returns its name in the request or result, if the model has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns true if a caller fills the member with a text that is new for each request.
    pub fn is_idempotency_token(&self) -> bool {
        self.is_idempotency_token
    }

    /// Returns true for a list or map whose elements have no element around them.
    pub fn is_flattened(&self) -> bool {
        self.rare().is_some_and(|rare| rare.is_flattened)
    }

    /// Returns true for an attribute of the XML element.
    pub fn is_xml_attribute(&self) -> bool {
        self.rare().is_some_and(|rare| rare.is_xml_attribute)
    }

    /// Returns true for a header that has JSON in Base64.
    pub fn is_json_text(&self) -> bool {
        self.rare().is_some_and(|rare| rare.is_json_text)
    }

    /// Returns true for a part of the host's name.
    pub fn is_host_label(&self) -> bool {
        self.rare().is_some_and(|rare| rare.is_host_label)
    }

    /// Returns true for a body of any length.
    pub fn is_streaming(&self) -> bool {
        self.rare().is_some_and(|rare| rare.is_streaming)
    }

    /// Returns true for a stream of events.
    pub fn is_event_stream(&self) -> bool {
        self.rare().is_some_and(|rare| rare.is_event_stream)
    }

    /// Returns the format of a timestamp, if the model has one.
    pub fn timestamp_format(&self) -> Option<TimestampFormat> {
        self.rare()?.timestamp_format
    }

    /// Returns the XML namespace.
    pub fn xml_namespace(&self) -> Option<&XmlNamespace> {
        self.rare()?.xml_namespace.as_ref()
    }

    /// Returns the name in the protocol of EC2, if it is another one.
    pub fn query_name(&self) -> Option<&str> {
        self.rare()?.query_name.as_deref()
    }

    /// Returns the member that is the whole body, of a structure.
    pub fn payload(&self) -> Option<&str> {
        self.rare()?.payload.as_deref()
    }

    fn rare(&self) -> Option<&RareTraits> {
        self.rare.as_deref()
    }
}

/// The common part of all requests of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interface {
    /// The protocol.
    pub protocol: Protocol,
    /// The id of the service: `DynamoDB`, `Secrets Manager`.
    pub service_id: String,
    /// The first part of the name of its hosts: `dynamodb`.
    pub endpoint_prefix: String,
    /// The name of the service in a signature.
    pub signing_name: String,
    /// The kind of signature: `v4`.
    pub signature_version: String,
    /// The version of the API: `2012-08-10`.
    pub api_version: String,
    /// Prefix of the operation in the header `X-Amz-Target`.
    pub target_prefix: String,
    /// The version of JSON in the content type: `1.0`, `1.1`.
    pub json_version: String,
    /// True if errors also have the names of an earlier protocol.
    pub is_query_compatible: bool,
    /// The errors of its operations.
    pub errors: Vec<ErrorShape>,
}

/// An error that a model describes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorShape {
    /// Its name: `QueueDoesNotExist`.
    pub name: String,
    /// Its code in responses: `AWS.SimpleQueueService.NonExistentQueue`. Most have their name there.
    pub code: Option<String>,
}

impl Interface {
    /// Returns the error with this code in a response, or with this name.
    pub fn error(&self, code: &str) -> Option<&ErrorShape> {
        let of_code = |error: &&ErrorShape| error.code.as_deref() == Some(code);
        let mut errors = self.errors.iter();
        errors
            .find(of_code)
            .or_else(|| self.errors.iter().find(|error| error.name == code))
    }
}

/// The request of an operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Binding {
    /// The HTTP method.
    pub method: String,
    /// The path, with places for values: `/{Bucket}/{Key+}`.
    pub uri: String,
    /// Prefix of the host, with places for values.
    pub host_prefix: Option<String>,
    /// The element around the result in XML.
    pub result_wrapper: Option<String>,
    /// Traits of the input as a whole.
    pub input: Traits,
    /// True if requests are not signed.
    pub is_unsigned: bool,
    /// True if bodies have a checksum.
    pub has_checksum: bool,
    /// True if the operation changes nothing.
    pub is_read_only: bool,
}
