//! Executions by parent: objects for each parent, five minutes and shard, so that no object receives all requests and none
//! has many entries; and directories of the objects with entries.
mod directory;
mod index_state;
mod place;

pub(super) use directory::{IndexDayObject, IndexDaysObject};
pub(crate) use place::{SHARDS, Spot, by_object, day_key, shard_of, slot_of};

use super::names::{INDEX, INDEX_DAY};
use crate::messages::{IndexMark, IndexPage, IndexQuery, ListEntry};
use crate::node::{Node, now};
use asl_backend::ExecutionStatus;
use asl_engine::Timestamp;
use index_state::{IndexState, marks, retained_until};
use place::{PLACE, place_of};
use restate_sdk::context::{ContextSideEffects as _, RequestTarget};
use restate_sdk::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

const HELD: &str = "held";
/// After the last one that ran has ended, so that the directory is not reported each.
const SETTLES: Duration = Duration::from_secs(30);

pub(super) struct IndexObject(pub(super) Arc<Node>);

#[restate_sdk::object(name = "AslIndex")]
impl IndexObject {
    /// Stores the entries of executions, which may arrive in any order.
    #[handler]
    async fn put_all(
        &self,
        ctx: ObjectContext<'_>,
        all: Json<Vec<ListEntry>>,
    ) -> HandlerResult<()> {
        let before = read_state(&ctx).await?;
        let mut held = before.clone();
        for listed in all.into_inner() {
            let place = place_of(&listed);
            let known: Option<Json<ListEntry>> = ctx.get(&place).await?;
            if held.note(known.as_ref().map(|known| &known.0), &listed) {
                ctx.set(&place, Json(listed));
            }
        }
        update_directory(&ctx, "add", held.marks.difference(&before.marks));
        if !std::mem::replace(&mut held.is_kept, true) {
            send_later(&ctx, "clean", self.0.retention);
        }
        let seems_to_run = held.running == 0 && held.marks.contains(running_word());
        if seems_to_run && !std::mem::replace(&mut held.is_settling, true) {
            send_later(&ctx, "settle", SETTLES);
        }
        if held != before {
            ctx.set(HELD, Json(held));
        }
        Ok(())
    }

    /// Reports the directory that none runs any more, if that is still so.
    #[handler]
    async fn settle(&self, ctx: ObjectContext<'_>) -> HandlerResult<()> {
        let mut held = read_state(&ctx).await?;
        held.is_settling = false;
        if held.running == 0
            && let Some(mark) = held.marks.take(running_word())
        {
            update_directory(&ctx, "remove", [&mark]);
        }
        ctx.set(HELD, Json(held));
        Ok(())
    }

    /// Forgets what ended too long ago, and comes again when the next one will have.
    #[handler]
    async fn clean(&self, ctx: ObjectContext<'_>) -> HandlerResult<()> {
        let now = ctx.run(|| async { Ok(Json(now())) }).name("now");
        let Json(now) = now.await?;
        let before = read_state(&ctx).await?;
        let mut next: Option<Timestamp> = None;
        let mut left = BTreeSet::new();
        for place in places(ctx.get_keys().await?) {
            let Some(Json(listed)) = ctx.get::<Json<ListEntry>>(&place).await? else {
                continue;
            };
            let until = retained_until(&listed, now, self.0.retention);
            if until <= now {
                ctx.clear(&place);
            } else {
                next = Some(next.map_or(until, |next| next.min(until)));
                left.extend(marks(&listed));
            }
        }
        update_directory(&ctx, "remove", before.marks.difference(&left));
        match next {
            Some(next) => {
                send_later(&ctx, "clean", next.duration_since(now));
                let held = IndexState {
                    marks: left,
                    ..before
                };
                ctx.set(HELD, Json(held));
            }
            None => ctx.clear_all(),
        }
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
        let mut places: Vec<String> = places(ctx.get_keys().await?).collect();
        places.retain(|place| query.before.as_ref().is_none_or(|before| place < before));
        places.sort_unstable_by(|first, second| second.cmp(first));
        let mut page = IndexPage::new();
        for place in places {
            if page.len() >= query.limit {
                break;
            }
            let listed: Option<Json<ListEntry>> = ctx.get(&place).await?;
            let listed = listed.map(Json::into_inner);
            if let Some(listed) = listed.filter(|listed| query.is_met(listed)) {
                page.push((place, listed));
            }
        }
        Ok(Json(page))
    }

    /// Returns the number of running executions.
    #[handler]
    async fn running(&self, ctx: SharedObjectContext<'_>) -> HandlerResult<Json<u64>> {
        let held: Option<Json<IndexState>> = ctx.get(HELD).await?;
        Ok(Json(held.map(|held| held.0.running).unwrap_or_default()))
    }
}

/// Returns the mark of running executions.
fn running_word() -> &'static str {
    ExecutionStatus::Running.word()
}

async fn read_state(ctx: &ObjectContext<'_>) -> Result<IndexState, TerminalError> {
    let held: Option<Json<IndexState>> = ctx.get(HELD).await?;
    Ok(held.map(Json::into_inner).unwrap_or_default())
}

/// Those of the keys that are of executions.
fn places(keys: Vec<String>) -> impl Iterator<Item = String> {
    keys.into_iter().filter(|key| key.starts_with(PLACE))
}

/// Comes again later.
fn send_later(ctx: &ObjectContext<'_>, handler: &str, delay: Duration) {
    let target = RequestTarget::object(INDEX, ctx.key(), handler);
    ctx.request::<_, ()>(target, ()).send_after(delay);
}

/// Reports the directory of the day what this object holds, or holds no longer.
fn update_directory<'m>(
    ctx: &ObjectContext<'_>,
    handler: &str,
    marks: impl IntoIterator<Item = &'m Arc<str>>,
) {
    let marks: Vec<Arc<str>> = marks.into_iter().cloned().collect();
    // Keys are made by `by_object` alone.
    let Some((parent, spot)) = Spot::from_key(ctx.key()).filter(|_| !marks.is_empty()) else {
        return;
    };
    let target = RequestTarget::object(INDEX_DAY, day_key(parent, &spot.day), handler);
    let marked = IndexMark {
        part: spot.part,
        marks,
    };
    ctx.request::<_, ()>(target, Json(marked)).send();
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_milliseconds(milliseconds)
    }

    pub(super) fn listed(name: &str, milliseconds: i64) -> ListEntry {
        ListEntry {
            arn: format!("arn:{name}").into(),
            name: name.into(),
            state_machine_arn: "arn:m".into(),
            version_arn: None,
            alias_arn: None,
            map_run_arn: None,
            item_count: None,
            status: "RUNNING".into(),
            start_date: at(milliseconds),
            stop_date: None,
            redrive_count: 0,
            redrive_date: None,
        }
    }

    /// Returns one that ended a second after its start.
    pub(super) fn ended(name: &str, milliseconds: i64, status: &str) -> ListEntry {
        ListEntry {
            status: status.into(),
            stop_date: Some(at(milliseconds + 1_000)),
            ..listed(name, milliseconds)
        }
    }
}
