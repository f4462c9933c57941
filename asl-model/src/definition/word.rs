//! Fields whose value is one of a few words.

/// A value of a closed list of words.
pub(crate) trait Word: Copy + 'static {
    /// The whole list, in the order in which the service names it.
    const ALL: &'static [Self];

    /// Returns the word as it is written in a definition.
    fn word(self) -> &'static str;
}

/// An enum of words: from one table the type, how it is read, printed and saved.
macro_rules! words {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$of_variant])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Returns the word as it is written in a definition.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl $crate::definition::word::Word for $name {
            const ALL: &'static [Self] = &[$(Self::$variant,)+];

            fn word(self) -> &'static str {
                self.as_str()
            }
        }
    };
}
pub(super) use words;

#[cfg(test)]
mod tests {
    use super::Word;
    use crate::{
        CsvDelimiter, CsvHeaderLocation, ExecutionType, InputType, JitterStrategy, ManifestType,
        OutputType, ProcessorMode, QueryLanguage, ReaderTransformation, StateType, Version,
        WriterTransformation,
    };

    fn list<W: Word>(words: &[W]) -> Vec<&'static str> {
        words.iter().map(|word| word.word()).collect()
    }

    #[test]
    fn words_are_those_of_the_service() {
        for (words, listed) in [
            (list(QueryLanguage::ALL), "JSONPath JSONata"),
            (
                list(StateType::ALL),
                "Task Wait Pass Succeed Fail Choice Parallel Map",
            ),
            (list(Version::ALL), "1.0"),
            (list(JitterStrategy::ALL), "NONE FULL"),
            (list(ProcessorMode::ALL), "INLINE DISTRIBUTED"),
            (list(ExecutionType::ALL), "STANDARD EXPRESS"),
            (list(InputType::ALL), "CSV JSON JSONL PARQUET MANIFEST"),
            (list(CsvHeaderLocation::ALL), "FIRST_ROW GIVEN"),
            (list(CsvDelimiter::ALL), "COMMA PIPE SEMICOLON SPACE TAB"),
            (list(ManifestType::ALL), "ATHENA_DATA S3_INVENTORY"),
            (list(ReaderTransformation::ALL), "NONE LOAD_AND_FLATTEN"),
            (list(WriterTransformation::ALL), "NONE COMPACT FLATTEN"),
            (list(OutputType::ALL), "JSON JSONL"),
        ] {
            assert_eq!(words.join(" "), listed);
        }
    }

    #[test]
    fn words_are_saved_as_they_are_written() {
        let saved = serde_json::to_string(&InputType::JsonLines).unwrap();
        assert_eq!(saved, "\"JSONL\"");
        let restored: InputType = serde_json::from_str(&saved).unwrap();
        assert_eq!(restored, InputType::JsonLines);
    }
}
