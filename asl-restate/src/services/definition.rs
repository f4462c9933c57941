//! Definitions: an object for each, under its hash.
use crate::messages::KeptDefinition;
use restate_sdk::prelude::*;

const DEFINITION: &str = "definition";

pub(super) struct DefinitionObject;

#[restate_sdk::object(name = "AslDefinition")]
impl DefinitionObject {
    /// Keeps it. It never changes, since its key is its hash.
    #[handler]
    async fn keep(
        &self,
        ctx: ObjectContext<'_>,
        definition: Json<KeptDefinition>,
    ) -> HandlerResult<()> {
        ctx.set(DEFINITION, definition);
        Ok(())
    }

    #[handler]
    async fn read(
        &self,
        ctx: SharedObjectContext<'_>,
    ) -> HandlerResult<Json<Option<KeptDefinition>>> {
        let found: Option<Json<KeptDefinition>> = ctx.get(DEFINITION).await?;
        Ok(Json(found.map(Json::into_inner)))
    }
}
