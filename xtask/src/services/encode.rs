//! The form that `asl-services` reads: its documentation describes it.
use super::botocore::ServiceModel;
use super::protocols;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Names, their places, operations, shapes, protocols.
pub(crate) type Columns = [Vec<u8>; 5];

const KINDS: &[&str] = &[
    "structure",
    "list",
    "map",
    "string",
    "integer",
    "long",
    "float",
    "double",
    "boolean",
    "blob",
    "timestamp",
];
const ENUMERATION: u8 = 0x10;
const BOUNDS: u8 = 0x20;
const DOCUMENT: u8 = 0x40;
const FLAGS_OF_A_BYTE: usize = 7;

/// The names that several services have.
pub(crate) struct Names {
    shared: Vec<String>,
    places: HashMap<String, usize>,
}

impl Names {
    /// Those that most have first, so that their numbers are short.
    pub(crate) fn shared_by(models: &BTreeMap<String, ServiceModel>) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for model in models.values() {
            let names: BTreeSet<&str> = model.shapes.values().flat_map(names).collect();
            for name in names {
                *counts.entry(name).or_default() += 1;
            }
        }
        let mut shared: Vec<(&str, usize)> =
            counts.into_iter().filter(|(_, count)| *count > 1).collect();
        shared.sort_by(|(_, one), (_, other)| other.cmp(one));
        let shared: Vec<String> = shared
            .into_iter()
            .map(|(name, _)| name.to_owned())
            .collect();
        let places = shared.iter().cloned().enumerate();
        Self {
            places: places.map(|(place, name)| (name, place)).collect(),
            shared,
        }
    }

    pub(crate) fn text(&self) -> String {
        self.shared.join("\n")
    }
}

/// Returns the members and the values of a shape.
fn names(shape: &Value) -> impl Iterator<Item = &str> {
    let members = shape["members"].as_object().into_iter().flatten();
    let values = shape["enum"].as_array().into_iter().flatten();
    let names = members.map(|(name, _)| name.as_str());
    names.chain(values.filter_map(Value::as_str))
}

/// Returns a service's part of each column.
pub(crate) fn service(model: &ServiceModel, names: &Names) -> Result<Columns, String> {
    let mut encoder = Encoder {
        model,
        shared: names,
        own: Vec::new(),
        places: HashMap::new(),
        name_bytes: Vec::new(),
        order: Vec::new(),
        met: HashMap::new(),
    };
    let mut operations = Vec::new();
    for operation in model.operations.values() {
        for side in ["input", "output"] {
            match operation[side]["shape"].as_str() {
                None => operations.push(0),
                Some(shape) => {
                    operations.push(1);
                    encoder.reference(shape, &mut operations)?;
                }
            }
        }
    }
    let mut shapes = Vec::new();
    let mut next = 0;
    while let Some(name) = encoder.order.get(next).cloned() {
        next += 1;
        encoder.shape(&name, &mut shapes)?;
    }
    let operation_names: Vec<&str> = model.operations.keys().map(String::as_str).collect();
    let text = format!(
        "{}\n\n{}",
        operation_names.join("\n"),
        encoder.own.join("\n")
    );
    let protocols = protocols::column(model, &encoder.order)?;
    Ok([
        text.into_bytes(),
        encoder.name_bytes,
        operations,
        shapes,
        protocols,
    ])
}

struct Encoder<'m> {
    model: &'m ServiceModel,
    shared: &'m Names,
    own: Vec<String>,
    places: HashMap<String, usize>,
    name_bytes: Vec<u8>,
    /// Names of the shapes that were met.
    order: Vec<String>,
    /// Positions of known shapes; shapes without names are equal if they look the same.
    met: HashMap<String, usize>,
}

