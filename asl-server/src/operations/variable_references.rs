//! Definitions as they are shown, with the variables that their states refer to.
use super::IncludedData;
use super::computed::computed;
use crate::api::Api;
use crate::catalogue::Revision;
use crate::definition::variable_references;
use crate::protocol::{ApiError, ErrorCode};
use serde_json::Value;
use std::sync::Arc;

/// Returns "definition" as sent, and "variableReferences" if requested.
pub(super) async fn show(
    api: &Arc<Api>,
    revision: &Revision,
    included_data: IncludedData,
) -> Result<(Option<Value>, Option<Value>), ApiError> {
    if included_data == IncludedData::MetadataOnly {
        return Ok((None, None));
    }
    let missing = || {
        ApiError::new(
            ErrorCode::InternalServerError,
            "the definition of the state machine is no longer stored",
        )
    };
    let id = revision.definition_id().ok_or_else(missing)?;
    let definition = api.backend.definition(id).await?.ok_or_else(missing)?;
    let text = Arc::clone(&definition.text);
    let machine_type = definition.state_machine_type;
    let find = async || {
        let bytes = text.len();
        computed(api, bytes, move || variable_references(&text, machine_type)).await
    };
    let references = api.references.of(id, definition.text.len(), find).await?;
    Ok((Some((*definition.text).into()), (*references).clone()))
}
