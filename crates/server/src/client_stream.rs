//! A connection that does not wait for ever for a client that reads nothing, or hardly anything.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

/// What an unread byte is worth: a client that reads faster than this never runs out of time.
const SLOWEST_BYTES_PER_SECOND: f64 = 1024.0;

/// How long a client may still take to read. Waiting uses it up, and reading earns it back.
#[derive(Debug)]
struct Patience {
    most: Duration,
    left: Duration,
    waiting_since: Option<Instant>,
}

impl Patience {
    fn new(most: Duration) -> Patience {
        Patience { most, left: most, waiting_since: None }
    }

    /// The client does not take more at present. Returns when to give up.
    fn wait(&mut self, now: Instant) -> Instant {
        *self.waiting_since.get_or_insert(now) + self.left
    }

    /// The client took some bytes.
    fn go_on(&mut self, bytes: usize, now: Instant) {
        let waited = self.waiting_since.take().map_or(Duration::ZERO, |since| now - since);
        let earned = Duration::from_secs_f64(bytes as f64 / SLOWEST_BYTES_PER_SECOND);
        self.left = (self.left + earned).saturating_sub(waited).min(self.most);
    }
}

/// A client's connection.
pub(crate) struct ClientStream {
    stream: TcpStream,
    patience: Patience,
    /// Wakes the connection when its patience ends.
    alarm: Option<Pin<Box<Sleep>>>,
}

impl ClientStream {
    /// Limits how long the client may read nothing.
    pub(crate) fn new(stream: TcpStream, stall_timeout: Duration) -> ClientStream {
        ClientStream { stream, patience: Patience::new(stall_timeout), alarm: None }
    }

    /// What a write came to, or an error if the client has not read for too long.
    fn judge(&mut self, written: Poll<io::Result<usize>>, context: &mut Context) -> Poll<io::Result<usize>> {
        if let Poll::Ready(result) = written {
            if let Ok(bytes) = result {
                self.patience.go_on(bytes, Instant::now());
                self.alarm = None;
            }
            return Poll::Ready(result);
        }
        let give_up = self.patience.wait(Instant::now());
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep_until(give_up)));
        ready!(alarm.as_mut().poll(context));
        // The system forgets what it has not sent yet, instead of trying for minutes.
        let _ = self.stream.set_zero_linger();
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        buffer: &mut ReadBuf,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        parts: &[IoSlice],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.judge(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// After how many seconds a client is given up that reads some bytes every ten seconds.
    fn given_up(bytes: usize) -> Option<u64> {
        let start = Instant::now();
        let mut patience = Patience::new(30 * SECOND);
        (10..100_000).step_by(10).find(|&seconds| {
            let now = start + seconds as u32 * SECOND;
            let late = patience.wait(now - 10 * SECOND) <= now;
            patience.go_on(bytes, now);
            late
        })
    }

    #[test]
    fn slow_readers_are_given_up_and_others_are_not() {
        assert_eq!(given_up(0), Some(30));
        assert_eq!(given_up(1), Some(40));
        assert!(given_up(5 * 1024).is_some());
        assert_eq!(given_up(10 * 1024), None);
    }

    #[test]
    fn a_client_that_keeps_up_for_long_may_still_stop_only_as_long_as_others() {
        let start = Instant::now();
        let mut patience = Patience::new(30 * SECOND);
        patience.go_on(1 << 30, start);
        assert_eq!(patience.wait(start), start + 30 * SECOND);
        // Waiting is counted from its beginning.
        assert_eq!(patience.wait(start + 5 * SECOND), start + 30 * SECOND);
        patience.go_on(0, start + 5 * SECOND);
        assert_eq!(patience.wait(start + 7 * SECOND), start + 32 * SECOND);
    }
}
