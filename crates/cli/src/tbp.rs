//! `tetrion tbp`: an agent as a bot for other programs.
//!
//! One thread reads lines, one thinks, and this one follows the protocol. It never waits for a search: it hears of what was read
//! and of what was found through one channel.

use crate::UsageError;
use crate::setup::AgentOptions;
use anyhow::{Context, Result, anyhow};
use rayon::prelude::*;
use std::io::{self, BufRead, BufReader, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use tetrion::Player;
use tetrion_engine::game::Move;
use tetrion_engine::position::{Position, View};
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_interop::tbp::{Bot, BotMessage, Line, MoveInfo, Step, excerpt, read_line};
use tetrion_players::agent::{Agent, Limits};
use tetrion_players::catalogue::DEFAULT_AGENT;
use tetrion_players::crew::Crew;

/// The longest line that is read. A `start` has a few thousand bytes.
const MAX_LINE_BYTES: usize = 1 << 20;

/// How many lines are read before they are heard.
const MAX_WAITING_EVENTS: usize = 64;

/// The options of `tetrion tbp`.
#[derive(clap::Args)]
pub struct Options {
    /// Agent: a name from `tetrion agents`, or a .toml file with weights
    #[arg(default_value = DEFAULT_AGENT)]
    agent: String,
    /// Search this many placements for each move, however long that takes; the same messages then get the same answers
    #[arg(long, conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Think at least this many milliseconds about each position before answering
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    time: Option<u64>,
    /// Search on this many threads; the same number of nodes gives the same answers with any number of threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// When a search ends.
#[derive(Clone, Copy)]
enum Budget {
    /// When a suggestion is wanted.
    Asked,
    /// When a suggestion is wanted, but not before this time.
    Time(Duration),
    /// After this many nodes.
    Nodes(u64),
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let Options { agent, nodes, time, threads } = options;
    let player = AgentOptions { agent, nodes, time }.find()?;
    if matches!(player, Player::Exact(_)) {
        let reason = "a policy plays only its own small game: choose an agent";
        return Err(UsageError(reason.to_owned()).into());
    }
    if threads > 1 && !player.abilities().threads {
        let reason = format!("{} searches on one thread: leave out --threads", player.name());
        return Err(UsageError(reason).into());
    }
    let crew = if threads > 1 { Some(Threads::start(threads.into())?) } else { None };
    let budget = match (nodes, time) {
        (Some(nodes), _) => Budget::Nodes(nodes),
        (None, Some(milliseconds)) => Budget::Time(Duration::from_millis(milliseconds)),
        (None, None) => Budget::Asked,
    };
    let mut agent = player.agent(0);
    if let Some(crew) = crew {
        agent.work_with(Arc::new(crew));
    }
    let name = format!("Tetrion {}", player.name());
    talk(&name, agent, budget, BufReader::new(io::stdin()), &mut io::stdout(), &mut io::stderr())
}

/// Threads on loan to the agent.
struct Threads(rayon::ThreadPool);

impl Threads {
    fn start(count: usize) -> Result<Threads> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        Ok(Threads(pool.context("can't start threads")?))
    }
}

impl Crew for Threads {
    fn size(&self) -> usize {
        self.0.current_num_threads()
    }

    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        self.0.install(|| (0..count).into_par_iter().with_max_len(1).for_each(job));
    }
}

/// What the bot hears of.
enum Event {
    Read(io::Result<Line>),
    Found(Thought),
    /// The thread that thinks has ended, which it does only after a panic.
    Failed,
}

/// A position to think about.
struct Task {
    position: Position,
    rules: Ruleset,
    state: Arc<TaskState>,
}

/// What becomes of a task while it is thought about.
#[derive(Default)]
struct TaskState {
    /// The position is no longer of interest.
    cancelled: AtomicBool,
    /// A suggestion is wanted.
    asked: AtomicBool,
}

/// What came of a task.
struct Thought {
    state: Arc<TaskState>,
    moves: Vec<Move>,
    info: MoveInfo,
}

/// Plays for the host at the other end, until it says `quit` or ends its messages. Problems go to `log`, one a line.
fn talk(
    name: &str,
    agent: Box<dyn Agent + Send>,
    budget: Budget,
    reader: impl BufRead + Send + 'static,
    writer: &mut impl Write,
    log: &mut impl Write,
) -> Result<()> {
    let (events, heard) = sync_channel(MAX_WAITING_EVENTS);
    let (tasks, to_do) = channel();
    // Neither thread is waited for: the one may be in the middle of a search, the other waits for a line that will not come.
    let found = events.clone();
    thread::spawn(move || think(agent, budget, &to_do, &found));
    thread::spawn(move || read(reader, &events));
    let rules = Ruleset::for_agents(Mode::Practice);
    let mut conversation =
        Conversation { bot: Bot::new(rules), tasks, task: None, thought: None, has_changed: false, owed: 0 };
    send(writer, &Bot::greeting(name, env!("CARGO_PKG_VERSION"), "Tetrion"))?;
    let mut input_has_ended = false;
    while !input_has_ended || conversation.owed > 0 {
        // Whatever has come is heard before a search starts, because the next message may change the position again.
        let event = match heard.try_recv() {
            Err(TryRecvError::Empty) => {
                conversation.think();
                heard.recv().ok()
            }
            event => event.ok(),
        };
        let step = match event.ok_or_else(|| anyhow!("the threads of the bot have ended"))? {
            Event::Read(Ok(Line::Text(line))) => conversation.bot.handle_line(&line),
            Event::Read(Ok(Line::TooLong)) => {
                // A closed log is no reason to stop playing.
                let _ = writeln!(log, "ignored: a line of more than {MAX_LINE_BYTES} bytes");
                Ok(Step::Ignore)
            }
            Event::Read(Ok(Line::End)) => {
                input_has_ended = true;
                Ok(Step::Ignore)
            }
            Event::Read(Err(error)) => return Err(error).context("can't read standard input"),
            Event::Found(thought) => {
                conversation.found(thought);
                Ok(Step::Ignore)
            }
            Event::Failed => return Err(anyhow!("the agent failed: please report this")),
        };
        match step {
            Ok(Step::Ignore) => {}
            Ok(Step::Reply(reply)) => send(writer, &reply)?,
            Ok(Step::Think) => conversation.forget(),
            Ok(Step::Suggest) => conversation.ask(),
            Ok(Step::Quit) => break,
            Err(bad) => {
                let _ = writeln!(log, "ignored: {}", excerpt(&bad.to_string()));
            }
        }
        if let Some(suggestion) = conversation.suggestion() {
            for _ in 0..std::mem::take(&mut conversation.owed) {
                send(writer, &suggestion)?;
            }
        }
    }
    conversation.forget();
    Ok(())
}

