//! Map Runs: an object for each ARN, with its execution, which the ARN does not contain.
use restate_sdk::prelude::*;

const EXECUTION: &str = "execution";

pub(super) struct MapRunObject;

#[restate_sdk::object(name = "AslMapRun")]
impl MapRunObject {
    /// Keeps the ARN of its execution.
    #[handler]
    async fn note(&self, ctx: ObjectContext<'_>, execution: Json<String>) -> HandlerResult<()> {
        ctx.set(EXECUTION, execution);
        Ok(())
    }

    #[handler]
    async fn execution(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<Option<String>>> {
        let execution: Option<Json<String>> = ctx.get(EXECUTION).await?;
        Ok(Json(execution.map(Json::into_inner)))
    }
}
