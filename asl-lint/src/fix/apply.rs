//! The sure fixes of a definition, made.
use super::edits::{Edits, TextEdit};
use asl_model::{Diagnostics, Options};
use asl_template::DefinitionText;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Result of applying the unambiguous fixes to a definition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct FixedText {
    /// The new texts of the files that change.
    pub files: BTreeMap<PathBuf, String>,
    /// Applied fixes in the order of the diagnostics.
    pub titles: Vec<String>,
}

/// Makes the sure fixes ([`Fix::is_sure`](asl_model::Fix::is_sure)) of a definition's diagnostics; of two that change the same place the first.
/// What comes to light by them wants another round.
///
/// ```
/// use asl_model::Options;
/// use asl_template::{DefinitionText, File};
/// use std::sync::Arc;
///
/// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Parameters": {"n": "$.n"}, "End": true}}}"#;
/// let definition = DefinitionText::from_file(&Arc::new(File::new("a.asl.json", text)));
/// let found = asl_lint::check(text, Options::default());
/// let fixed = asl_lint::apply_fixes(&definition, &found, Options::default());
/// assert_eq!(fixed.files.values().next().unwrap(), &text.replace("\"n\":", "\"n.$\":"));
/// assert_eq!(fixed.titles, ["rename the field to 'n.$'"]);
/// ```
pub fn apply_fixes(
    definition: &DefinitionText,
    diagnostics: &Diagnostics,
    options: Options,
) -> FixedText {
    let mut sure = diagnostics.iter().filter_map(|one| one.fix.as_ref());
    let mut fixed = FixedText::default();
    let Some(first) = sure.find(|fix| fix.is_sure) else {
        return fixed;
    };
    let edits = Edits::new(definition, options);
    let mut taken: BTreeMap<(PathBuf, usize), TextEdit> = BTreeMap::new();
    for fix in [first].into_iter().chain(sure.filter(|fix| fix.is_sure)) {
        if let Some(made) = edits.of(fix)
            && made.iter().all(|edit| is_free(&taken, edit))
        {
            fixed.titles.push(fix.title.clone());
            let placed = made.into_iter().map(|edit| (key(&edit), edit));
            taken.extend(placed);
        }
    }
    for edit in taken.into_values().rev() {
        let file = definition.files().find(|file| file.path() == edit.file);
        let text = fixed.files.entry(edit.file.clone());
        let text =
            text.or_insert_with(|| file.map(|file| file.text().to_owned()).unwrap_or_default());
        // From the end of a file on, so that what comes before stays where it is.
        if text.get(edit.range.clone()).is_some() {
            text.replace_range(edit.range, &edit.text);
        }
    }
    fixed
}

fn key(edit: &TextEdit) -> (PathBuf, usize) {
    (edit.file.clone(), edit.range.start)
}

/// Returns true if no edit that was taken touches the same bytes.
fn is_free(taken: &BTreeMap<(PathBuf, usize), TextEdit>, edit: &TextEdit) -> bool {
    let overlaps = |other: &TextEdit| {
        other.file == edit.file
            && other.range.start <= edit.range.end
            && edit.range.start <= other.range.end
    };
    let before = taken.range(..=key(edit)).next_back();
    let after = taken.range(key(edit)..).next();
    let mut near = before.into_iter().chain(after);
    !near.any(|(_, other)| overlaps(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;
    use asl_template::{File, FileSystem, ReadOptions, Substitutions, read_file};
    use std::sync::Arc;

    #[test]
    fn all_sure_fixes_are_made_together() {
        let text = "StartAt: A\nStates:\n  A:\n    Type: Pass\n    Parameters:\n      a: $.a\n      b: $.b\n    End: true\n";
        let definition = DefinitionText::from_file(&Arc::new(File::new("a.asl.yaml", text)));
        let found = check(text, Options::default());
        let fixed = apply_fixes(&definition, &found, Options::default());
        assert_eq!(fixed.titles.len(), 2);
        let new = fixed.files.values().next().unwrap();
        assert_eq!(
            *new,
            text.replace("a: $.a", "a.$: $.a")
                .replace("b: $.b", "b.$: $.b")
        );
        assert!(check(new, Options::default()).is_empty());
    }

    /// A definition within a template is fixed in the template, as it is written there.
    #[test]
    fn a_template_is_mended_where_it_is_edited() {
        let state = |name: &str| {
            format!(
                "\"A\": {{\"Type\": \"Pass\", \"Parameters\": {{\"{name}\": \"$.n\"}}, \"End\": true}}"
            )
        };
        let block = |name: &str| {
            format!(
                "Resources:\n  M:\n    Type: AWS::StepFunctions::StateMachine\n    Properties:\n      DefinitionString: |\n        {{\"StartAt\": \"A\", \"States\": {{{}}}}}\n",
                state(name)
            )
        };
        let object = |name: &str| {
            format!(
                "Resources:\n  M:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n      Definition:\n        StartAt: A\n        States:\n          A: {{Type: Pass, Parameters: {{{name}: $.n}}, End: true}}\n"
            )
        };
        for (template, mended) in [(block("n"), block("n.$")), (object("n"), object("n.$"))] {
            let given = Substitutions::default();
            let contents = read_file(
                File::new("t.yaml", template),
                &ReadOptions::new(&FileSystem, &given),
            );
            let definition = contents.machines()[0].definition().unwrap();
            let found = check(definition.as_str(), Options::default());
            let fixed = apply_fixes(definition, &found, Options::default());
            assert_eq!(fixed.files.values().next(), Some(&mended));
        }
    }
}
