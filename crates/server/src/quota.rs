//! Shares of what is limited, so that a few clients can't use all of it.

use crate::buckets::household;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An address gets more only while this many times its own share stays free: it can have an eighth of what others leave. The more
/// they use, the less it gets, and thirty greedy addresses still leave something to the next.
const FREE_FOR_OTHERS: usize = 7;

/// Something that all clients share, such as connections.
#[derive(Debug)]
pub(crate) struct Quota {
    most: usize,
    used: Mutex<Used>,
}

#[derive(Debug, Default)]
struct Used {
    total: usize,
    by_peer: HashMap<IpAddr, usize>,
}

impl Quota {
    pub(crate) fn new(most: usize) -> Arc<Quota> {
        Arc::new(Quota { most, used: Mutex::default() })
    }

    /// How much is in use.
    pub(crate) fn used(&self) -> usize {
        self.lock().total
    }

    /// A share for an address, if it may have one.
    pub(crate) fn take(self: &Arc<Quota>, peer: IpAddr, amount: usize) -> Option<Share> {
        let peer = household(peer);
        let mut used = self.lock();
        let left = self.most.checked_sub(used.total + amount)?;
        let own = used.by_peer.get(&peer).copied().unwrap_or(0);
        if amount > 0 && own * FREE_FOR_OTHERS > left {
            return None;
        }
        used.total += amount;
        *used.by_peer.entry(peer).or_default() += amount;
        Some(Share { quota: Arc::clone(self), peer: Some(peer), amount })
    }

    /// A share for a proxy, which stands for many clients: only the total is limited.
    pub(crate) fn take_for_proxy(self: &Arc<Quota>, amount: usize) -> Option<Share> {
        let mut used = self.lock();
        self.most.checked_sub(used.total + amount)?;
        used.total += amount;
        Some(Share { quota: Arc::clone(self), peer: None, amount })
    }

    fn lock(&self) -> MutexGuard<'_, Used> {
        // A panic never leaves the counts half changed.
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A part of a quota, in use until this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    quota: Arc<Quota>,
    peer: Option<IpAddr>,
    amount: usize,
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut used = self.quota.lock();
        used.total -= self.amount;
        let Some(peer) = self.peer else { return };
        if let Some(own) = used.by_peer.get_mut(&peer) {
            *own -= self.amount;
            if *own == 0 {
                used.by_peer.remove(&peer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u32) -> IpAddr {
        IpAddr::V4(number.into())
    }

    /// Everything that an address can get.
    fn take_all(quota: &Arc<Quota>, peer: IpAddr) -> Vec<Share> {
        std::iter::from_fn(|| quota.take(peer, 1)).collect()
    }

    #[test]
    fn an_address_gets_an_eighth_of_what_others_leave() {
        let quota = Quota::new(800);
        let first = take_all(&quota, address(1));
        assert_eq!(first.len(), 100);
        let mut greedy = vec![first];
        for number in 2..=30 {
            let left = 800 - quota.used();
            greedy.push(take_all(&quota, address(number)));
            assert_eq!(greedy[greedy.len() - 1].len(), left.div_ceil(8), "{number} addresses");
        }
        assert!(quota.take(address(31), 1).is_some());
        drop(greedy);
        assert_eq!(quota.used(), 0);
        assert!(quota.lock().by_peer.is_empty());
    }

    #[test]
    fn a_proxy_can_have_everything_and_nobody_more_than_that() {
        let quota = Quota::new(3);
        let shares: Vec<Share> = std::iter::from_fn(|| quota.take_for_proxy(1)).collect();
        assert_eq!(shares.len(), 3);
        assert!(quota.take(address(1), 1).is_none());
        assert!(quota.take(address(1), 0).is_some());
        drop(shares);
        assert!(quota.take(address(1), 4).is_none());
        let whole = quota.take(address(1), 3);
        assert!(whole.is_some() && quota.take(address(2), 1).is_none());
    }
}
