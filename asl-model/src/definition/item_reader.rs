//! The item reader of a distributed Map State (AWS Step Functions Developer Guide, ItemReader).
use super::word::words;
use super::{Resource, Whole};
use crate::PayloadTemplate;

/// "ItemReader".
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ItemReader {
    /// "Resource": `arn:aws:states:::s3:getObject` or `…:listObjectsV2`.
    pub resource: Resource,
    /// "Parameters", or "Arguments" of a JSONata state.
    pub parameters: Option<PayloadTemplate>,
    /// "ReaderConfig".
    pub reader_config: Option<ReaderConfig>,
}

/// "ReaderConfig".
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ReaderConfig {
    /// "InputType".
    pub input_type: Option<InputType>,
    /// "CSVHeaderLocation".
    pub csv_header_location: Option<CsvHeaderLocation>,
    /// "CSVHeaders".
    pub csv_headers: Option<Vec<String>>,
    /// "CSVDelimiter".
    pub csv_delimiter: Option<CsvDelimiter>,
    /// "MaxItems" or its Path.
    pub max_items: Option<Whole>,
    /// "ManifestType".
    pub manifest_type: Option<ManifestType>,
    /// "Transformation".
    pub transformation: Option<ReaderTransformation>,
    /// "ItemsPointer": a JSON pointer to the array within a JSON file.
    pub items_pointer: Option<String>,
}

asl_path::with_methods! {
    impl ReaderConfig {
        with_input_type(input_type: Option<InputType>),
        with_csv_header_location(csv_header_location: Option<CsvHeaderLocation>),
        with_csv_headers(csv_headers: Option<Vec<String>>),
        with_csv_delimiter(csv_delimiter: Option<CsvDelimiter>),
        with_max_items(max_items: Option<Whole>),
        with_manifest_type(manifest_type: Option<ManifestType>),
        with_transformation(transformation: Option<ReaderTransformation>),
        with_items_pointer(items_pointer: Option<String>),
    }
}

words! {
    /// "InputType": the format of the items.
    pub enum InputType {
        /// Records of a table.
        Csv = "CSV",
        /// An array.
        Json = "JSON",
        /// A value in each line.
        JsonLines = "JSONL",
        /// Apache Parquet: records in columns.
        Parquet = "PARQUET",
        /// The first row of the file.
        Manifest = "MANIFEST",
    }
}

words! {
    /// "CSVHeaderLocation": where the names of the columns are.
    pub enum CsvHeaderLocation {
        /// In the first row of the file.
        FirstRow = "FIRST_ROW",
        /// In the field "CSVHeaders".
        Given = "GIVEN",
    }
}

words! {
    /// "CSVDelimiter": what ends a field.
    #[derive(Default)]
    #[expect(missing_docs, reason = "the names of the characters")]
    pub enum CsvDelimiter {
        #[default]
        Comma = "COMMA",
        Pipe = "PIPE",
        Semicolon = "SEMICOLON",
        Space = "SPACE",
        Tab = "TAB",
    }
}

words! {
    /// "ManifestType": who wrote the manifest.
    pub enum ManifestType {
        /// Amazon Athena, with UNLOAD.
        AthenaData = "ATHENA_DATA",
        /// Amazon S3 Inventory.
        S3Inventory = "S3_INVENTORY",
    }
}

words! {
    /// "Transformation" of "ReaderConfig": what of a listing is an item.
    pub enum ReaderTransformation {
        /// The metadata of an object.
        None = "NONE",
        /// The items in the objects.
        LoadAndFlatten = "LOAD_AND_FLATTEN",
    }
}