/// The state of the bot's side.
struct Conversation {
    bot: Bot,
    tasks: Sender<Task>,
    /// What is being thought about.
    task: Option<Arc<TaskState>>,
    /// What came of it.
    thought: Option<Thought>,
    /// Whether the position has changed since the last task.
    has_changed: bool,
    /// Suggestions that are still wanted.
    owed: usize,
}

impl Conversation {
    /// Stops thinking about a position of the past.
    fn forget(&mut self) {
        if let Some(task) = self.task.take() {
            task.cancelled.store(true, Relaxed);
        }
        self.thought = None;
        self.has_changed = true;
    }

    /// Starts to think about the position, if it is new.
    fn think(&mut self) {
        if !std::mem::take(&mut self.has_changed) {
            return;
        }
        let Some(View { rules, position }) = self.bot.view() else { return };
        let state = Arc::new(TaskState { asked: AtomicBool::new(self.owed > 0), ..TaskState::default() });
        // If nobody takes it, the failure is heard of.
        let _ =
            self.tasks.send(Task { position: position.clone(), rules: rules.clone(), state: state.clone() });
        self.task = Some(state);
    }

    /// A suggestion is wanted.
    fn ask(&mut self) {
        self.owed += 1;
        if let Some(task) = &self.task {
            task.asked.store(true, Relaxed);
        }
    }

    /// Keeps a thought, unless it is about a position of the past.
    fn found(&mut self, thought: Thought) {
        if self.task.as_ref().is_some_and(|task| Arc::ptr_eq(task, &thought.state)) {
            self.thought = Some(thought);
        }
    }

    /// The suggestion that is wanted, if it can be made now. Each `suggest` gets one, about the newest position.
    fn suggestion(&self) -> Option<BotMessage> {
        if self.owed == 0 {
            return None;
        }
        match (self.bot.view(), &self.thought) {
            // The game ended after the question.
            (None, _) => Some(Bot::suggestion(&[], None)),
            (Some(_), thought) => {
                thought.as_ref().map(|thought| Bot::suggestion(&thought.moves, Some(thought.info.clone())))
            }
        }
    }
}

fn send(writer: &mut impl Write, message: &BotMessage) -> Result<()> {
    let line = message.to_line() + "\n";
    writer.write_all(line.as_bytes()).and_then(|()| writer.flush()).context("can't write to standard output")
}

/// Reads lines until there are no more, or nobody listens.
fn read(mut reader: impl BufRead, events: &SyncSender<Event>) {
    loop {
        let line = match read_line(&mut reader, MAX_LINE_BYTES) {
            Ok(Line::TooLong) => reader.skip_until(b'\n').map(|_| Line::TooLong),
            line => line,
        };
        let is_last = !matches!(line, Ok(Line::Text(_) | Line::TooLong));
        if events.send(Event::Read(line)).is_err() || is_last {
            return;
        }
    }
}

/// Thinks about one task after the other.
fn think(
    mut agent: Box<dyn Agent + Send>,
    budget: Budget,
    tasks: &Receiver<Task>,
    events: &SyncSender<Event>,
) {
    /// Says that thinking has ended, also if it panicked.
    struct Ending<'e>(&'e SyncSender<Event>);

    impl Drop for Ending<'_> {
        fn drop(&mut self) {
            // Nobody listens after the end.
            let _ = self.0.send(Event::Failed);
        }
    }

    let _ending = Ending(events);
    for Task { position, rules, state } in tasks {
        if state.cancelled.load(Relaxed) {
            continue;
        }
        let began = Instant::now();
        let (nodes, patience) = match budget {
            Budget::Asked => (None, Some(Duration::ZERO)),
            Budget::Time(time) => (None, Some(time)),
            Budget::Nodes(nodes) => (Some(nodes), None),
        };
        let task = state.clone();
        let stop = move || {
            let is_enough = || patience.is_some_and(|patience| began.elapsed() >= patience);
            task.cancelled.load(Relaxed) || task.asked.load(Relaxed) && is_enough()
        };
        agent.limit(Limits { nodes, stop: Some(Arc::new(stop)) });
        let nodes_before = agent.nodes();
        let moves = agent.rank(&View { rules: &rules, position: &position });
        let nodes = agent.nodes().zip(nodes_before).map(|(after, before)| (after - before) as f64);
        let nps = nodes.map(|nodes| (nodes / began.elapsed().as_secs_f64().max(1e-9)).round());
        let info = MoveInfo { nodes, nps, ..MoveInfo::default() };
        if events.send(Event::Found(Thought { state, moves, info })).is_err() {
            return;
        }
    }
}
