//! `tetrion league`: everybody against everybody, with ratings.

use crate::contest::{ContestOptions, entrant};
use crate::interrupt::{Interrupted, on_interrupt};
use crate::r#match::shortened;
use crate::{UsageError, output, progress};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use tetrion_arena::{Entrant, GameReport, LeagueGame, Series, Standings};
use tetrion_charts::{Ranked, Ranking};
use tetrion_engine::words::counted;

/// The options of `tetrion league`.
#[derive(clap::Args)]
pub struct Options {
    /// The league: a TOML file with players, games, a seed, and a table `contest` with the options of `tetrion match`
    file: PathBuf,
    /// Folder for the games and the reports; a league that was interrupted goes on here [default: the file's name without .toml]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games to play at the same time; each uses two cores while both players think
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// A league as its file describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct League {
    /// Names from `tetrion agents`, files with weights, or tbp:COMMAND.
    players: Vec<String>,
    /// Games between any two of them. They come in pairs.
    #[serde(default = "default_games")]
    games: u64,
    #[serde(default)]
    seed: u64,
    /// The options of `tetrion match`.
    contest: ContestOptions,
}

fn default_games() -> u64 {
    20
}

/// The most players, and games between two of them.
const MAX_PLAYERS: usize = 64;
const MAX_GAMES: u64 = 100_000;

/// The file with the league that is played in a folder, and the one with its games.
const LEAGUE: &str = "league.json";
const GAMES: &str = "games.jsonl";

#[derive(Serialize)]
struct Report<'r> {
    league: &'r League,
    standings: &'r Standings,
}

/// Runs the command.
pub fn run(options: Options) -> Result<()> {
    let league = read_league(&options.file)?;
    let entrants = league.players.iter().map(|name| entrant(name)).collect::<Result<Vec<Entrant>>>()?;
    let folder = options.out.clone().unwrap_or_else(|| options.file.with_extension(""));
    if folder == options.file {
        let reason = "choose a folder with --out: the league's file has no ending to leave out";
        return Err(UsageError(reason.to_owned()).into());
    }
    let games = open_folder(&folder, &league)?;
    let stopped = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&stopped);
    on_interrupt(move || stop.store(true, Relaxed))?;
    let games = play(&league, &entrants, games, &folder, options.threads, &stopped)?;
    let standings = Standings::of(&league.players, &games);
    let text = text(&standings);
    write_reports(&folder, &league, &standings, &text)?;
    if options.json {
        output::json(&Report { league: &league, standings: &standings })?;
    } else {
        output::line(&text)?;
        output::line(format!("reports are in {}", folder.display()))?;
    }
    match stopped.load(Relaxed) {
        true => Err(Interrupted(format!(
            "interrupted after {}: the same command goes on from there",
            counted(standings.games as u64, "game")
        ))
        .into()),
        false => Ok(()),
    }
}

fn read_league(file: &Path) -> Result<League> {
    let text = tetrion_files::read_text(file)?;
    let usage = |reason: String| UsageError(format!("{}: {reason}", file.display()));
    let league: League = toml::from_str(&text).map_err(|error| usage(one_line(&error)))?;
    if !(2..=MAX_PLAYERS).contains(&league.players.len()) {
        return Err(usage(format!("a league has 2 to {MAX_PLAYERS} players")).into());
    }
    for (at, name) in league.players.iter().enumerate() {
        if league.players[..at].contains(name) {
            return Err(usage(format!("{name} is there twice")).into());
        }
    }
    if !(2..=MAX_GAMES).contains(&league.games) || league.games % 2 == 1 {
        return Err(usage(format!("games must be an even number from 2 to {MAX_GAMES}")).into());
    }
    league.contest.contest().map_err(|error| usage(error.to_string()))?;
    Ok(league)
}

fn one_line(error: &toml::de::Error) -> String {
    let message = error.message().replace('\n', " ");
    message.trim().to_owned()
}

