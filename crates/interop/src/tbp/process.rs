//! A bot in a process of its own, with limits on what it may send and use.
//!
//! The process leads a group, so that a bot which is a script ends with everything that it has started.

use super::host::{Fault, Transport};
use super::lines::{Line, read_line};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What a bot may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessLimits {
    /// The time until it is ready.
    pub handshake: Duration,
    /// The longest line that it may send.
    pub line_bytes: usize,
    /// How many lines may wait until we read them.
    pub waiting_lines: usize,
    /// The memory of the process and its descendants, where the system has `/proc`.
    pub memory_bytes: u64,
}

impl Default for ProcessLimits {
    fn default() -> ProcessLimits {
        ProcessLimits {
            handshake: Duration::from_secs(10),
            line_bytes: 1 << 18,
            waiting_lines: 64,
            memory_bytes: 4 << 30,
        }
    }
}

/// A bot's process. It ends with this value, and so does everything that it has started.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: SyncSender<String>,
    output: Receiver<String>,
    ending: Ending,
    /// Ends the watch over its memory when it is dropped.
    _watch: Sender<()>,
}

/// Why a process can't be used any more: the first reason counts.
type Ending = Arc<Mutex<Option<Fault>>>;

/// The groups of processes that have not ended, by their leaders.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is locked here is never left half-changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all bots at once. Call this before a program exits without dropping its values, as after a signal.
pub fn kill_all() {
    locked(&GROUPS).iter().for_each(|leader| group::kill(*leader));
}

/// Kills a group. Its leader was not waited for, or the group is not in the set: so its number was not given to another.
fn kill(leader: u32) {
    if locked(&GROUPS).contains(&leader) {
        group::kill(leader);
    }
}

/// Kills a group for a reason.
fn end(leader: u32, ending: &Ending, fault: Fault) {
    locked(ending).get_or_insert(fault);
    kill(leader);
}

impl Process {
    /// Starts a program. Its standard error is the command's.
    pub fn spawn(mut command: Command, limits: ProcessLimits) -> Result<Process, Fault> {
        /// Messages that may wait until the bot reads them.
        const WAITING_MESSAGES: usize = 1_000;
        group::lead(&mut command);
        let program = command.get_program().to_string_lossy().into_owned();
        // Locked, so that a signal in between does not leave the process behind.
        let mut groups = locked(&GROUPS);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| Fault::NotStarted(format!("{program}: {error}")))?;
        let leader = child.id();
        groups.insert(leader);
        drop(groups);
        let ending = Ending::default();

        let mut stdin = child.stdin.take().expect("the input is piped");
        let (input, lines) = sync_channel::<String>(WAITING_MESSAGES);
        // In a thread, because a bot that does not read its input would block us.
        thread::spawn(move || lines.iter().try_for_each(|line| stdin.write_all(line.as_bytes())));

        let mut stdout = BufReader::new(child.stdout.take().expect("the output is piped"));
        let (sender, output) = sync_channel(limits.waiting_lines);
        let ends = Arc::clone(&ending);
        thread::spawn(move || {
            let fault = loop {
                match read_line(&mut stdout, limits.line_bytes) {
                    Ok(Line::Text(line)) => match sender.try_send(line) {
                        Ok(()) => {}
                        Err(TrySendError::Full(_)) => break Fault::Flood(limits.waiting_lines),
                        Err(TrySendError::Disconnected(_)) => return,
                    },
                    Ok(Line::TooLong) => break Fault::LineTooLong(limits.line_bytes),
                    Ok(Line::End) | Err(_) => return,
                }
            };
            end(leader, &ends, fault);
        });

        let (watch, ended) = channel::<()>();
        let ends = Arc::clone(&ending);
        thread::spawn(move || {
            /// Between two looks at the memory.
            const PAUSE: Duration = Duration::from_millis(50);
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                if memory_bytes(leader) > limits.memory_bytes {
                    return end(leader, &ends, Fault::Memory(limits.memory_bytes));
                }
            }
        });
        Ok(Process { child, input, output, ending, _watch: watch })
    }

    /// The number of the process and of its group.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Why there is nothing more to read.
    fn ended(&mut self) -> Fault {
        /// A process that closes its output on its way out has this long to get there.
        const PATIENCE: Duration = Duration::from_millis(500);
        let deadline = Instant::now() + PATIENCE;
        while locked(&self.ending).is_none() && Instant::now() < deadline {
            match group::exit(&mut self.child) {
                Some(exit) => {
                    locked(&self.ending).get_or_insert(Fault::Died(exit));
                }
                None => thread::sleep(Duration::from_millis(1)),
            }
        }
        let closed = || Fault::Died("it closed its output".to_owned());
        locked(&self.ending).get_or_insert_with(closed).clone()
    }
}

impl Transport for Process {
    fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.input.try_send(format!("{line}\n")).map_err(|error| match error {
            TrySendError::Full(_) => Fault::Deaf,
            TrySendError::Disconnected(_) => self.ended(),
        })
    }

    fn receive(&mut self, deadline: Instant) -> Result<Option<String>, Fault> {
        match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
            // What it has started may keep its output open.
            Err(RecvTimeoutError::Timeout) => match group::exit(&mut self.child) {
                Some(exit) => Err(locked(&self.ending).get_or_insert(Fault::Died(exit)).clone()),
                None => Ok(None),
            },
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let leader = self.child.id();
        kill(leader);
        locked(&GROUPS).remove(&leader);
        // Both fail only if the process has ended and was waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The memory of a process and its descendants; 0 where the system does not say.
fn memory_bytes(process: u32) -> u64 {
    let folder = format!("/proc/{process}");
    let status = fs::read_to_string(format!("{folder}/status")).unwrap_or_default();
    let resident =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse().ok());
    let own = 1024 * resident.unwrap_or(0u64);
    let tasks = fs::read_dir(format!("{folder}/task")).into_iter().flatten().flatten();
    let children = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let of_children = |children: String| -> u64 {
        children.split_whitespace().filter_map(|child| child.parse().ok()).map(memory_bytes).sum()
    };
    own + children.map(of_children).sum::<u64>()
}

/// Groups of processes, where the system has them.
#[cfg(unix)]
mod group {
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    /// Lets a command lead a group.
    pub fn lead(command: &mut Command) {
        command.process_group(0);
    }

    fn pid(id: u32) -> Option<Pid> {
        Pid::from_raw(id.try_into().ok()?)
    }

    /// Kills a group.
    pub fn kill(leader: u32) {
        if let Some(leader) = pid(leader) {
            // Fails only if it has ended.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }

    /// How a process ended, if it did. It keeps its number until it is waited for.
    pub fn exit(child: &mut Child) -> Option<String> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(pid(child.id())?), options).ok()??;
        Some(match status.exit_status() {
            Some(code) => format!("exit status {code}"),
            None => format!("signal {}", status.terminating_signal().unwrap_or_default()),
        })
    }
}

/// Elsewhere only the process itself is killed, when it is dropped.
#[cfg(not(unix))]
mod group {
    use std::process::{Child, Command};

    pub fn lead(_: &mut Command) {}

    pub fn kill(_: u32) {}

    pub fn exit(child: &mut Child) -> Option<String> {
        child.try_wait().ok()?.map(|status| status.to_string())
    }
}
