//! The column that describes protocols: `asl-services` reads it in `decode_protocol.rs`.
use super::botocore::ServiceModel;
use super::encode::put;
use serde_json::Value;

/// In the order of preference: CBOR last.
const PROTOCOLS: &[&str] = &[
    "json",
    "rest-json",
    "query",
    "rest-xml",
    "ec2",
    "smithy-rpc-v2-cbor",
];
const LOCATIONS: &[&str] = &["uri", "querystring", "header", "headers", "statusCode"];
const TIMESTAMP_FORMATS: &[&str] = &["unixTimestamp", "iso8601", "rfc822"];
const IDEMPOTENCY_TOKEN: u8 = 0x40;
const RARE: u8 = 0x80;

/// Returns a service's part of the column. `shapes` are the shapes that its operations refer to, in their order.
pub(super) fn column(model: &ServiceModel, shapes: &[String]) -> Result<Vec<u8>, String> {
    let mut column = Column(Vec::new());
    let protocol = protocol(&model.metadata)?;
    column.interface(model, protocol);
    for (name, operation) in &model.operations {
        column.binding(model, name, operation)?;
    }
    for name in shapes {
        let shape = &model.shapes[name.as_str()];
        column.traits(None, shape)?;
        for (name, member) in shape["members"].as_object().into_iter().flatten() {
            let is_payload = protocol == "rest-xml" && shape["payload"] == *name;
            match is_payload {
                true => column.traits(Some(name), &with_root_name(model, member))?,
                false => column.traits(Some(name), member)?,
            }
        }
        for part in ["member", "key", "value"] {
            if !shape[part].is_null() {
                column.traits(None, &shape[part])?;
            }
        }
    }
    Ok(column.0)
}

/// Returns what two shapes of one type must share to be one, besides their values and bounds.
pub(super) fn key(shape: &Value) -> String {
    let mut column = Column(Vec::new());
    match column.traits(None, shape) {
        Ok(()) => format!("{:?}", column.0),
        Err(error) => error,
    }
}

fn protocol(metadata: &Value) -> Result<&str, String> {
    let offered = metadata["protocols"].as_array();
    let offers = |name: &str| match offered {
        Some(offered) => offered.iter().any(|offered| offered == name),
        None => metadata["protocol"] == name,
    };
    let chosen = PROTOCOLS.iter().find(|name| offers(name));
    let protocol = &metadata["protocol"];
    chosen
        .copied()
        .ok_or_else(|| format!("the protocol {protocol} is new"))
}

/// An XML body goes by the name of its shape, which is kept nowhere else.
fn with_root_name(model: &ServiceModel, reference: &Value) -> Value {
    let mut reference = reference.clone();
    let name = reference["shape"].as_str().unwrap_or_default().to_owned();
    let shape = &model.shapes.get(&name);
    let is_structure = shape.is_some_and(|shape| shape["type"] == "structure");
    if let (true, Some(fields)) = (is_structure, reference.as_object_mut()) {
        let own = shape.and_then(|shape| shape["locationName"].as_str());
        fields
            .entry("locationName")
            .or_insert(own.unwrap_or(&name).into());
    }
    reference
}

struct Column(Vec<u8>);

