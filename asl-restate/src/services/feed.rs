//! The feed of status changes: an object for each of sixteen parts, so that no object receives all changes. An execution is in one
//! part, whose order is that of its messages.
use super::index::{SHARDS, shard_of};
use super::names::FEED;
use crate::messages::{FeedEntry, FeedPage, FeedQuery};
use crate::node::{Node, now};
use restate_sdk::context::{ContextSideEffects as _, RequestTarget};
use restate_sdk::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Number of parts.
pub(crate) const FEED_PARTS: usize = SHARDS as usize;
/// Changes that are deleted at a time.
const MOST_DELETED: u64 = 1_000;
/// Pause before the next deletion, if nothing more is old enough.
const PAUSE: Duration = Duration::from_secs(60 * 60);

const FIRST: &str = "first";
const NEXT: &str = "next";
const IS_CLEANED: &str = "cleaned";

/// Returns the key of the part with an execution.
pub(super) fn part_of(arn: &str) -> String {
    shard_of(arn).to_string()
}

fn change_key(number: u64) -> String {
    format!("change-{number:020}")
}

pub(super) struct FeedObject(pub(super) Arc<Node>);

#[restate_sdk::object(name = "AslFeed", lazy_state)]
impl FeedObject {
    /// Adds a change.
    #[handler]
    async fn add(&self, ctx: ObjectContext<'_>, entry: Json<FeedEntry>) -> HandlerResult<()> {
        let next: u64 = ctx.get(NEXT).await?.unwrap_or_default();
        ctx.set(&change_key(next), entry);
        ctx.set(NEXT, next + 1);
        if ctx.get::<bool>(IS_CLEANED).await?.is_none() {
            ctx.set(IS_CLEANED, true);
            clean_later(&ctx, self.0.retention);
        }
        Ok(())
    }

    /// Deletes changes that are older than ended executions may be.
    #[handler]
    async fn clean(&self, ctx: ObjectContext<'_>) -> HandlerResult<()> {
        let now = ctx.run(|| async { Ok(Json(now())) }).name("now");
        let Json(now) = now.await?;
        let first: u64 = ctx.get(FIRST).await?.unwrap_or_default();
        let next: u64 = ctx.get(NEXT).await?.unwrap_or_default();
        let end = next.min(first + MOST_DELETED);
        let mut left = first;
        while left < end {
            let entry: Option<Json<FeedEntry>> = ctx.get(&change_key(left)).await?;
            let is_old = |entry: &FeedEntry| now.duration_since(entry.at()) > self.0.retention;
            if entry.is_some_and(|entry| !is_old(&entry.0)) {
                break;
            }
            ctx.clear(&change_key(left));
            left += 1;
        }
        ctx.set(FIRST, left);
        clean_later(
            &ctx,
            if left == end && left < next {
                Duration::ZERO
            } else {
                PAUSE
            },
        );
        Ok(())
    }

    /// Returns changes after the known ones.
    #[handler]
    async fn read(
        &self,
        ctx: SharedObjectContext<'_>,
        query: Json<FeedQuery>,
    ) -> HandlerResult<Json<FeedPage>> {
        let FeedQuery { after, limit } = query.into_inner();
        let first: u64 = ctx.get(FIRST).await?.unwrap_or_default();
        let next: u64 = ctx.get(NEXT).await?.unwrap_or_default();
        let mut entries = Vec::new();
        for number in after.max(first)..next.min(after.saturating_add(limit as u64)) {
            let entry: Option<Json<FeedEntry>> = ctx.get(&change_key(number)).await?;
            let Some(Json(entry)) = entry else {
                break;
            };
            entries.push(entry);
        }
        Ok(Json(FeedPage {
            first,
            next,
            entries,
        }))
    }
}

fn clean_later(ctx: &ObjectContext<'_>, delay: Duration) {
    let target = RequestTarget::object(FEED, ctx.key(), "clean");
    ctx.request::<_, ()>(target, ()).send_after(delay);
}