/// The games in a folder, which is made if it is not there. A folder with another league is refused.
fn open_folder(folder: &Path, league: &League) -> Result<Vec<LeagueGame>> {
    fs::create_dir_all(folder).with_context(|| format!("can't make the folder {}", folder.display()))?;
    let settings = folder.join(LEAGUE);
    let wanted = serde_json::to_string_pretty(league)?;
    if settings.exists() {
        if tetrion_files::read_text(&settings)? != wanted {
            let reason = format!(
                "{} has games of a league with other players or rules: choose another folder with --out",
                folder.display()
            );
            return Err(UsageError(reason).into());
        }
    } else {
        tetrion_files::write_whole(&settings, wanted.as_bytes())?;
    }
    let file = folder.join(GAMES);
    if !file.exists() {
        return Ok(Vec::new());
    }
    let text = tetrion_files::read_text(&file)?;
    let mut games: Vec<LeagueGame> = Vec::new();
    // A program that was killed may have left half a line at the end. Its game is played again.
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    for (at, line) in whole.lines().enumerate() {
        let game: LeagueGame = serde_json::from_str(line)
            .ok()
            .filter(|game: &LeagueGame| game.players.iter().all(|player| *player < league.players.len()))
            .with_context(|| format!("{}: line {} is not a game of this league", file.display(), at + 1))?;
        games.push(game);
    }
    if whole.len() < text.len() {
        tetrion_files::write_whole(&file, whole.as_bytes())?;
    }
    Ok(games)
}

/// Plays the games that are missing, and appends each to the file as soon as it is over.
fn play(
    league: &League,
    entrants: &[Entrant],
    mut games: Vec<LeagueGame>,
    folder: &Path,
    threads: u16,
    stopped: &AtomicBool,
) -> Result<Vec<LeagueGame>> {
    let (contest, budget) = league.contest.contest()?;
    let pairings: Vec<[usize; 2]> = (0..entrants.len())
        .flat_map(|one| (one + 1..entrants.len()).map(move |other| [one, other]))
        .collect();
    let live = progress::table(league.games * pairings.len() as u64);
    live.set_position(games.len() as u64);
    let path = folder.join(GAMES);
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let file = Mutex::new(file.with_context(|| format!("can't write {}", path.display()))?);
    let trouble: Mutex<Option<anyhow::Error>> = Mutex::default();
    for players in pairings {
        let mut played: Vec<u64> =
            games.iter().filter(|game| game.players == players).map(|game| game.game.index).collect();
        played.sort_unstable();
        // With several threads, games after the first missing one may be there.
        let first = played.iter().enumerate().take_while(|(at, index)| **index == *at as u64).count() as u64;
        let series = Series {
            entrants: players.map(|player| entrants[player].clone()),
            contest: contest.clone(),
            first,
            games: league.games,
            seed: league.seed,
            budget,
            test: None,
            threads: threads.into(),
        };
        let new: Mutex<Vec<LeagueGame>> = Mutex::default();
        let on_game = |game: &GameReport| {
            live.inc(1);
            let game = LeagueGame { players, game: game.clone() };
            if played.contains(&game.game.index) {
                return;
            }
            if let Err(error) = append(&file, &game) {
                trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                stopped.store(true, Relaxed);
            }
            new.lock().unwrap_or_else(PoisonError::into_inner).push(game);
        };
        if first < league.games && !stopped.load(Relaxed) {
            series.play(&on_game, &|| stopped.load(Relaxed))?;
        }
        games.append(&mut new.into_inner().unwrap_or_else(PoisonError::into_inner));
        live.set_message(text(&Standings::of(&league.players, &games)));
    }
    live.finish_and_clear();
    match trouble.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(games),
    }
}

fn append(file: &Mutex<File>, game: &LeagueGame) -> Result<()> {
    let line = format!("{}\n", serde_json::to_string(game)?);
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).context("can't write the game down")
}