impl Column {
    fn text(&mut self, text: &str) {
        put(&mut self.0, text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    fn interface(&mut self, model: &ServiceModel, protocol: &str) {
        let metadata = &model.metadata;
        let prefix = &metadata["endpointPrefix"];
        self.text(protocol);
        self.text(metadata["serviceId"].as_str().unwrap_or_default());
        self.text(prefix.as_str().unwrap_or_default());
        let signing_name = metadata["signingName"].as_str().or(prefix.as_str());
        self.text(signing_name.unwrap_or_default());
        for field in [
            "signatureVersion",
            "apiVersion",
            "targetPrefix",
            "jsonVersion",
        ] {
            self.text(metadata[field].as_str().unwrap_or_default());
        }
        self.0
            .push(u8::from(!metadata["awsQueryCompatible"].is_null()));
        let errors: Vec<_> = model
            .shapes
            .iter()
            .filter(|(_, shape)| shape["exception"] == true || !shape["error"].is_null())
            .collect();
        put(&mut self.0, errors.len() as u64);
        for (name, shape) in errors {
            self.text(name);
            let code = shape["error"]["code"].as_str();
            self.text(code.filter(|code| code != name).unwrap_or_default());
        }
    }

    fn namespace(&mut self, namespace: &Value) {
        let uri = namespace.as_str().or(namespace["uri"].as_str());
        self.text(uri.unwrap_or_default());
        if uri.is_some_and(|uri| !uri.is_empty()) {
            self.text(namespace["prefix"].as_str().unwrap_or_default());
        }
    }

    fn binding(
        &mut self,
        model: &ServiceModel,
        name: &str,
        operation: &Value,
    ) -> Result<(), String> {
        let http = &operation["http"];
        let [method, uri] = ["method", "requestUri"].map(|field| http[field].as_str());
        let (method, uri) = (method.unwrap_or("POST"), uri.unwrap_or("/"));
        let host_prefix = operation["endpoint"]["hostPrefix"].as_str();
        let checksum = &operation["httpChecksum"];
        let input = match protocol(&model.metadata)? {
            "rest-xml" => with_root_name(model, &operation["input"]),
            _ => operation["input"].clone(),
        };
        let wrapper = operation["output"]["resultWrapper"].as_str();
        let wrapper = wrapper.filter(|wrapper| *wrapper != format!("{name}Result"));
        let has_checksum = operation["httpChecksumRequired"] == true
            || checksum["requestChecksumRequired"] == true
            || checksum["requestAlgorithmMember"].is_string();
        let has_input_traits = !input["locationName"].is_null() || !input["xmlNamespace"].is_null();
        let flags = [
            (method, uri) != ("POST", "/"),
            host_prefix.is_some(),
            has_checksum,
            operation["authtype"] == "none",
            has_input_traits,
            wrapper.is_some(),
            operation["readonly"] == true,
        ];
        self.0.push(bits(&flags) as u8);
        if flags[0] {
            self.text(method);
            self.text(uri);
        }
        if let Some(host_prefix) = host_prefix {
            self.text(host_prefix);
        }
        if has_input_traits {
            self.traits(None, &input)?;
        }
        if let Some(wrapper) = wrapper {
            self.text(wrapper);
        }
        Ok(())
    }

    /// Traits of a member with a name, or of a shape or another reference to one.
    fn traits(&mut self, own_name: Option<&str>, value: &Value) -> Result<(), String> {
        let location = match value["location"].as_str() {
            None => 0,
            Some(location) => number(LOCATIONS, location)? + 1,
        };
        let name = value["locationName"].as_str();
        let rule = own_name
            .zip(name)
            .map_or(if name.is_some() { 4 } else { 0 }, |(own, name)| {
                rule(own, name)
            });
        let rare = Rare::of(value);
        let mut first = location | rule << 3;
        if value["idempotencyToken"] == true {
            first |= IDEMPOTENCY_TOKEN;
        }
        if rare.flags != 0 {
            first |= RARE;
        }
        self.0.push(first);
        if rare.flags != 0 {
            self.rare(&rare)?;
        }
        if rule == 4 {
            self.text(name.unwrap_or_default());
        }
        Ok(())
    }

    fn rare(&mut self, rare: &Rare<'_>) -> Result<(), String> {
        put(&mut self.0, rare.flags);
        if let Some(format) = rare.timestamp_format {
            self.0.push(number(TIMESTAMP_FORMATS, format)?);
        }
        if !rare.namespace.is_null() {
            self.namespace(rare.namespace);
        }
        for text in [rare.query_name, rare.payload].into_iter().flatten() {
            self.text(text);
        }
        Ok(())
    }
}

struct Rare<'v> {
    flags: u64,
    timestamp_format: Option<&'v str>,
    namespace: &'v Value,
    query_name: Option<&'v str>,
    payload: Option<&'v str>,
}

impl<'v> Rare<'v> {
    fn of(value: &'v Value) -> Self {
        let is = |field: &str| value[field] == true;
        let timestamp_format = value["timestampFormat"].as_str();
        let namespace = &value["xmlNamespace"];
        let query_name = value["queryName"].as_str();
        let payload = value["payload"].as_str();
        let flags = [
            is("flattened"),
            is("xmlAttribute"),
            is("jsonvalue"),
            is("hostLabel"),
            is("streaming"),
            is("eventstream"),
            timestamp_format.is_some(),
            !namespace.is_null(),
            query_name.is_some(),
            payload.is_some(),
        ];
        Self {
            flags: bits(&flags),
            timestamp_format,
            namespace,
            query_name,
            payload,
        }
    }
}

fn bits(flags: &[bool]) -> u64 {
    let flags = flags.iter().rev();
    flags.fold(0, |bits, flag| bits << 1 | u64::from(*flag))
}

/// The rule by which the name in a request follows from that of the member.
fn rule(own: &str, name: &str) -> u8 {
    let with_first = |change: fn(&char) -> char| -> String {
        let mut characters = own.chars();
        let first = characters.next();
        first.iter().map(change).chain(characters).collect()
    };
    if name == own {
        1
    } else if name == with_first(char::to_ascii_lowercase) {
        2
    } else if name == with_first(char::to_ascii_uppercase) {
        3
    } else {
        4
    }
}

fn number(known: &[&str], name: &str) -> Result<u8, String> {
    let place = known.iter().position(|known| *known == name);
    let place = place.ok_or_else(|| format!("'{name}' is none of {}", known.join(", ")))?;
    u8::try_from(place).map_err(|error| error.to_string())
}
