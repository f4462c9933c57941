use super::*;
use asl_engine::EffectId;
use proptest::prelude::*;
use std::collections::{BTreeMap, VecDeque};

const LIMITS: ShardLimits = ShardLimits {
    children_at_a_time: 3,
    children: 5,
    bytes: 100,
    message_bytes: 20,
};

fn add_children(shards: &mut Shards<u64>, ids: impl IntoIterator<Item = u64>, bytes: usize) {
    for id in ids {
        shards.add_child(EffectId(id), id, bytes);
    }
}

fn sent_orders(shards: &mut Shards<u64>) -> Vec<(u64, Vec<u64>, bool)> {
    let orders = shards.orders().into_iter();
    orders.map(|it| (it.shard, it.start, it.is_last)).collect()
}

fn ids(ids: &[u64]) -> Vec<EffectId> {
    ids.iter().copied().map(EffectId).collect()
}

#[test]
fn as_many_shards_are_opened_as_the_children_need() {
    let mut shards = Shards::new(LIMITS);
    add_children(&mut shards, 0..7, 1);
    let expected = [
        (0, vec![0, 1, 2], false),
        (1, vec![3, 4, 5], false),
        (2, vec![6], false),
    ];
    assert_eq!(sent_orders(&mut shards), expected);
    // One with room gets the next without having said anything.
    add_children(&mut shards, [7], 1);
    assert_eq!(sent_orders(&mut shards), [(2, vec![7], false)]);
    assert_eq!(sent_orders(&mut shards), []);
}

#[test]
fn a_shard_is_told_that_it_was_heard_with_more_children() {
    let mut shards = Shards::new(LIMITS);
    add_children(&mut shards, 0..3, 1);
    assert!(shards.orders()[0].opens);
    shards.reported(0, &ids(&[1]), 1);
    add_children(&mut shards, [3], 1);
    let orders = shards.orders();
    assert_eq!((orders.len(), &orders[0].start), (1, &vec![3]));
    assert!(orders[0].was_heard && !orders[0].opens && !orders[0].is_last);
}

#[test]
fn a_shard_that_ran_enough_gets_no_more_and_ends_once_it_runs_none() {
    let mut shards = Shards::new(LIMITS);
    add_children(&mut shards, 0..3, 1);
    assert_eq!(sent_orders(&mut shards), [(0, vec![0, 1, 2], false)]);
    shards.reported(0, &ids(&[0, 1, 2]), 1);
    add_children(&mut shards, 3..6, 1);
    let expected = [(0, vec![3, 4], false), (1, vec![5], false)];
    assert_eq!(sent_orders(&mut shards), expected);
    shards.reported(0, &ids(&[3, 4]), 1);
    add_children(&mut shards, [6], 1);
    assert_eq!(
        sent_orders(&mut shards),
        [(0, vec![], true), (1, vec![6], false)]
    );
}

#[test]
fn what_is_large_goes_in_messages_of_its_own_and_fills_a_shard() {
    let mut shards = Shards::new(LIMITS);
    add_children(&mut shards, 0..3, 10);
    let expected = [(0, vec![0, 1], false), (0, vec![2], false)];
    assert_eq!(sent_orders(&mut shards), expected);
    // What it reported counts too.
    shards.reported(0, &ids(&[0]), 90);
    add_children(&mut shards, [3], 1_000);
    let expected = [(0, vec![], false), (1, vec![3], false)];
    assert_eq!(sent_orders(&mut shards), expected);
}

#[test]
fn one_that_no_shard_has_is_not_started_and_the_others_are_stopped_by_their_shard() {
    let mut shards = Shards::new(LIMITS);
    add_children(&mut shards, 0..2, 1);
    assert_eq!(sent_orders(&mut shards), [(0, vec![0, 1], false)]);
    add_children(&mut shards, [2], 1);
    shards.stop(EffectId(2));
    shards.stop(EffectId(0));
    let orders = shards.orders();
    assert_eq!(orders[0].stop, ids(&[0]));
    assert!(orders[0].start.is_empty() && orders.len() == 1);
    // It ends nonetheless, and only then its shard has none.
    shards.reported(0, &ids(&[1]), 1);
    assert_eq!(sent_orders(&mut shards), [(0, vec![], false)]);
    shards.reported(0, &ids(&[0]), 1);
    assert_eq!(sent_orders(&mut shards), [(0, vec![], true)]);
}

#[test]
fn all_shards_are_let_go_at_once() {
    let mut shards = Shards::new(LIMITS);
    add_children(&mut shards, 0..4, 1);
    shards.orders();
    add_children(&mut shards, [9], 1);
    let last = shards.stop_all();
    assert!(
        last.iter()
            .all(|order| order.is_last && order.start.is_empty())
    );
    assert_eq!((last.len(), shards.orders().len()), (2, 0));
}

