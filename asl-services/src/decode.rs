//! The columns of a service, read.
use crate::bytes::Bytes;
use crate::container::Columns;
use crate::protocol::{Binding, Traits};
use crate::service::{Kind, KindData, MemberData, OperationData, Service, ShapeData};

/// Of a shape's first byte: its type.
const KIND: u8 = 0x0f;
/// It has values.
const ENUMERATION: u8 = 0x10;
/// It has bounds.
const BOUNDS: u8 = 0x20;
/// It is any JSON.
const DOCUMENT: u8 = 0x40;
/// Members whose being required one byte reports.
const FLAGS_OF_A_BYTE: usize = 7;

/// Returns a service; None if its data is damaged.
pub(crate) fn service(name: &str, columns: &Columns, shared: &[String]) -> Option<Service> {
    let [text, names, operations, shapes, _] = &columns.columns;
    let text = std::str::from_utf8(text).ok()?;
    let (operation_names, own) = text.split_once("\n\n")?;
    let mut decoder = Decoder {
        names: Bytes(names),
        own: own.split('\n'),
        shared,
        known: Vec::new(),
        shapes: Bytes(shapes),
        met: 0,
    };
    let mut bytes = Bytes(operations);
    let mut read = Vec::new();
    for name in operation_names.split('\n').filter(|name| !name.is_empty()) {
        read.push(OperationData {
            name: name.to_owned(),
            input: decoder.optional_shape(&mut bytes)?,
            output: decoder.optional_shape(&mut bytes)?,
            binding: Binding::default(),
        });
    }
    let mut shapes = Vec::new();
    while shapes.len() < decoder.met {
        shapes.push(decoder.shape()?);
    }
    Some(Service {
        name: name.to_owned(),
        interface: None,
        operations: read,
        shapes,
    })
}

struct Decoder<'c> {
    names: Bytes<'c>,
    /// Names of this service alone that were not met yet.
    own: std::str::Split<'c, char>,
    shared: &'c [String],
    /// Names of this service alone that were met.
    known: Vec<&'c str>,
    shapes: Bytes<'c>,
    /// Shapes that were referred to.
    met: usize,
}

impl Decoder<'_> {
    /// Returns a name: met first, shared, or met some names ago.
    fn name(&mut self) -> Option<String> {
        let reference = self.names.number()?;
        if reference == 0 {
            let name = self.own.next()?;
            self.known.push(name);
            return Some(name.to_owned());
        }
        let index = usize::try_from(reference / 2).ok()?;
        match reference % 2 {
            1 => self.shared.get(index).cloned(),
            _ => {
                let place = self.known.len().checked_sub(index)?;
                self.known.get(place).map(|name| (*name).to_owned())
            }
        }
    }

    /// A shape that is met first, or was met some shapes ago.
    fn reference(met: &mut usize, bytes: &mut Bytes<'_>) -> Option<usize> {
        let ago = usize::try_from(bytes.number()?).ok()?;
        let index = met.checked_sub(ago)?;
        if ago == 0 {
            *met += 1;
        }
        Some(index)
    }

    fn optional_shape(&mut self, bytes: &mut Bytes<'_>) -> Option<Option<usize>> {
        match bytes.byte()? {
            0 => Some(None),
            _ => Self::reference(&mut self.met, bytes).map(Some),
        }
    }

    fn own_reference(&mut self) -> Option<usize> {
        Self::reference(&mut self.met, &mut self.shapes)
    }

    fn shape(&mut self) -> Option<ShapeData> {
        let flags = self.shapes.byte()?;
        let mut values = Vec::new();
        if flags & ENUMERATION != 0 {
            for _ in 0..self.shapes.number()? {
                values.push(self.name()?);
            }
        }
        let (mut minimum, mut maximum) = (None, None);
        if flags & BOUNDS != 0 {
            minimum = self.shapes.bound()?;
            maximum = self.shapes.bound()?;
        }
        let kind = self.kind(flags)?;
        Some(ShapeData {
            kind,
            traits: Traits::default(),
            values,
            minimum,
            maximum,
        })
    }

    fn kind(&mut self, flags: u8) -> Option<KindData> {
        Some(match flags & KIND {
            0 => {
                let members = self.members()?;
                match flags & DOCUMENT {
                    0 => KindData::Structure(members),
                    _ => KindData::Plain(Kind::Document),
                }
            }
            1 => KindData::List(self.own_reference()?, Box::default()),
            2 => KindData::Map {
                key: self.own_reference()?,
                value: self.own_reference()?,
                traits: Box::default(),
            },
            3 => KindData::Plain(Kind::String),
            4 => KindData::Plain(Kind::Integer),
            5 => KindData::Plain(Kind::Long),
            6 => KindData::Plain(Kind::Float),
            7 => KindData::Plain(Kind::Double),
            8 => KindData::Plain(Kind::Boolean),
            9 => KindData::Plain(Kind::Blob),
            10 => KindData::Plain(Kind::Timestamp),
            _ => return None,
        })
    }

    fn members(&mut self) -> Option<Vec<MemberData>> {
        let count = usize::try_from(self.shapes.number()?).ok()?;
        let mut flags = Vec::new();
        for _ in 0..count.div_ceil(FLAGS_OF_A_BYTE) {
            flags.push(self.shapes.byte()?);
        }
        let mut members = Vec::new();
        for index in 0..count {
            let byte = flags.get(index / FLAGS_OF_A_BYTE)?;
            members.push(MemberData {
                name: self.name()?,
                shape: self.own_reference()?,
                traits: Traits::default(),
                is_required: byte >> (index % FLAGS_OF_A_BYTE) & 1 == 1,
            });
        }
        Some(members)
    }
}
