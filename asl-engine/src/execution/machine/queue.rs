//! A queue that mostly holds one at a time.
use std::collections::VecDeque;

/// First in, first out. One alone needs no memory beyond the queue itself.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    /// None only if the queue is empty.
    first: Option<T>,
    rest: VecDeque<T>,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self {
            first: None,
            rest: VecDeque::new(),
        }
    }
}

impl<T> Queue<T> {
    #[inline]
    pub(crate) fn push_back(&mut self, last: T) {
        match &self.first {
            None => self.first = Some(last),
            Some(_) => self.rest.push_back(last),
        }
    }

    /// Puts one before all others.
    #[inline]
    pub(crate) fn push_front(&mut self, first: T) {
        if let Some(second) = self.first.replace(first) {
            self.rest.push_front(second);
        }
    }

    #[inline]
    pub(crate) fn pop_front(&mut self) -> Option<T> {
        let first = self.first.take();
        if !self.rest.is_empty() {
            self.first = self.rest.pop_front();
        }
        first
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.rest.len()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// Keeps the first so many.
    pub(crate) fn truncate(&mut self, length: usize) {
        match length.checked_sub(1) {
            None => self.clear(),
            Some(rest) => self.rest.truncate(rest),
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// All, in the order in which they come out.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.first.iter().chain(&self.rest)
    }
}

impl<T> FromIterator<T> for Queue<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut items = items.into_iter();
        Self {
            first: items.next(),
            rest: items.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// It is a deque.
        #[test]
        fn it_holds_what_a_deque_holds(steps in prop::collection::vec(0..5_u8, 0..60)) {
            let (mut queue, mut deque) = (Queue::default(), VecDeque::new());
            for (number, step) in steps.into_iter().enumerate() {
                match step {
                    0 => {
                        queue.push_front(number);
                        deque.push_front(number);
                    }
                    1 | 2 => {
                        queue.push_back(number);
                        deque.push_back(number);
                    }
                    _ => prop_assert_eq!(queue.pop_front(), deque.pop_front()),
                }
                prop_assert!(queue.iter().eq(&deque));
                prop_assert_eq!((queue.len(), queue.is_empty()), (deque.len(), deque.is_empty()));
                prop_assert!(queue.iter().copied().collect::<Queue<_>>().iter().eq(&deque));
            }
        }
    }
}
