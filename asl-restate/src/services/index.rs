//! Executions by what they are of: objects for each parent, day and shard, so that no object is asked by all.
//!
//! An execution has a place in its shard: when it started and its ARN. Places are compared as texts, so they are in the order of
//! the starts, and a page goes on where the one before ended, whatever started meanwhile.
use super::names::INDEX_DAYS;
use crate::messages::{IndexPage, IndexQuery, Listed};
use asl_engine::Timestamp;
use restate_sdk::context::RequestTarget;
use restate_sdk::prelude::*;
use sha2::{Digest as _, Sha256};
use std::sync::Arc;

/// Shards of a day.
const SHARDS: u8 = 8;
const PLACE: &str = "place-";
const RUNNING: &str = "running";

/// The day that a moment is of, in UTC.
fn day_of(moment: Timestamp) -> String {
    let text = moment.to_rfc3339();
    let day = text.split('T').next();
    day.unwrap_or_default().to_owned()
}

/// The object that tells on which days executions of a parent started.
pub(crate) fn days_key(parent: &str) -> String {
    parent.to_owned()
}

/// The objects of a day.
pub(crate) fn shard_keys(parent: &str, day: &str) -> impl Iterator<Item = String> {
    (0..SHARDS).map(move |shard| format!("{parent}|{day}|{shard}"))
}

/// The objects that an execution is listed in.
pub(super) fn keys_of(listed: &Listed) -> Vec<String> {
    let day = day_of(listed.start_date);
    let digest = Sha256::digest(&*listed.arn);
    let shard = digest.first().copied().unwrap_or_default() % SHARDS;
    let key = |parent: &Arc<str>| format!("{parent}|{day}|{shard}");
    listed.parents().map(key).collect()
}

/// Where an execution is in its shard.
fn place_of(listed: &Listed) -> String {
    let (seconds, nanoseconds): (i64, u32) = listed.start_date.into();
    let milliseconds = seconds.saturating_mul(1_000) + i64::from(nanoseconds / 1_000_000);
    format!("{PLACE}{milliseconds:015}-{}", listed.arn)
}

/// The day of a place, where pages go on.
pub(crate) fn place_after(place: &str) -> Option<String> {
    let rest = place.strip_prefix(PLACE)?;
    let milliseconds = rest.split('-').next()?.parse().ok()?;
    Some(day_of(Timestamp::from_milliseconds(milliseconds)))
}

pub(super) struct IndexObject;

#[restate_sdk::object(name = "AslIndex", lazy_state)]
impl IndexObject {
    /// Notes where an execution is; that it runs says nothing of one that ended.
    #[handler]
    async fn put(&self, ctx: ObjectContext<'_>, listed: Json<Listed>) -> HandlerResult<()> {
        let listed = listed.into_inner();
        let place = place_of(&listed);
        let before: Option<Json<Listed>> = ctx.get(&place).await?;
        let was_running = before.as_ref().map(|before| before.0.is_running());
        if was_running == Some(false) && listed.is_running() {
            return Ok(());
        }
        let running: Option<u64> = ctx.get(RUNNING).await?;
        if running.is_none() {
            self.note_day(&ctx, &listed);
        }
        let others = running.unwrap_or_default() - u64::from(was_running == Some(true));
        ctx.set(RUNNING, others + u64::from(listed.is_running()));
        ctx.set(&place, Json(listed));
        Ok(())
    }

    /// Executions before a place, the newest first.
    #[handler]
    async fn list(
        &self,
        ctx: SharedObjectContext<'_>,
        query: Json<IndexQuery>,
    ) -> HandlerResult<Json<IndexPage>> {
        let query = query.into_inner();
        let mut places = ctx.get_keys().await?;
        let is_before = |place: &String| {
            let before = query.before.as_ref();
            place.starts_with(PLACE) && before.is_none_or(|before| place < before)
        };
        places.retain(is_before);
        places.sort_unstable_by(|first, second| second.cmp(first));
        let mut page = IndexPage::new();
        for place in places {
            if page.len() >= query.limit {
                break;
            }
            let Some(Json(listed)) = ctx.get::<Json<Listed>>(&place).await? else {
                continue;
            };
            let status = query.status.as_deref();
            if status.is_none_or(|status| status == &*listed.status) {
                page.push((place, listed));
            }
        }
        Ok(Json(page))
    }

    /// How many run.
    #[handler]
    async fn running(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<u64>> {
        let running: Option<u64> = ctx.get(RUNNING).await?;
        Ok(Json(running.unwrap_or_default()))
    }

    fn note_day(&self, ctx: &ObjectContext<'_>, listed: &Listed) {
        let (parent, day) = match ctx.key().rsplit('|').collect::<Vec<_>>()[..] {
            [_, day, parent] => (parent.to_owned(), day.to_owned()),
            // Keys are made by `keys_of` alone.
            _ => (ctx.key().to_owned(), day_of(listed.start_date)),
        };
        let target = RequestTarget::object(INDEX_DAYS, days_key(&parent), "add");
        ctx.request::<_, ()>(target, Json(day)).send();
    }
}

pub(super) struct IndexDaysObject;

#[restate_sdk::object(name = "AslIndexDays")]
impl IndexDaysObject {
    #[handler]
    async fn add(&self, ctx: ObjectContext<'_>, day: Json<String>) -> HandlerResult<()> {
        ctx.set(&day.0, true);
        Ok(())
    }

    /// The days, the last first.
    #[handler]
    async fn days(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<Vec<String>>> {
        let mut days = ctx.get_keys().await?;
        days.sort_unstable_by(|first, second| second.cmp(first));
        Ok(Json(days))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(milliseconds: i64, version: Option<&str>) -> Listed {
        Listed {
            arn: "arn:e".into(),
            name: "e".into(),
            state_machine_arn: "arn:m".into(),
            version_arn: version.map(Arc::from),
            alias_arn: None,
            map_run_arn: None,
            item_count: None,
            status: "RUNNING".into(),
            start_date: Timestamp::from_milliseconds(milliseconds),
            stop_date: None,
        }
    }

    #[test]
    fn an_execution_is_listed_by_its_machine_and_its_version() {
        let keys = keys_of(&listed(86_400_000, Some("arn:m:1")));
        let machine: Vec<String> = shard_keys("arn:m", "1970-01-02").collect();
        let version: Vec<String> = shard_keys("arn:m:1", "1970-01-02").collect();
        let [first, second] = keys.as_slice() else {
            panic!("{keys:?}")
        };
        assert!(
            machine.contains(first) && version.contains(second),
            "{keys:?}"
        );
    }

    #[test]
    fn places_are_in_the_order_of_the_starts_and_know_their_day() {
        let [earlier, later] = [999, 1_795_400_000_000].map(|at| place_of(&listed(at, None)));
        assert!(earlier < later);
        assert_eq!(place_after(&later).as_deref(), Some("2026-11-23"));
        assert_eq!(place_after("elsewhere"), None);
    }
}
