//! Tasks of an activity that no worker has taken yet: an object for each activity.
use crate::messages::ActivityOffer;
use restate_sdk::prelude::*;

/// Tasks by a number that grows.
const OFFER: &str = "offer-";
const NEXT: &str = "next";

pub(super) struct ActivityObject;

#[restate_sdk::object(name = "AslActivity", lazy_state)]
impl ActivityObject {
    #[handler]
    async fn offer(&self, ctx: ObjectContext<'_>, offer: Json<ActivityOffer>) -> HandlerResult<()> {
        let next: Option<u64> = ctx.get(NEXT).await?;
        let number = next.unwrap_or_default();
        ctx.set(&format!("{OFFER}{number:020}"), offer);
        ctx.set(NEXT, number + 1);
        Ok(())
    }

    /// Returns the task that waits longest; it is gone from here then.
    #[handler]
    async fn take(&self, ctx: ObjectContext<'_>) -> HandlerResult<Json<Option<ActivityOffer>>> {
        let keys = ctx.get_keys().await?;
        let first = keys.into_iter().filter(|key| key.starts_with(OFFER)).min();
        let Some(first) = first else {
            return Ok(Json(None));
        };
        let offer: Option<Json<ActivityOffer>> = ctx.get(&first).await?;
        ctx.clear(&first);
        Ok(Json(offer.map(Json::into_inner)))
    }
}
