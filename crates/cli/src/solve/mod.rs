//! `tetrion solve`: optimal play on small boards.
//!
//! | file | holds |
//! |---|---|
//! | `solve/mod.rs` | the command and its options |
//! | `solve/calculation.rs` | a long calculation: its progress, Ctrl-C, its checkpoint |
//! | `solve/report.rs` | the report |
//! | `solve/plots.rs` | the plots |

mod calculation;
mod plots;
mod report;

use crate::interrupt::Interrupted;
use crate::setup::{board_size, find_player};
use crate::{UsageError, output};
use anyhow::{Context, Result, bail};
use calculation::LongCalculation;
use report::{Against, AtBoard, ExpectedRows, Report, SurvivalChance, drawing};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tetrion::Player;
use tetrion_dataset::{Format, solution};
use tetrion_exact::game::{Bits, LOST, PlacementIndex};
use tetrion_exact::solve::{self, Expected, average};
use tetrion_exact::{Chain, Model, PieceSet, Policy, SmallGame, agents};
use tetrion_players::catalogue::AgentSpec;

/// What to solve.
#[derive(clap::Args)]
pub struct Options {
    /// The pieces and their rules: tiny, classic, or a file of drawn shapes
    #[arg(long)]
    game: String,
    /// Columns and rows of the board; several boards make a table
    #[arg(long = "board", value_name = "WxH,…", value_delimiter = ',', required = true, value_parser = board_size)]
    boards: Vec<(u8, u8)>,
    /// Placements in a game [default: until it is lost]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    stages: Option<u64>,
    /// How pieces are drawn: uniform, cycle, or a CSV file with a row of probabilities for each piece
    #[arg(long, default_value = "uniform")]
    chain: String,
    /// The first piece [default: the average over all]
    #[arg(long, value_name = "PIECE")]
    first: Option<String>,
    /// Agents to compare with optimal play
    #[arg(long, value_name = "AGENT,…", value_delimiter = ',')]
    against: Vec<String>,
    /// Print the probability that optimal play survives 1, 2, 5, 10, 20 … placements, up to this many
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    survive: Option<u32>,
    /// Show the best placement of each piece on this board, drawn from the top, such as "#../##."
    #[arg(long, value_name = "ROWS")]
    at: Option<String>,
    /// The greatest error of the result, for games until loss
    #[arg(long, default_value_t = 1e-6, value_parser = tolerance)]
    tolerance: f64,
    /// Write the decisions to this file, for tetrion run exact:FILE
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Write the value and the decision of every board and piece to this file, which ends in .parquet or .csv
    ///
    /// With --stages, for every stage. docs/DATA_DICTIONARY.md says what each column means.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Save progress to this file every minute, and resume from it if it exists
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Draw plots into this folder
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Simulated games in the plots
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    games: u64,
    /// Random seed of the simulated games
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Number of threads [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

fn tolerance(text: &str) -> Result<f64, String> {
    let tolerance = text.parse().ok().filter(|tolerance| (1e-12..=1e3).contains(tolerance));
    tolerance.ok_or_else(|| format!("'{text}' is not a number from 1e-12 to 1000"))
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let pieces = read_pieces(&options.game)?;
    let chain = read_chain(&options.chain, &pieces)?;
    let first = match &options.first {
        None => None,
        Some(name) => Some(pieces.find(name).ok_or_else(|| unknown_piece(name, &pieces))?),
    };
    check(&options, &pieces)?;
    let against: Vec<AgentSpec> =
        options.against.iter().map(|name| judged_agent(name)).collect::<Result<_>>()?;
    let threads = usize::from(options.threads.unwrap_or(0));
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().context("can't start threads")?;
    let calculation = LongCalculation::start()?;
    let task = SolveTask { options: &options, pieces, chain, first, against, calculation };
    let mut reports = Vec::new();
    for &(width, height) in &options.boards {
        let report = task.solve(width.into(), height.into()).map_err(|error| {
            match task.calculation.monitor().is_stopped() {
                true => Interrupted(format!("{error:#}")).into(),
                false => error,
            }
        })?;
        if options.boards.len() > 1 && !options.json {
            report::print_row(&report, reports.is_empty())?;
        }
        reports.push(report);
    }
    match (&reports[..], options.json) {
        ([report], true) => output::json(report),
        (reports, true) => output::json(&reports),
        ([report], false) => report::print(report),
        _ => Ok(()),
    }
}

fn check(options: &Options, pieces: &PieceSet) -> Result<(), UsageError> {
    let wrong = |reason: &str| Err(UsageError(reason.to_owned()));
    let for_one_board = options.at.is_some()
        || options.policy.is_some()
        || options.table.is_some()
        || options.checkpoint.is_some()
        || options.plots.is_some();
    if options.boards.len() > 1 && for_one_board {
        return wrong(
            "--at, --policy, --table, --checkpoint and --plots work with one board: give one --board",
        );
    }
    if options.stages.is_some() && options.survive.is_some() {
        return wrong("--survive needs a game until loss: leave out --stages");
    }
    if options.stages.is_some() && options.checkpoint.is_some() {
        return wrong("--checkpoint needs a game until loss: leave out --stages");
    }
    if let Some(table) = &options.table {
        Format::of(table).map_err(|error| UsageError(error.to_string()))?;
    }
    for path in options.policy.iter().chain(&options.table).chain(&options.checkpoint) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        // Fail now rather than after hours.
        if path.is_dir() || tempfile::NamedTempFile::new_in(folder).is_err() {
            return Err(UsageError(format!(
                "can't write {}: choose a file in a folder you can write to",
                path.display()
            )));
        }
    }
    if let Some(folder) = &options.plots
        && let Err(error) = std::fs::create_dir_all(folder)
    {
        return Err(UsageError(format!("can't create the folder {}: {error}", folder.display())));
    }
    if !options.against.is_empty() && *pieces != PieceSet::classic() {
        return wrong("agents only play the seven tetrominoes: --against needs --game classic");
    }
    Ok(())
}

fn read_pieces(game: &str) -> Result<PieceSet> {
    match game {
        "tiny" => Ok(PieceSet::tiny()),
        "classic" => Ok(PieceSet::classic()),
        path => read_text(path, "--game takes tiny, classic, or a file of drawn shapes")?
            .parse()
            .with_context(|| format!("can't use {path}")),
    }
}

fn read_chain(chain: &str, pieces: &PieceSet) -> Result<Chain> {
    match chain {
        "uniform" => Ok(Chain::uniform(pieces.count())),
        "cycle" => Ok(Chain::cycle(pieces.count())),
        path => {
            let text = read_text(path, "--chain takes uniform, cycle, or a CSV file of probabilities")?;
            Chain::parse(&text, pieces).with_context(|| format!("can't use {path}"))
        }
    }
}

fn read_text(path: &str, choices: &str) -> Result<String> {
    if !Path::new(path).exists() {
        return Err(UsageError(format!("there is no file '{path}': {choices}")).into());
    }
    Ok(tetrion_files::read_text(Path::new(path))?)
}

fn unknown_piece(name: &str, pieces: &PieceSet) -> UsageError {
    let names: Vec<_> = pieces.kinds().iter().map(|kind| kind.name()).collect();
    UsageError(format!("this game has no piece '{name}': choose {}", names.join(", ")))
}

/// An agent whose decisions can be evaluated: a deterministic one.
fn judged_agent(name: &str) -> Result<AgentSpec> {
    match find_player(name)? {
        Player::Agent(AgentSpec::Random) => {
            let reason =
                "the agent random can't be evaluated: --against needs agents that always decide the same way";
            Err(UsageError(reason.to_owned()).into())
        }
        Player::Agent(spec) => Ok(spec),
        Player::Exact(_) => {
            let reason = "a policy is what agents are compared with: give --against agents";
            Err(UsageError(reason.to_owned()).into())
        }
    }
}

/// The game to solve, on one board after the other.
struct SolveTask<'o> {
    options: &'o Options,
    pieces: PieceSet,
    chain: Chain,
    first: Option<usize>,
    against: Vec<AgentSpec>,
    calculation: LongCalculation,
}

