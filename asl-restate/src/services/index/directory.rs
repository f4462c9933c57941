//! The index objects with entries: an object for each parent and day, and one for the days of a parent.
use super::place::slot_of;
use crate::messages::{IndexMark, PartQuery};
use crate::services::names::INDEX_DAYS;
use restate_sdk::context::RequestTarget;
use restate_sdk::prelude::*;

/// Number of marks: a day has ten thousand, which are not counted each time.
const COUNT: &str = "count";

/// Returns the key of that a part holds something of a kind.
fn mark_key(part: &str, mark: &str) -> String {
    format!("{part}-{mark}")
}

/// The parts of these keys that a query is about, the newest first.
fn parts(keys: Vec<String>, query: &PartQuery) -> Vec<String> {
    let part = |key: &String| {
        let (slot, rest) = key.split_once('-')?;
        let (shard, mark) = rest.split_once('-')?;
        let is_wanted = query.mark.as_ref().is_none_or(|wanted| **wanted == *mark);
        let is_before = query
            .until
            .as_deref()
            .is_none_or(|until| slot <= slot_of(until));
        (is_wanted && is_before).then(|| format!("{slot}-{shard}"))
    };
    let mut parts: Vec<String> = keys.iter().filter_map(part).collect();
    parts.sort_unstable_by(|first, second| second.cmp(first));
    parts.dedup();
    parts
}

pub(in crate::services) struct IndexDayObject;

#[restate_sdk::object(name = "AslIndexDay", lazy_state)]
impl IndexDayObject {
    #[handler]
    async fn add(&self, ctx: ObjectContext<'_>, marked: Json<IndexMark>) -> HandlerResult<()> {
        let IndexMark { part, marks } = marked.into_inner();
        let before: u64 = ctx.get(COUNT).await?.unwrap_or_default();
        let mut count = before;
        for mark in marks {
            let key = mark_key(&part, &mark);
            if ctx.get::<bool>(&key).await?.is_none() {
                ctx.set(&key, true);
                count += 1;
            }
        }
        if before == 0 && count > 0 {
            update_days(&ctx, "add");
        }
        ctx.set(COUNT, count);
        Ok(())
    }

    #[handler]
    async fn remove(&self, ctx: ObjectContext<'_>, marked: Json<IndexMark>) -> HandlerResult<()> {
        let IndexMark { part, marks } = marked.into_inner();
        let before: u64 = ctx.get(COUNT).await?.unwrap_or_default();
        let mut count = before;
        for mark in marks {
            let key = mark_key(&part, &mark);
            if ctx.get::<bool>(&key).await?.is_some() {
                ctx.clear(&key);
                count = count.saturating_sub(1);
            }
        }
        if count > 0 {
            ctx.set(COUNT, count);
        } else if before > 0 {
            ctx.clear(COUNT);
            update_days(&ctx, "remove");
        }
        Ok(())
    }

    /// Returns the parts that hold something, the newest first.
    #[handler]
    async fn parts(
        &self,
        ctx: SharedObjectContext<'_>,
        query: Json<PartQuery>,
    ) -> HandlerResult<Json<Vec<String>>> {
        Ok(Json(parts(ctx.get_keys().await?, &query.0)))
    }
}

/// Reports the object of the days of the parent that this one has something, or nothing any more.
fn update_days(ctx: &ObjectContext<'_>, handler: &str) {
    // Keys are made by `day_key` alone.
    if let Some((parent, day)) = ctx.key().rsplit_once('|') {
        let target = RequestTarget::object(INDEX_DAYS, parent, handler);
        ctx.request::<_, ()>(target, Json(day.to_owned())).send();
    }
}

pub(in crate::services) struct IndexDaysObject;

#[restate_sdk::object(name = "AslIndexDays", lazy_state)]
impl IndexDaysObject {
    #[handler]
    async fn add(&self, ctx: ObjectContext<'_>, day: Json<String>) -> HandlerResult<()> {
        ctx.set(&day.0, true);
        Ok(())
    }

    #[handler]
    async fn remove(&self, ctx: ObjectContext<'_>, day: Json<String>) -> HandlerResult<()> {
        ctx.clear(&day.0);
        Ok(())
    }

    /// Returns the days, the last first.
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

    fn found(mark: Option<&str>, until: Option<&str>) -> Vec<String> {
        let keys = [
            "007-a-FAILED",
            "007-a-TIMED_OUT",
            "100-0-FAILED",
            "100-f-RUNNING",
        ];
        let query = PartQuery {
            mark: mark.map(Into::into),
            until: until.map(Into::into),
        };
        parts(keys.map(str::to_owned).into(), &query)
    }

    #[test]
    fn parts_are_the_newest_first_and_each_once() {
        assert_eq!(found(None, None), ["100-f", "100-0", "007-a"]);
        assert_eq!(found(Some("FAILED"), None), ["100-0", "007-a"]);
        assert_eq!(found(None, Some("099-f")), ["007-a"]);
        assert!(found(Some("ABORTED"), None).is_empty());
    }
}