impl Encoder<'_> {
    fn name(&mut self, name: &str) {
        let number = match (self.shared.places.get(name), self.places.get(name)) {
            (Some(place), _) => place * 2 + 1,
            (None, Some(place)) => (self.own.len() - place) * 2,
            (None, None) => {
                self.places.insert(name.to_owned(), self.own.len());
                self.own.push(name.to_owned());
                0
            }
        };
        put(&mut self.name_bytes, number as u64);
    }

    fn shape_named(&self, name: &str) -> Result<&Value, String> {
        let shape = self.model.shapes.get(name);
        shape.ok_or_else(|| format!("the shape {name} is missing"))
    }

    fn reference(&mut self, name: &str, bytes: &mut Vec<u8>) -> Result<(), String> {
        let shape = self.shape_named(name)?;
        let key = match shape["type"].as_str() {
            Some("structure" | "list" | "map") => name.to_owned(),
            // No name of a shape has a space.
            kind => format!(
                "{} {} {} {} {}",
                kind.unwrap_or_default(),
                shape["enum"],
                shape["min"],
                shape["max"],
                protocols::key(shape)
            ),
        };
        let met = self.order.len();
        let ago = self.met.get(&key).map_or(0, |place| met - place);
        if ago == 0 {
            self.met.insert(key, met);
            self.order.push(name.to_owned());
        }
        put(bytes, ago as u64);
        Ok(())
    }

    fn shape(&mut self, name: &str, bytes: &mut Vec<u8>) -> Result<(), String> {
        let shape = self.shape_named(name)?.clone();
        let kind = shape["type"].as_str().unwrap_or_default();
        let number = KINDS.iter().position(|known| *known == kind);
        let number = number.ok_or_else(|| format!("the shape {name} is of a new type, {kind}"))?;
        let bounds = ["min", "max"].map(|side| shape[side].as_i64());
        let values = shape["enum"].as_array().cloned().unwrap_or_default();
        let mut flags = u8::try_from(number).map_err(|error| error.to_string())?;
        flags |= if values.is_empty() { 0 } else { ENUMERATION };
        flags |= if bounds == [None, None] { 0 } else { BOUNDS };
        flags |= if shape["document"] == true {
            DOCUMENT
        } else {
            0
        };
        bytes.push(flags);
        if !values.is_empty() {
            put(bytes, values.len() as u64);
            for value in &values {
                self.name(value.as_str().unwrap_or_default());
            }
        }
        if bounds != [None, None] {
            for side in bounds {
                put_bound(bytes, side);
            }
        }
        match kind {
            "structure" => self.members(&shape, bytes),
            "list" => self.reference(text(&shape["member"]["shape"])?, bytes),
            "map" => {
                self.reference(text(&shape["key"]["shape"])?, bytes)?;
                self.reference(text(&shape["value"]["shape"])?, bytes)
            }
            _ => Ok(()),
        }
    }

    fn members(&mut self, shape: &Value, bytes: &mut Vec<u8>) -> Result<(), String> {
        let members = shape["members"].as_object().cloned().unwrap_or_default();
        let required = shape["required"].as_array().cloned().unwrap_or_default();
        put(bytes, members.len() as u64);
        let is_required: Vec<bool> = members
            .keys()
            .map(|name| required.iter().any(|required| required == name))
            .collect();
        for flags in is_required.chunks(FLAGS_OF_A_BYTE) {
            let flags = flags.iter().rev();
            bytes.push(flags.fold(0, |byte, flag| byte << 1 | u8::from(*flag)));
        }
        for (name, member) in &members {
            self.name(name);
            self.reference(text(&member["shape"])?, bytes)?;
        }
        Ok(())
    }
}

fn text(value: &Value) -> Result<&str, String> {
    value
        .as_str()
        .ok_or_else(|| format!("expected the name of a shape, found {value}"))
}

pub(super) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn put_bound(bytes: &mut Vec<u8>, bound: Option<i64>) {
    put(
        bytes,
        match bound {
            None => 0,
            Some(number) if number < 0 => ((-(number + 1)) as u64) * 2 + 2,
            Some(number) => (number as u64).saturating_mul(2) + 1,
        },
    );
}