/// A solved board.
struct SolvedBoard {
    expected: Expected,
    sweeps: usize,
    /// The values of the boards after the first placement.
    values: Vec<f64>,
    /// Decisions by placements to go, if they are kept. Until loss there is one table.
    tables: Vec<Vec<PlacementIndex>>,
}

impl SolveTask<'_> {
    fn solve(&self, width: usize, height: usize) -> Result<Report> {
        let options = self.options;
        let start = Instant::now();
        let game = SmallGame::new(self.pieces.clone(), width, height)
            .map_err(|error| UsageError(error.to_string()))?;
        let at = match &options.at {
            None => None,
            Some(rows) => Some(game.read(rows).map_err(|error| UsageError(error.to_string()))?),
        };
        if !self.against.is_empty() {
            agents::classic_rules(&game).start().map_err(|error| UsageError(error.to_string()))?;
        }
        let model = self.calculation.model(game, self.chain.clone())?;
        if at.is_some_and(|at| !model.boards().contains(model.game(), at)) {
            return Err(UsageError("the board of --at is not reachable in this game".to_owned()).into());
        }
        let solved = match options.stages {
            Some(stages) => self.within(&model, stages)?,
            None => self.until_loss(&model)?,
        };
        let seconds = start.elapsed().as_secs_f64();
        self.write_policy(&model, &solved)?;
        self.write_table(&model, &solved)?;
        let survival = match options.survive {
            None => Vec::new(),
            Some(most) => self.survival(&model, &solved.tables[0], most)?,
        };
        let against = self.against.iter().map(|entry| self.judge(entry, &model, &solved.expected));
        let mut report = Report {
            game: options.game.clone(),
            board: format!("{width}x{height}"),
            stages: options.stages,
            chain: options.chain.clone(),
            first: self.first.map(|piece| self.name(piece)),
            pieces: (0..self.pieces.count()).map(|piece| self.name(piece)).collect(),
            boards: model.boards().reachable_count(),
            boards_kept: model.boards().kept(),
            states: model.boards().reachable_count() * self.pieces.count(),
            memory_bytes: calculation::bytes(&model, options.stages.is_none(), &solved.tables),
            sweeps: solved.sweeps,
            expected: self.rows(&solved.expected),
            error_bound: solved.expected.error_bound,
            seconds,
            survival,
            at: at.map_or(Vec::new(), |at| self.at(&model, &solved.values, at)),
            against: against.collect::<Result<_>>()?,
            written: options
                .policy
                .iter()
                .chain(&options.table)
                .map(|path| path.display().to_string())
                .collect(),
        };
        if let Some(folder) = &options.plots {
            let title = self.title(&report.board);
            let mut plots =
                plots::Plots { folder, title, calculation: &self.calculation, written: Vec::new() };
            plots.values(&model, &solved.values)?;
            plots.expected(&model, options.stages, &solved.expected)?;
            let policy = Policy::new(model, options.stages, solved.expected, solved.tables);
            plots.games(&policy, self.first, options.games, options.seed)?;
            report.written.extend(plots.written);
        }
        Ok(report)
    }

    /// Writes the decisions before anything else, which may take long or fail.
    fn write_policy(&self, model: &Model, solved: &SolvedBoard) -> Result<()> {
        let Some(path) = &self.options.policy else { return Ok(()) };
        let SolvedBoard { expected, tables, .. } = solved;
        Ok(tetrion_files::write_whole_with(path, |to| {
            tetrion_exact::file::write_policy(model, self.options.stages, expected, tables, to)
        })?)
    }

    /// Writes the values and the decisions as a table.
    fn write_table(&self, model: &Model, solved: &SolvedBoard) -> Result<()> {
        let Some(path) = &self.options.table else { return Ok(()) };
        self.calculation.tell(format!("writing {}", path.display()));
        let monitor = self.calculation.monitor();
        match self.options.stages {
            Some(stages) => solution::write_stages(path, model, stages, monitor)?,
            None => solution::write_until_loss(path, model, &solved.values, monitor)?,
        };
        Ok(())
    }

    /// The title of the plots.
    fn title(&self, board: &str) -> String {
        format!("{} {}, {} pieces", self.options.game, board.replace('x', "×"), self.options.chain)
    }

    fn name(&self, piece: usize) -> String {
        self.pieces.kinds()[piece].name().to_owned()
    }

    fn rows(&self, expected: &Expected) -> ExpectedRows {
        let mean = self.first.map_or(expected.mean(), |first| expected.by_first_piece[first]);
        ExpectedRows { by_first_piece: expected.by_first_piece.clone(), mean }
    }

    fn within(&self, model: &Model, stages: u64) -> Result<SolvedBoard> {
        let keep = self.options.policy.is_some() || self.options.plots.is_some();
        self.calculation.check_memory(model, false)?;
        let (mut values, mut tables, mut sweeps) = (Vec::new(), Vec::new(), 0);
        let (mut room, mut memory) = (Vec::new(), Ok(()));
        let expected = solve::horizon(
            model,
            stages,
            &mut values,
            keep.then_some(&mut room),
            self.calculation.monitor(),
            |stage, decisions, expected| {
                sweeps += 1;
                if keep {
                    memory = self.calculation.room_for(decisions.len());
                    if memory.is_err() {
                        return ControlFlow::Break(());
                    }
                    tables.push(decisions.to_vec());
                }
                self.calculation
                    .tell(format!("{stage} of {stages} placements, {:.6} rows", average(expected)));
                ControlFlow::Continue(())
            },
        );
        memory.context("the decisions of so many stages don't fit in memory")?;
        let Ok(expected) = expected else { bail!("stopped before the end; nothing was written") };
        Ok(SolvedBoard { expected, sweeps, values, tables })
    }

    fn until_loss(&self, model: &Model) -> Result<SolvedBoard> {
        self.calculation.check_memory(model, true)?;
        let mut values = match &self.options.checkpoint {
            Some(path) if path.exists() => calculation::read_checkpoint(model, path)?,
            _ => Vec::new(),
        };
        let (mut decisions, mut sweeps) = (Vec::new(), 0);
        let mut last = (f64::NAN, f64::INFINITY);
        let mut saved = calculation::Checkpoint::new(self.options.checkpoint.as_deref());
        let solved = solve::until_loss(
            model,
            self.options.tolerance,
            &mut values,
            &mut decisions,
            self.calculation.monitor(),
            |step| {
                sweeps = step.sweeps;
                last = (step.estimate, step.error_bound);
                self.calculation.tell(format!("{:.6} rows ± {:.1e}", step.estimate, step.error_bound));
                saved.now_and_then(model, step.values);
            },
        );
        match solved {
            Ok(expected) => {
                // Report the solution even if the checkpoint can't be written.
                if let Err(error) = saved.save(model, &values) {
                    eprintln!("warning: {error:#}");
                }
                Ok(SolvedBoard { expected, sweeps, values, tables: vec![decisions] })
            }
            Err(solve::NoSolution::Stopped(_)) => {
                saved.save(model, &values)?;
                let known = match last {
                    (rows, off) if off.is_finite() => {
                        format!("stopped at {rows:.6} rows, with an error of at most {off:.1e}")
                    }
                    _ => "stopped before the first result".to_owned(),
                };
                match &self.options.checkpoint {
                    Some(path) => {
                        bail!("{known}; saved in {}: run the same command to resume", path.display())
                    }
                    None => bail!("{known}: use --checkpoint FILE to be able to resume"),
                }
            }
            Err(error) => Err(UsageError(format!("{error}: limit the game with --stages")).into()),
        }
    }

    fn survival(
        &self,
        model: &Model,
        decisions: &[PlacementIndex],
        most: u32,
    ) -> Result<Vec<SurvivalChance>> {
        self.calculation.tell(format!("surviving {most} placements"));
        let chances = solve::survival(model, decisions, most as usize, self.calculation.monitor())
            .context("stopped before the probabilities of survival were known")?;
        let chance = |by_first: &[f64]| self.first.map_or(average(by_first), |first| by_first[first]);
        let told = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10u64.pow(power)));
        let told = told.take_while(|placements| *placements < most.into()).chain([most.into()]);
        let tell = |placements: u64| SurvivalChance {
            placements,
            chance: chance(&chances[placements as usize - 1]),
        };
        Ok(told.map(tell).collect())
    }

    /// Compares an agent with optimal play.
    fn judge(&self, entry: &AgentSpec, model: &Model, optimum: &Expected) -> Result<Against> {
        let monitor = self.calculation.monitor();
        self.calculation.tell(format!("asking {}", entry.name()));
        let (asked, decisions) = agents::ask(model.game(), &self.chain, || entry.agent(0), monitor)
            .with_context(|| format!("can't evaluate {}", entry.name()))?;
        let expected = match self.options.stages {
            Some(stages) => solve::follow_horizon(&asked, &decisions, stages, monitor),
            None => solve::follow_until_loss(&asked, &decisions, self.options.tolerance, monitor),
        };
        let expected = expected.with_context(|| format!("can't evaluate {}", entry.name()))?;
        let (rows, best) = (self.rows(&expected), self.rows(optimum));
        Ok(Against {
            agent: entry.name().to_owned(),
            ratio: if best.mean > 0.0 { rows.mean / best.mean } else { 1.0 },
            expected: rows,
            error_bound: expected.error_bound,
            boards: asked.boards().reachable_count(),
        })
    }

    /// The best placement of each piece on a board.
    fn at(&self, model: &Model, values: &[f64], board: Bits) -> Vec<AtBoard> {
        let game = model.game();
        // Until loss, only the values of reachable boards are known.
        let possible = if self.options.stages.is_none() { model.possible(None) } else { None };
        (0..self.pieces.count())
            .filter(|piece| model.can_come_up(&possible, board, *piece))
            .map(|piece| {
                let (decision, value) = model.best(values, board, piece);
                let successor = game.successor(board, piece, decision);
                let cells = game.resting_cells(board, piece, decision).filter(|_| decision != LOST);
                AtBoard {
                    piece: self.name(piece),
                    value,
                    decision: successor.map(|_| decision),
                    rows: successor.map_or(0, |successor| successor.rows),
                    drawing: drawing(game, board, cells.as_deref().unwrap_or(&[])),
                }
            })
            .collect()
    }
}
