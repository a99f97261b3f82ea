//! What the server counts, and `/metrics`, which shows it in the text format of Prometheus to programs on this machine.

use crate::app::App;
use crate::refusal::Refusal;
use crate::request::Peer;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What happened since the server started.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// Requests by route and class of status, such as `2xx`.
    pub(crate) requests: Tally<(String, &'static str)>,
    /// How long requests took until the response began.
    pub(crate) request_time: TotalTime,
    /// Clients that were refused a connection.
    pub(crate) connections_refused: AtomicU64,
    /// Scores that were sent, by what became of them: `accepted`, or why not.
    pub(crate) scores: Tally<&'static str>,
    /// How long verifications of replays took.
    pub(crate) verification_time: TotalTime,
}

/// How often each of several things happened.
#[derive(Debug)]
pub(crate) struct Tally<K>(Mutex<BTreeMap<K, u64>>);

impl<K> Default for Tally<K> {
    fn default() -> Tally<K> {
        Tally(Mutex::default())
    }
}

impl<K: Ord + Clone> Tally<K> {
    /// Counts one more.
    pub(crate) fn add(&self, kind: K) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(kind).or_default() += 1;
    }

    fn counts(&self) -> BTreeMap<K, u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// How often something was done, and how long it took in total.
#[derive(Debug, Default)]
pub(crate) struct TotalTime {
    count: AtomicU64,
    micros: AtomicU64,
}

impl TotalTime {
    /// Counts one more.
    pub(crate) fn add(&self, time: Duration) {
        self.count.fetch_add(1, Relaxed);
        self.micros.fetch_add(time.as_micros() as u64, Relaxed);
    }
}

/// `GET /metrics`
pub(crate) async fn show(State(app): State<Arc<App>>, peer: Peer) -> Result<Response, Refusal> {
    if !peer.is_local {
        let reason = "metrics are only for programs on the server's machine that connect to it directly";
        return Err(Refusal::new(StatusCode::FORBIDDEN, reason));
    }
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4")], text(&app)).into_response())
}

fn text(app: &App) -> String {
    let mut page = Page(String::new());
    let counters = &app.counters;
    let requests = counters.requests.counts();
    page.family("tetrion_requests_total", "counter", "Requests by route and class of status.");
    for ((route, status), count) in &requests {
        page.sample(&format!("tetrion_requests_total{{route=\"{route}\",status=\"{status}\"}}"), count);
    }
    page.time("tetrion_request_seconds", "Time until responses began.", &counters.request_time);
    page.gauge("tetrion_requests_open", "Requests under way, events included.", app.requests.used());
    page.gauge("tetrion_bytes_open", "Bytes of bodies under way.", app.bytes.used());
    page.gauge("tetrion_connections_open", "Open connections.", app.connections.used());
    let refused = counters.connections_refused.load(Relaxed);
    page.counter("tetrion_connections_refused_total", "Connections that were refused.", refused);
    page.family("tetrion_scores_total", "counter", "Scores that were sent, by what became of them.");
    for (result, count) in &counters.scores.counts() {
        page.sample(&format!("tetrion_scores_total{{result=\"{result}\"}}"), count);
    }
    page.time("tetrion_verification_seconds", "Time to verify replays.", &counters.verification_time);
    page.gauge("tetrion_followers", "Clients that follow training runs.", app.followers.used());
    page.family("tetrion_training_runs", "gauge", "Training runs by state.");
    for (state, count) in &app.jobs.count() {
        page.sample(&format!("tetrion_training_runs{{state=\"{state}\"}}"), count);
    }
    if let Some(log) = &app.log {
        page.counter("tetrion_log_lines_lost_total", "Lines that could not be logged.", log.lost());
    }
    page.gauge("tetrion_uptime_seconds", "Time since the server started.", app.started.elapsed().as_secs());
    if let Ok(status) = fs::read_to_string("/proc/self/status") {
        let bytes = |name| memory(&status, name).unwrap_or(0);
        page.gauge("process_resident_memory_bytes", "Memory in use.", bytes("VmRSS:"));
        page.gauge("process_resident_memory_max_bytes", "The most memory that was in use.", bytes("VmHWM:"));
    }
    if let Ok(files) = fs::read_dir("/proc/self/fd") {
        page.gauge("process_open_fds", "Open files and sockets.", files.count());
    }
    page.0
}

/// A value from `/proc/self/status`, in bytes.
fn memory(status: &str, name: &str) -> Option<u64> {
    let value = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Metrics as text. Writing to a string never fails.
struct Page(String);

impl Page {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn sample(&mut self, name: &str, value: impl Display) {
        let _ = writeln!(self.0, "{name} {value}");
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        self.family(name, "gauge", help);
        self.sample(name, value);
    }

    fn counter(&mut self, name: &str, help: &str, value: impl Display) {
        self.family(name, "counter", help);
        self.sample(name, value);
    }

    fn time(&mut self, name: &str, help: &str, time: &TotalTime) {
        self.family(name, "summary", help);
        self.sample(&format!("{name}_sum"), Duration::from_micros(time.micros.load(Relaxed)).as_secs_f64());
        self.sample(&format!("{name}_count"), time.count.load(Relaxed));
    }
}
