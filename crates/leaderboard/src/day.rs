//! Days: everybody who plays the daily of a day gets the same pieces.

use std::fmt;
use std::str::FromStr;

/// The upper bits of every daily's seed, "DAILY" in ASCII. A seed that was not chosen has them once in 10¹⁴ games.
const SEED_MARK: u64 = 0x4441_494c_5900_0000;

/// A day in UTC, from 1970 to 2149.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day(u16);

/// A text that is not a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write the day as year, month and day, such as 2026-11-18")]
pub struct NotADay;

impl Day {
    /// The day of a time, in seconds since 1970.
    pub fn at(seconds: u64) -> Day {
        Day(u16::try_from(seconds / 86_400).unwrap_or(u16::MAX))
    }

    /// So many days earlier.
    pub fn before(self, days: u16) -> Day {
        Day(self.0.saturating_sub(days))
    }

    /// The seed of the day's pieces.
    pub const fn seed(self) -> u64 {
        SEED_MARK | self.0 as u64
    }

    /// The day whose pieces have this seed.
    pub const fn of_seed(seed: u64) -> Option<Day> {
        if seed & !0xffff == SEED_MARK { Some(Day(seed as u16)) } else { None }
    }
}

/// The length of a year's months.
fn month_lengths(year: u32) -> [u32; 12] {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
}

/// The months from 1970 on: year, month from 1, and length.
fn months() -> impl Iterator<Item = (u32, u32, u32)> {
    (1970..).flat_map(|year| (1..).zip(month_lengths(year)).map(move |(month, days)| (year, month, days)))
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = u32::from(self.0);
        for (year, month, days) in months() {
            if left < days {
                return write!(f, "{year}-{month:02}-{:02}", left + 1);
            }
            left -= days;
        }
        Ok(())
    }
}

impl FromStr for Day {
    type Err = NotADay;

    fn from_str(text: &str) -> Result<Day, NotADay> {
        let mut first = 0;
        for (year, month, days) in months() {
            let day = text.strip_prefix(&format!("{year}-{month:02}-")).and_then(|day| day.parse().ok());
            if let Some(day @ 1..) = day.filter(|day| *day <= days) {
                // Only as it is written: the name of a leaderboard is unique.
                let found = u16::try_from(first + day - 1).map(Day).map_err(|_| NotADay)?;
                return if found.to_string() == text { Ok(found) } else { Err(NotADay) };
            }
            first += days;
            if first > u16::MAX.into() {
                break;
            }
        }
        Err(NotADay)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_709_164_800, "2024-02-29"),
            (1_795_000_000, "2026-11-18"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(Day::at(seconds).to_string(), date);
            assert_eq!(date.parse(), Ok(Day::at(seconds)));
        }
        assert_eq!(Day::at(u64::MAX), Day(u16::MAX));
    }

    #[test]
    fn every_day_is_read_back_and_has_a_seed_of_its_own() {
        for day in (0..=u16::MAX).step_by(97).map(Day) {
            assert_eq!(day.to_string().parse(), Ok(day));
            assert_eq!(Day::of_seed(day.seed()), Some(day));
        }
        for text in ["", "today", "2026-02-29", "2026-11-1", "2026-11-018", "1969-12-31", "2200-01-01"] {
            assert_eq!(text.parse::<Day>(), Err(NotADay), "{text}");
        }
        assert_eq!([0, 1, u64::MAX, SEED_MARK - 1, SEED_MARK + 0x1_0000].map(Day::of_seed), [None; 5]);
    }
}
