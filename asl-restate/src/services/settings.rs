//! Settings shared by all nodes.
use restate_sdk::prelude::*;

const VALUE: &str = "value";

pub(super) struct SettingsObject;

#[restate_sdk::object(name = "AslSettings")]
impl SettingsObject {
    /// Returns the value of the setting, if there is one.
    #[handler]
    async fn read(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<Option<String>>> {
        let value = ctx.get::<Json<String>>(VALUE).await?;
        Ok(Json(value.map(Json::into_inner)))
    }

    /// Returns the value of the setting, or stores the proposed one if there is none.
    #[handler]
    async fn settle(
        &self,
        ctx: ObjectContext<'_>,
        proposed: Json<String>,
    ) -> HandlerResult<Json<String>> {
        if let Some(settled) = ctx.get::<Json<String>>(VALUE).await? {
            return Ok(settled);
        }
        ctx.set(VALUE, Json(proposed.0.clone()));
        Ok(proposed)
    }
}