#[test]
fn the_children_of_a_shard_that_is_lost_are_told_of() {
    let mut shards = Shards::new(LIMITS);
    add_children(&mut shards, 0..3, 1);
    shards.orders();
    shards.stop(EffectId(1));
    assert_eq!(shards.remove_shard(0), ids(&[0, 2]));
    assert_eq!(shards.remove_shard(0), []);
}

#[test]
fn a_report_waits_until_the_one_before_was_heard() {
    let mut reports = Reports::new(&LIMITS);
    assert_eq!(reports.next(), None);
    reports.ended('a', 1);
    assert_eq!(reports.next(), Some(vec!['a']));
    reports.ended('b', 15);
    reports.ended('c', 5);
    reports.ended('d', 1);
    assert_eq!(reports.next(), None);
    reports.acknowledge();
    assert_eq!(reports.next(), Some(vec!['b', 'c']));
    reports.acknowledge();
    assert_eq!(reports.next(), Some(vec!['d']));
}

/// An execution and its shards, with messages that take their time.
struct Model {
    shards: Shards<u64>,
    orders: BTreeMap<u64, VecDeque<Order<u64>>>,
    running: BTreeMap<u64, Vec<u64>>,
    reports: BTreeMap<u64, Reports<u64>>,
    said: BTreeMap<u64, Vec<u64>>,
    starts: Vec<u64>,
    ends: Vec<u64>,
}

impl Model {
    fn order(&mut self) {
        for order in self.shards.orders() {
            self.orders.entry(order.shard).or_default().push_back(order);
        }
    }

    /// A shard hears one order.
    fn acknowledge(&mut self, shard: u64) {
        let order = self.orders.get_mut(&shard).and_then(VecDeque::pop_front);
        let Some(order) = order else {
            return;
        };
        if order.opens {
            self.reports.insert(shard, Reports::new(&LIMITS));
        }
        let running = self.running.entry(shard).or_default();
        running.extend(&order.start);
        self.starts.extend(&order.start);
        assert!(running.len() <= LIMITS.children_at_a_time);
        let reports = self.reports.get_mut(&shard).expect("it is open");
        if order.was_heard {
            reports.acknowledge();
        }
        if order.is_last {
            assert!(running.is_empty() && reports.next().is_none());
            self.reports.remove(&shard);
        }
    }

    /// A child of a shard ends, or a report is said, or it is heard.
    fn take_step(&mut self, shard: u64, what: u8) {
        if what == 0
            && let Some(child) = self.running.get_mut(&shard).and_then(Vec::pop)
        {
            let reports = self.reports.get_mut(&shard);
            reports.expect("it is open").ended(child, 1);
        }
        if what == 1
            && let Some(report) = self.reports.get_mut(&shard).and_then(Reports::next)
        {
            let before = self.said.insert(shard, report);
            assert_eq!(before, None);
        }
        if what == 2
            && let Some(report) = self.said.remove(&shard)
        {
            self.shards.reported(shard, &ids(&report), report.len());
            self.ends.extend(report);
            self.order();
        }
    }
}

proptest! {
    #[test]
    fn every_child_is_run_once_and_reported_once(
        bytes in 1_usize..40,
        acts in prop::collection::vec((0_u8..5, 0_u64..6), 0..200),
    ) {
        let mut model = Model {
            shards: Shards::new(LIMITS),
            orders: BTreeMap::new(),
            running: BTreeMap::new(),
            reports: BTreeMap::new(),
            said: BTreeMap::new(),
            starts: Vec::new(),
            ends: Vec::new(),
        };
        let mut count = 0;
        for (what, shard) in acts {
            match what {
                3 => model.acknowledge(shard),
                4 => {
                    add_children(&mut model.shards, count..count + shard, bytes);
                    count += shard;
                    model.order();
                }
                what => model.take_step(shard, what),
            }
        }
        // Then everything comes to its end.
        for _ in 0..2_000 {
            for shard in 0..count {
                model.acknowledge(shard);
                (0..3).for_each(|what| model.take_step(shard, what));
            }
            if model.ends.len() as u64 == count && model.reports.is_empty() {
                break;
            }
        }
        model.starts.sort_unstable();
        model.ends.sort_unstable();
        let all: Vec<u64> = (0..count).collect();
        prop_assert_eq!(&model.starts, &all);
        prop_assert_eq!(&model.ends, &all);
        prop_assert!(model.reports.is_empty(), "a shard was not let go");
    }
}
