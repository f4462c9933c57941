//! An object while it is written.
use super::field;
use crate::definition::Word;
use crate::{Assign, DataPath, PayloadTemplate, Processing, ResultPath, Whole};
use serde_json::{Map, Number, Value};

/// The fields so far.
#[derive(Debug, Default)]
pub(super) struct ObjectPrinter(Map<String, Value>);

impl From<ObjectPrinter> for Value {
    fn from(printed: ObjectPrinter) -> Self {
        Self::Object(printed.0)
    }
}

impl ObjectPrinter {
    pub(super) fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    pub(super) fn some(&mut self, name: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.put(name, value);
        }
    }

    pub(super) fn word(&mut self, name: &str, word: Option<impl Word>) {
        self.some(name, word.map(Word::word));
    }

    pub(super) fn text(&mut self, name: &str, text: Option<&str>) {
        self.some(name, text);
    }

    pub(super) fn data_path(&mut self, name: &str, path: &DataPath) {
        match path {
            DataPath::Absent => {}
            DataPath::Null => self.put(name, Value::Null),
            DataPath::Path(path) => self.put(name, path.source()),
        }
    }

    pub(super) fn result_path(&mut self, path: &ResultPath) {
        match path {
            ResultPath::Absent => {}
            ResultPath::Null => self.put("ResultPath", Value::Null),
            ResultPath::Path(path) => self.put("ResultPath", path.source()),
        }
    }

    /// Adds the fields before a state's work: "InputPath" and "Parameters", or "Arguments".
    pub(super) fn input_processing(&mut self, processing: &Processing) {
        match processing {
            Processing::JsonPath(fields) => {
                self.data_path("InputPath", &fields.input_path);
                self.template("Parameters", fields.parameters.as_ref());
            }
            Processing::Jsonata(fields) => {
                self.template("Arguments", fields.arguments.as_ref());
            }
        }
    }

    /// Adds the fields after a state's work: "ResultSelector", "ResultPath" and "OutputPath", or "Output"; and "Assign".
    pub(super) fn output_processing(&mut self, processing: &Processing, assign: Option<&Assign>) {
        match processing {
            Processing::JsonPath(fields) => {
                self.template("ResultSelector", fields.result_selector.as_ref());
                self.result_path(&fields.result_path);
                self.data_path("OutputPath", &fields.output_path);
            }
            Processing::Jsonata(fields) => self.template("Output", fields.output.as_ref()),
        }
        self.assign(assign);
    }

    pub(super) fn assign(&mut self, assign: Option<&Assign>) {
        let fields = assign.map(|assign| {
            let variables = assign.variables.iter();
            let fields = variables.map(|variable| field(&variable.name, &variable.value));
            fields.collect::<Map<String, Value>>()
        });
        self.some("Assign", fields);
    }

    pub(super) fn template(&mut self, name: &str, template: Option<&PayloadTemplate>) {
        self.some(name, template.map(PayloadTemplate::to_json));
    }

    pub(super) fn whole(&mut self, name: &str, whole: Option<&Whole>) {
        match whole {
            None => {}
            Some(Whole::Number(number)) => self.put(name, *number),
            Some(Whole::Path(path)) => self.put(&format!("{name}Path"), path.source()),
            Some(Whole::Expression(expression)) => self.put(name, expression.text()),
        }
    }

    pub(super) fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub(super) fn list(&mut self, name: &str, list: Vec<Value>) {
        if !list.is_empty() {
            self.put(name, list);
        }
    }
}

/// Returns a number, as an integer if possible.
pub(super) fn number(number: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    if number.fract() == 0.0 && number.abs() < EXACT {
        Value::from(number as i64)
    } else {
        Number::from_f64(number).map_or(Value::Null, Value::Number)
    }
}
