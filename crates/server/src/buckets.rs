//! Rate limits: a token bucket for each address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A token bucket for each address.
#[derive(Debug)]
pub(crate) struct Buckets {
    per_second: f64,
    burst: f64,
    by_peer: Mutex<HashMap<IpAddr, Bucket>>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

/// When there are this many buckets, the full ones are dropped.
const MAX_BUCKETS: usize = 10_000;

impl Buckets {
    pub(crate) fn new(per_second: f64, burst: f64) -> Buckets {
        Buckets { per_second, burst, by_peer: Mutex::default() }
    }

    /// Takes a token, or returns how long to wait for one.
    pub(crate) fn take(&self, peer: IpAddr, now: Instant) -> Result<(), Duration> {
        // A panic can't leave a bucket half updated.
        let mut by_peer = self.by_peer.lock().unwrap_or_else(PoisonError::into_inner);
        if by_peer.len() >= MAX_BUCKETS {
            by_peer.retain(|_, bucket| self.filled(*bucket, now) < self.burst);
        }
        let bucket = by_peer.entry(household(peer)).or_insert(Bucket { tokens: self.burst, at: now });
        *bucket = Bucket { tokens: self.filled(*bucket, now), at: now };
        if bucket.tokens < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - bucket.tokens) / self.per_second));
        }
        bucket.tokens -= 1.0;
        Ok(())
    }

    fn filled(&self, bucket: Bucket, now: Instant) -> f64 {
        let seconds = now.saturating_duration_since(bucket.at).as_secs_f64();
        (bucket.tokens + seconds * self.per_second).min(self.burst)
    }
}

/// The /64 network of an IPv6 address: its owner has all addresses in it. IPv4 addresses, also mapped ones, stay whole.
pub(crate) fn household(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        peer @ IpAddr::V4(_) => peer,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_then_only_as_fast_as_the_bucket_fills() {
        let buckets = Buckets::new(2.0, 3.0);
        let start = Instant::now();
        let peer = IpAddr::from([127, 0, 0, 1]);
        for _ in 0..3 {
            assert_eq!(buckets.take(peer, start), Ok(()));
        }
        assert_eq!(buckets.take(peer, start), Err(Duration::from_millis(500)));
        assert_eq!(buckets.take(IpAddr::from([127, 0, 0, 2]), start), Ok(()));
        let later = start + Duration::from_millis(500);
        assert_eq!(buckets.take(peer, later), Ok(()));
        assert!(buckets.take(peer, later).is_err());
        for _ in 0..3 {
            assert_eq!(buckets.take(peer, start + Duration::from_secs(60)), Ok(()));
        }
        assert!(buckets.take(peer, start + Duration::from_secs(60)).is_err());
    }

    #[test]
    fn addresses_of_one_household_share_a_bucket() {
        let buckets = Buckets::new(1.0, 1.0);
        let now = Instant::now();
        let [one, two, other]: [IpAddr; 3] =
            ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"].map(|text| text.parse().unwrap());
        assert!(buckets.take(one, now).is_ok());
        assert!(buckets.take(two, now).is_err());
        assert!(buckets.take(other, now).is_ok());
        let [one, same, other]: [IpAddr; 3] =
            ["::ffff:192.0.2.1", "192.0.2.1", "::ffff:192.0.2.2"].map(|text| text.parse().unwrap());
        assert!(buckets.take(one, now).is_ok());
        assert!(buckets.take(same, now).is_err());
        assert!(buckets.take(other, now).is_ok());
    }
}
