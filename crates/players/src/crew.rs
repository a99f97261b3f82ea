//! Work on several threads. Agents have no threads of their own: whoever has some can lend them.

/// Runs jobs at the same time.
pub trait Crew: Send + Sync {
    /// How many jobs run at the same time, at least one.
    fn size(&self) -> usize;

    /// Runs the job with every number below `count`, in any order. Returns when all are done.
    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync));
}

/// Runs one job after the other, on the thread that asks.
pub struct Alone;

impl Crew for Alone {
    fn size(&self) -> usize {
        1
    }

    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(job);
    }
}
