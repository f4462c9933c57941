//! The column of a service that describes its protocol, read.
use crate::bytes::Bytes;
use crate::member_name::capitalized;
use crate::protocol::{
    Binding, ErrorShape, Interface, Location, Protocol, RareTraits, TimestampFormat, Traits,
    XmlNamespace,
};
use crate::service::{KindData, Service};

/// Of the first byte of traits: the location, and how the name follows from that of the member.
const LOCATION: u8 = 0x07;
const NAME_RULE_SHIFT: u8 = 3;
const NAME_RULE: u8 = 0x07;
const IDEMPOTENCY_TOKEN: u8 = 0x40;
const RARE: u8 = 0x80;

/// Adds to a service its protocol and traits; None if the data is damaged.
pub(crate) fn add_protocol(service: &mut Service, column: &[u8]) -> Option<()> {
    let mut decoder = Decoder(Bytes(column));
    let interface = decoder.interface()?;
    for operation in &mut service.operations {
        operation.binding = decoder.binding(&interface, &operation.name)?;
    }
    for shape in &mut service.shapes {
        shape.traits = decoder.traits("")?;
        match &mut shape.kind {
            KindData::Structure(members) => {
                for member in members {
                    member.traits = decoder.traits(&member.name)?;
                }
            }
            KindData::List(_, traits) => **traits = decoder.traits("")?,
            KindData::Map { traits, .. } => {
                traits.0 = decoder.traits("")?;
                traits.1 = decoder.traits("")?;
            }
            KindData::Plain(_) => {}
        }
    }
    service.interface = Some(interface);
    Some(())
}

struct Decoder<'c>(Bytes<'c>);

impl Decoder<'_> {
    fn text(&mut self) -> Option<String> {
        self.0.text().map(str::to_owned)
    }

    /// None for an empty text.
    fn optional_text(&mut self) -> Option<Option<String>> {
        let text = self.text()?;
        Some((!text.is_empty()).then_some(text))
    }

    fn interface(&mut self) -> Option<Interface> {
        let protocol = Protocol::from_name(self.0.text()?)?;
        Some(Interface {
            protocol,
            service_id: self.text()?,
            endpoint_prefix: self.text()?,
            signing_name: self.text()?,
            signature_version: self.text()?,
            api_version: self.text()?,
            target_prefix: self.text()?,
            json_version: self.text()?,
            is_query_compatible: self.0.byte()? != 0,
            errors: self.errors()?,
        })
    }

    fn errors(&mut self) -> Option<Vec<ErrorShape>> {
        let mut errors = Vec::new();
        for _ in 0..self.0.number()? {
            errors.push(ErrorShape {
                name: self.text()?,
                code: self.optional_text()?,
            });
        }
        Some(errors)
    }

    fn namespace(&mut self) -> Option<Option<XmlNamespace>> {
        let Some(uri) = self.optional_text()? else {
            return Some(None);
        };
        let prefix = self.optional_text()?;
        Some(Some(XmlNamespace { uri, prefix }))
    }

    fn binding(&mut self, interface: &Interface, name: &str) -> Option<Binding> {
        let flags = self.0.byte()?;
        let has = |bit: u8| flags & 1 << bit != 0;
        let mut binding = Binding {
            method: "POST".to_owned(),
            uri: "/".to_owned(),
            is_unsigned: has(3),
            has_checksum: has(2),
            is_read_only: has(6),
            ..Binding::default()
        };
        if has(0) {
            binding.method = self.text()?;
            binding.uri = self.text()?;
        }
        if has(1) {
            binding.host_prefix = self.optional_text()?;
        }
        if has(4) {
            binding.input = self.traits("")?;
        }
        if has(5) {
            binding.result_wrapper = self.optional_text()?;
        } else if interface.protocol == Protocol::Query {
            binding.result_wrapper = Some(format!("{name}Result"));
        }
        Some(binding)
    }

    fn traits(&mut self, own_name: &str) -> Option<Traits> {
        let first = self.0.byte()?;
        let rare = match first & RARE {
            0 => None,
            _ => Some(Box::new(self.rare()?)),
        };
        Some(Traits {
            location: location(first & LOCATION)?,
            name: self.location_name(first >> NAME_RULE_SHIFT & NAME_RULE, own_name)?,
            is_idempotency_token: first & IDEMPOTENCY_TOKEN != 0,
            rare,
        })
    }

    fn location_name(&mut self, rule: u8, own_name: &str) -> Option<Option<String>> {
        Some(match rule {
            0 => None,
            1 => Some(own_name.to_owned()),
            2 => Some(uncapitalized(own_name)),
            3 => Some(capitalized(own_name)),
            4 => Some(self.text()?),
            _ => return None,
        })
    }

    fn rare(&mut self) -> Option<RareTraits> {
        let flags = self.0.number()?;
        let has = |bit: u8| flags & 1 << bit != 0;
        let mut rare = RareTraits {
            is_flattened: has(0),
            is_xml_attribute: has(1),
            is_json_text: has(2),
            is_host_label: has(3),
            is_streaming: has(4),
            is_event_stream: has(5),
            ..RareTraits::default()
        };
        if has(6) {
            rare.timestamp_format = Some(timestamp_format(self.0.byte()?)?);
        }
        if has(7) {
            rare.xml_namespace = self.namespace()?;
        }
        if has(8) {
            rare.query_name = self.optional_text()?;
        }
        if has(9) {
            rare.payload = self.optional_text()?;
        }
        Some(rare)
    }
}

fn location(number: u8) -> Option<Option<Location>> {
    Some(Some(match number {
        0 => return Some(None),
        1 => Location::Uri,
        2 => Location::Query,
        3 => Location::Header,
        4 => Location::Headers,
        5 => Location::StatusCode,
        _ => return None,
    }))
}

fn timestamp_format(number: u8) -> Option<TimestampFormat> {
    Some(match number {
        0 => TimestampFormat::Seconds,
        1 => TimestampFormat::Iso8601,
        2 => TimestampFormat::HttpDate,
        _ => return None,
    })
}

fn uncapitalized(name: &str) -> String {
    let mut characters = name.chars();
    let first = characters.next();
    let first = first.iter().map(char::to_ascii_lowercase);
    first.chain(characters).collect()
}
