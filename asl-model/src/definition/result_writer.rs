//! The result writer of a distributed Map State (AWS Step Functions Developer Guide, ResultWriter).
use super::Resource;
use super::word::words;
use crate::PayloadTemplate;

/// "ResultWriter".
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ResultWriter {
    /// "Resource": `arn:aws:states:::s3:putObject`.
    pub resource: Option<Resource>,
    /// "Parameters", or "Arguments" of a JSONata state.
    pub parameters: Option<PayloadTemplate>,
    /// "WriterConfig".
    pub writer_config: Option<WriterConfig>,
}

/// "WriterConfig".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct WriterConfig {
    /// "Transformation".
    pub transformation: Option<WriterTransformation>,
    /// Only the output of each child.
    pub output_type: Option<OutputType>,
}

asl_path::with_methods! {
    impl WriterConfig {
        with_transformation(transformation: Option<WriterTransformation>),
        with_output_type(output_type: Option<OutputType>),
    }
}

words! {
    /// "Transformation" of "WriterConfig": the content of each result.
    pub enum WriterTransformation {
        /// Its output and its metadata.
        None = "NONE",
        /// Its output.
        Compact = "COMPACT",
        /// Its output, and the elements of one that is an array.
        Flatten = "FLATTEN",
    }
}

words! {
    /// "OutputType": how results are written.
    #[derive(Default)]
    pub enum OutputType {
        /// An array.
        #[default]
        Json = "JSON",
        /// A value in each line.
        JsonLines = "JSONL",
    }
}