/// The standings and the cross table for a terminal.
fn text(standings: &Standings) -> String {
    let mut text = format!(
        "{:>3} {:<28} {:>6} {:>16} {:>6} {:>6} {:>6}\n",
        "", "", "Elo", "95 % interval", "wins", "draws", "losses"
    );
    for (at, player) in standings.players.iter().enumerate() {
        let name = shortened(&player.name);
        let [low, high] = player.rating.ci95;
        let interval = format!("{low:+.0} to {high:+.0}");
        let _ = writeln!(
            text,
            "{:>3} {name:<28} {:>+6.0} {interval:>16} {:>6} {:>6} {:>6}",
            at + 1,
            player.rating.elo,
            player.wins,
            player.draws,
            player.losses
        );
    }
    let _ = write!(text, "\npoints of each row's player against the others\n{:>3} {:<28}", "", "");
    for number in 1..=standings.players.len() {
        let _ = write!(text, " {number:>9}");
    }
    text.push('\n');
    for (at, player) in standings.players.iter().enumerate() {
        let name = shortened(&player.name);
        let _ = write!(text, "{:>3} {name:<28}", at + 1);
        for cell in &player.against {
            let _ = write!(
                text,
                " {:>9}",
                cell.map_or("-".to_owned(), |cell| format!("{} / {}", cell.points, cell.games))
            );
        }
        text.push('\n');
    }
    text
}

fn ranking(standings: &Standings) -> Ranking {
    let rows = standings.players.iter().map(|player| Ranked {
        name: player.name.clone(),
        value: player.rating.elo,
        interval: player.rating.ci95,
    });
    Ranking {
        title: "Ratings with 95 % intervals".to_owned(),
        label: "Elo, 0 is the mean of all players".to_owned(),
        rows: rows.collect(),
    }
}

fn write_reports(folder: &Path, league: &League, standings: &Standings, text: &str) -> Result<()> {
    let ranking = ranking(standings);
    let json = serde_json::to_string_pretty(&Report { league, standings })?;
    let html = html(league, standings, &ranking.svg());
    for (name, bytes) in [
        ("standings.txt", text.as_bytes()),
        ("standings.json", json.as_bytes()),
        ("standings.html", html.as_bytes()),
        ("ratings.svg", ranking.svg().as_bytes()),
        ("ratings.png", &ranking.png()),
    ] {
        tetrion_files::write_whole(&folder.join(name), bytes)?;
    }
    Ok(())
}

/// The report as one page without any other file.
fn html(league: &League, standings: &Standings, chart: &str) -> String {
    let mut rows = String::new();
    let mut cross = String::from("<tr><th></th>");
    for (at, player) in standings.players.iter().enumerate() {
        let [low, high] = player.rating.ci95;
        let _ = write!(
            rows,
            "<tr><td>{}</td><th>{}</th><td>{:+.0}</td><td>{low:+.0} to {high:+.0}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            at + 1,
            escaped(&player.name),
            player.rating.elo,
            player.wins,
            player.draws,
            player.losses
        );
        let _ = write!(cross, "<th>{}</th>", at + 1);
    }
    cross.push_str("</tr>");
    for (at, player) in standings.players.iter().enumerate() {
        let _ = write!(cross, "<tr><th>{} {}</th>", at + 1, escaped(&player.name));
        for cell in &player.against {
            let cell = cell.map_or("–".to_owned(), |cell| format!("{} / {}", cell.points, cell.games));
            let _ = write!(cross, "<td>{cell}</td>");
        }
        cross.push_str("</tr>");
    }
    let settings = escaped(&toml::to_string(league).unwrap_or_default());
    let games = counted(standings.games as u64, "game");
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>League</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body><main>\
         <h1>League</h1><p>{games}. A point for a win, half a point for a draw. Ratings follow from pairs of games on the same \
         pieces, by the model of Bradley and Terry.</p><figure>{chart}</figure>\
         <table><tr><th></th><th>Player</th><th>Elo</th><th>95 % interval</th><th>Wins</th><th>Draws</th><th>Losses</th></tr>\
         {rows}</table><h2>Points of each row's player against the others</h2><table>{cross}</table>\
         <h2>Settings</h2><pre>{settings}</pre></main></body></html>\n"
    )
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#222;background:#fff}\
main{max-width:56rem;margin:auto;padding:1.5rem}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
td,th{padding:.25rem .75rem;text-align:right;border-bottom:1px solid #ccc}th{font-weight:600;text-align:left}\
figure{margin:1.5rem 0;background:#fff;overflow-x:auto}pre{overflow-x:auto}\
@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1d21}td,th{border-color:#444}}";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
