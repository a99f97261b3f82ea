//! Who takes part in a contest.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tetrion_engine::game::{Game, Move};
use tetrion_engine::position::{Position, View};
use tetrion_engine::record::PlacementRecord;
use tetrion_interop::tbp::{Conduct, Fault, Host, NoLegalMove, Process, ProcessLimits, Rules, TbpMove};
use tetrion_players::agent::{Agent, Limits};
use tetrion_players::monitor::StopSignal;

/// What a player may spend on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Time to think.
    pub time: Option<Duration>,
    /// Placements that an agent may judge. Bots have settings of their own.
    pub nodes: Option<u64>,
    /// How much later a bot may answer before it forfeits the game.
    pub patience: Duration,
}

/// Makes the agent for a game with this seed.
type MakeAgent = dyn Fn(u64) -> Box<dyn Agent + Send> + Send + Sync;

/// Someone who takes part in a contest, by any number of games at once.
#[derive(Clone)]
pub enum Entrant {
    /// One of our agents.
    Agent {
        /// Its name.
        name: String,
        /// Makes it.
        make: Arc<MakeAgent>,
    },
    /// A program that speaks TBP.
    Bot {
        /// Its name.
        name: String,
        /// The program and its arguments. There is at least the program.
        command: Vec<String>,
    },
}

impl Entrant {
    /// Its name, before it has said anything.
    pub fn name(&self) -> &str {
        let (Entrant::Agent { name, .. } | Entrant::Bot { name, .. }) = self;
        name
    }

    /// Makes it ready for games. Fails if a bot can't be started.
    pub fn enter(&self, budget: Budget) -> Result<Box<dyn Contestant>, Fault> {
        match self {
            Entrant::Agent { make, .. } => {
                let make = Arc::clone(make);
                Ok(Box::new(AgentContestant { agent: make(0), make, budget }))
            }
            Entrant::Bot { command, .. } => {
                let mut bot = BotContestant::new(command.clone(), budget);
                bot.host()?;
                Ok(Box::new(bot))
            }
        }
    }
}

/// A player in a game. If a call fails, it has lost the game, and can start another.
pub trait Contestant: Send {
    /// A game with this seed begins.
    fn begin(&mut self, seed: u64, view: &View) -> Result<(), Fault>;

    /// Its move. In versus, it may see the other player's position.
    fn choose(&mut self, view: &View, opponent: Option<&Position>) -> Result<Move, Fault>;

    /// Its move was made; this is the game after it.
    fn placed(&mut self, record: &PlacementRecord, game: &Game) -> Result<(), Fault>;

    /// The name by which it introduced itself, if it did.
    fn name(&self) -> Option<String> {
        None
    }

    /// How it behaved, if it is a bot.
    fn conduct(&self) -> Option<Conduct> {
        None
    }
}

struct AgentContestant {
    make: Arc<MakeAgent>,
    agent: Box<dyn Agent + Send>,
    budget: Budget,
}

impl Contestant for AgentContestant {
    fn begin(&mut self, seed: u64, _: &View) -> Result<(), Fault> {
        self.agent = (self.make)(seed);
        Ok(())
    }

    fn choose(&mut self, view: &View, opponent: Option<&Position>) -> Result<Move, Fault> {
        if let Some(opponent) = opponent {
            self.agent.see_opponent(opponent);
        }
        let stop = self.budget.time.map(|time| -> Arc<dyn StopSignal> {
            let end = Instant::now() + time;
            Arc::new(move || Instant::now() >= end)
        });
        self.agent.limit(Limits { nodes: self.budget.nodes, stop });
        self.agent.choose(view).ok_or(Fault::NoLegalMove(NoLegalMove(0)))
    }

    fn placed(&mut self, _: &PlacementRecord, _: &Game) -> Result<(), Fault> {
        Ok(())
    }
}

struct BotContestant {
    command: Vec<String>,
    budget: Budget,
    host: Option<Host<Process>>,
    /// The conduct of earlier processes.
    before: Conduct,
    /// Since when the bot knows the position.
    knows_since: Instant,
    /// What it is told about its last move, and how many pieces that drew.
    answer: Option<(TbpMove, usize)>,
    name: Option<String>,
}

impl BotContestant {
    fn new(command: Vec<String>, budget: Budget) -> BotContestant {
        BotContestant {
            command,
            budget,
            host: None,
            before: Conduct::default(),
            knows_since: Instant::now(),
            answer: None,
            name: None,
        }
    }

    /// The bot, started if it is not running.
    fn host(&mut self) -> Result<&mut Host<Process>, Fault> {
        let host = match self.host.take() {
            Some(host) => host,
            None => {
                let mut command = Command::new(&self.command[0]);
                command.args(&self.command[1..]).stderr(Stdio::null());
                let host = Host::spawn(command, Rules::default(), ProcessLimits::default())?;
                self.name = Some(host.info().name.clone()).filter(|name| !name.is_empty());
                host
            }
        };
        Ok(self.host.insert(host))
    }

    /// Does something with the bot. After a fault, its process ends.
    fn attempt<R>(
        &mut self,
        action: impl FnOnce(&mut Host<Process>) -> Result<R, Fault>,
    ) -> Result<R, Fault> {
        let done = self.host().and_then(action);
        if done.is_err()
            && let Some(host) = self.host.take()
        {
            self.before.add(host.conduct());
        }
        done
    }
}

impl Contestant for BotContestant {
    fn begin(&mut self, _: u64, view: &View) -> Result<(), Fault> {
        self.attempt(|host| host.start(view))?;
        self.knows_since = Instant::now();
        Ok(())
    }

    fn choose(&mut self, view: &View, _: Option<&Position>) -> Result<Move, Fault> {
        if let Some(time) = self.budget.time {
            std::thread::sleep(time.saturating_sub(self.knows_since.elapsed()));
        }
        let deadline = Instant::now() + self.budget.patience;
        let (resolved, _) = self.attempt(|host| host.choose(view, deadline))?;
        let drawn = if resolved.play.hold && view.hold.is_none() { 2 } else { 1 };
        self.answer = Some((resolved.answer, drawn));
        Ok(resolved.play)
    }

    fn placed(&mut self, record: &PlacementRecord, game: &Game) -> Result<(), Fault> {
        let (Some((answer, drawn)), Some(view)) = (self.answer.take(), game.view()) else { return Ok(()) };
        self.attempt(|host| {
            // Few bots know a message for garbage, but all of them can start anew.
            if record.garbage > 0 {
                return host.start(&view);
            }
            host.play(answer)?;
            let drawn = &view.queue[view.queue.len().saturating_sub(drawn)..];
            drawn.iter().try_for_each(|piece| host.new_piece(*piece))
        })?;
        self.knows_since = Instant::now();
        Ok(())
    }

    fn name(&self) -> Option<String> {
        self.name.clone()
    }

    fn conduct(&self) -> Option<Conduct> {
        let mut all = self.before.clone();
        if let Some(host) = &self.host {
            all.add(host.conduct());
        }
        Some(all)
    }
}
