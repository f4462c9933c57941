//! The catalogue: an object for each kind and scope, whose state holds an entry under its name.
use crate::messages::{EntryList, EntryMessage, EntryWrite};
use restate_sdk::prelude::*;

/// Of what state holds besides entries: their last version. No entry has this key: theirs have a prefix.
const LAST_VERSION: &str = "last-version";
const ENTRY: &str = "entry-";

pub(super) struct CatalogueObject;

#[restate_sdk::object(name = "AslCatalogue", lazy_state)]
impl CatalogueObject {
    /// Writes or removes an entry, if it still has the version that was read; returns true if it was written.
    #[handler]
    async fn write(
        &self,
        ctx: ObjectContext<'_>,
        write: Json<EntryWrite>,
    ) -> HandlerResult<Json<bool>> {
        let EntryWrite {
            name,
            expected,
            value,
        } = write.into_inner();
        let key = format!("{ENTRY}{name}");
        let found: Option<Json<EntryMessage>> = ctx.get(&key).await?;
        if found.map(|found| found.0.version) != expected {
            return Ok(Json(false));
        }
        let Some(value) = value else {
            ctx.clear(&key);
            return Ok(Json(true));
        };
        let last: Option<u64> = ctx.get(LAST_VERSION).await?;
        let version = last.unwrap_or_default() + 1;
        ctx.set(LAST_VERSION, version);
        let entry = EntryMessage {
            name,
            version,
            value,
        };
        ctx.set(&key, Json(entry));
        Ok(Json(true))
    }

    /// Returns one entry.
    #[handler]
    async fn read(
        &self,
        ctx: SharedObjectContext<'_>,
        name: Json<String>,
    ) -> HandlerResult<Json<Option<EntryMessage>>> {
        let found: Option<Json<EntryMessage>> = ctx.get(&format!("{ENTRY}{}", name.0)).await?;
        Ok(Json(found.map(Json::into_inner)))
    }

    /// Entries in the byte order of their names.
    #[handler]
    async fn list(
        &self,
        ctx: SharedObjectContext<'_>,
        list: Json<EntryList>,
    ) -> HandlerResult<Json<Vec<EntryMessage>>> {
        let EntryList { after, limit } = list.into_inner();
        let mut keys = ctx.get_keys().await?;
        let after = after.map(|name| format!("{ENTRY}{name}"));
        let is_listed =
            |key: &String| key.starts_with(ENTRY) && after.as_ref().is_none_or(|after| key > after);
        keys.retain(is_listed);
        keys.sort_unstable();
        let mut entries = Vec::new();
        for key in keys.into_iter().take(limit) {
            let found: Option<Json<EntryMessage>> = ctx.get(&key).await?;
            entries.extend(found.map(Json::into_inner));
        }
        Ok(Json(entries))
    }
}
