//! Events that were replayed lately, for the page that comes next.
use crate::database::row::RowId;
use asl_backend::{HistoryPage, RecentCache};
use std::collections::VecDeque;
use std::sync::Arc;

/// Histories of which some events are kept.
const MOST_KEPT: usize = 16;
/// Bytes of these.
const MOST_BYTES: usize = 16 << 20;
/// Bytes of the texts of a page, of which the last may go beyond it; a page that ends so is shorter than it was requested.
const PAGE_BYTES: usize = 4 << 20;
/// Events that are kept next to those of a page, and their bytes.
const MORE_EVENTS: usize = 1_000;
const MORE_BYTES: usize = 1 << 20;

/// Key of replayed events.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Key {
    pub(super) row: RowId,
    /// Events before them, which are sealed.
    pub(super) sealed: u64,
    pub(super) last_record: Option<i64>,
}

/// The windows of histories that were replayed lately.
pub(super) type ReplayedEvents = RecentCache<Key, Arc<Window>>;

/// Creates the cache of a store.
pub(super) fn replayed_events() -> ReplayedEvents {
    RecentCache::new(MOST_KEPT, MOST_BYTES, |window: &Arc<Window>| window.bytes)
}

/// A page that is put together in its order.
#[derive(Debug, Default)]
pub(super) struct Page {
    events: Vec<Arc<str>>,
    bytes: usize,
}

impl Page {
    /// Adds the next event; false if the page is full.
    pub(super) fn push(&mut self, event: &Arc<str>) -> bool {
        let is_full = !self.events.is_empty() && self.bytes + event.len() > PAGE_BYTES;
        if !is_full {
            self.bytes += event.len();
            self.events.push(Arc::clone(event));
        }
        !is_full
    }

    /// Returns the page of these ids, of which the first are there; `next` follows the last of them.
    pub(super) fn finish(self, ids: &[u64], next: Option<u64>) -> HistoryPage {
        let next = ids.get(self.events.len()).copied().or(next);
        let events = self.events;
        HistoryPage { events, next }
    }
}

/// Neighbouring events of a history.
#[derive(Debug, Default)]
pub(super) struct Window {
    first: u64,
    events: VecDeque<Arc<str>>,
    bytes: usize,
}

impl Window {
    pub(super) fn get(&self, id: u64) -> Option<&Arc<str>> {
        let place = usize::try_from(id.checked_sub(self.first)?).ok()?;
        self.events.get(place)
    }
}

/// Collects the events of a page while they are replayed, and some next to them for the next one.
#[derive(Debug)]
pub(super) struct PageCollector {
    /// The first and the last event that are wanted.
    wanted: (u64, u64),
    is_reversed: bool,
    window: Window,
}

impl PageCollector {
    pub(super) fn new(ids: &[u64], is_reversed: bool) -> Self {
        let lowest = ids.iter().min().copied().unwrap_or(1);
        let highest = ids.iter().max().copied().unwrap_or(0);
        Self {
            wanted: (lowest, highest),
            is_reversed,
            window: Window::default(),
        }
    }

    /// Returns true if an event is of use.
    pub(super) fn wants(&self, id: u64) -> bool {
        let (lowest, highest) = self.wanted;
        match self.is_reversed {
            true => id <= highest && id + MORE_EVENTS as u64 >= lowest,
            false => id >= lowest,
        }
    }

    /// Takes the next event that is wanted; whether more are.
    pub(super) fn push(&mut self, id: u64, text: Arc<str>) -> bool {
        let window = &mut self.window;
        if window.events.is_empty() {
            window.first = id;
        }
        window.bytes += text.len();
        window.events.push_back(text);
        if self.is_reversed {
            self.shorten();
        }
        !self.is_done(id)
    }

    /// Lets the oldest go that no page of this size would reach.
    fn shorten(&mut self) {
        let window = &mut self.window;
        while window.bytes > PAGE_BYTES + MORE_BYTES && window.events.len() > 1 {
            if let Some(oldest) = window.events.pop_front() {
                window.first += 1;
                window.bytes -= oldest.len();
            }
        }
    }

    fn is_done(&self, id: u64) -> bool {
        let (_, highest) = self.wanted;
        if self.is_reversed {
            return id >= highest;
        }
        let is_page = id >= highest || self.window.bytes > PAGE_BYTES;
        let has_more = self.window.bytes > PAGE_BYTES + MORE_BYTES
            || id >= highest.saturating_add(MORE_EVENTS as u64)
            || (id > highest && self.window.bytes > MORE_BYTES);
        is_page && has_more
    }

    pub(super) fn finish(self) -> Window {
        self.window
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ids that are collected of a history of so many events of so many bytes, and how many were made for it.
    fn collected(ids: &[u64], is_reversed: bool, count: u64, bytes: usize) -> (u64, u64, u64) {
        let mut collecting = PageCollector::new(ids, is_reversed);
        let (text, mut made): (Arc<str>, u64) = ("x".repeat(bytes).into(), 0);
        for id in 1..=count {
            made = id;
            if collecting.wants(id) && !collecting.push(id, Arc::clone(&text)) {
                break;
            }
        }
        let window = collecting.finish();
        (
            window.first,
            window.first + window.events.len() as u64 - 1,
            made,
        )
    }

    #[test]
    fn a_page_of_small_events_is_collected_with_those_after_it() {
        assert_eq!(
            collected(&[11, 12, 13], false, 50_000, 10),
            (11, 1_013, 1_013)
        );
        assert_eq!(collected(&[1, 2], false, 2, 10), (1, 2, 2));
    }

    #[test]
    fn a_page_from_the_end_is_collected_with_those_before_it() {
        let ids: Vec<u64> = (4_001..=4_010).rev().collect();
        assert_eq!(collected(&ids, true, 50_000, 10), (3_001, 4_010, 4_010));
    }

    #[test]
    fn large_events_end_a_page() {
        let mebibyte = 1 << 20;
        let ids: Vec<u64> = (1..=1_000).collect();
        let (first, last, made) = collected(&ids, false, 50_000, mebibyte);
        assert_eq!((first, last, made), (1, 6, 6));
        let reversed: Vec<u64> = ids.into_iter().rev().collect();
        let (first, last, made) = collected(&reversed, true, 50_000, mebibyte);
        assert_eq!((first, last, made), (996, 1_000, 1_000));
    }

    #[test]
    fn a_full_page_says_where_the_next_begins() {
        let (mut page, text): (Page, Arc<str>) = (Page::default(), "x".repeat(PAGE_BYTES).into());
        assert!(page.push(&text) && !page.push(&text));
        let page = page.finish(&[5, 6, 7], None);
        assert_eq!((page.events.len(), page.next), (1, Some(6)));
        let mut page = Page::default();
        assert!(page.push(&"a".into()) && page.push(&"b".into()));
        assert_eq!(page.finish(&[5, 6], Some(7)).next, Some(7));
    }
}
