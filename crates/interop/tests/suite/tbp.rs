//! Bots that misbehave, each a shell script in a process of its own, and what the host makes of them.
#![cfg(unix)]

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tetrion_engine::board::Board;
use tetrion_engine::location::Spin;
use tetrion_engine::piece::Piece;
use tetrion_engine::position::{Position, View};
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_interop::tbp::{
    Fault, Host, NoLegalMove, Process, ProcessLimits, Resolved, Rules, Suggestion, kill_all,
};

/// Longer than anything takes that has an end.
const LONG: Duration = Duration::from_secs(120);
/// For what has none.
const SHORT: Duration = Duration::from_millis(20);

const INFO: &str = r#"echo '{"type":"info","name":"script","version":"1","author":"us","features":null}'"#;
const READY: &str = r#"read -r rules; echo '{"type":"ready"}'; read -r start"#;

/// A flat T in a column, and whether it is claimed to be a spin.
fn t_at(x: i32, spin: &str) -> String {
    format!(r#"{{"location":{{"type":"T","orientation":"north","x":{x},"y":0}},"spin":"{spin}"}}"#)
}

/// Sends a suggestion of these moves.
fn suggest(moves: &[String]) -> String {
    format!(r#"echo '{{"type":"suggestion","moves":[{}]}}'"#, moves.join(","))
}

fn limits() -> ProcessLimits {
    ProcessLimits { handshake: LONG, ..ProcessLimits::default() }
}

fn spawn(script: &str, limits: ProcessLimits) -> Result<Host<Process>, Fault> {
    let mut command = Command::new("sh");
    command.args(["-c", script]).stderr(Stdio::null());
    Host::spawn(command, Rules::default(), limits)
}

/// A bot that goes on like this after `start`.
fn started(script: &str, limits: ProcessLimits) -> Host<Process> {
    let mut host = spawn(&format!("{INFO}; {READY}; {script}"), limits).unwrap();
    with_view(|view| host.start(view)).unwrap();
    host
}

fn with_view<R>(act: impl FnOnce(&View) -> R) -> R {
    let position = Position::new(Board::guideline(), vec![Piece::T, Piece::O]);
    act(&View { rules: &Ruleset::new(Mode::Practice), position: &position })
}

fn choose(host: &mut Host<Process>, patience: Duration) -> Result<(Resolved, Suggestion), Fault> {
    with_view(|view| host.choose(view, Instant::now() + patience))
}

/// The processes of a group that have not ended.
fn living(group: u32) -> Vec<String> {
    let stats = fs::read_dir("/proc").unwrap().flatten();
    let stats = stats.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    // After the name in brackets: the state, the parent, the group.
    let belongs = |stat: &String| {
        let fields: Vec<&str> =
            stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
        fields.get(2) == Some(&group.to_string().as_str()) && fields[0] != "Z"
    };
    stats.filter(belongs).collect()
}

/// Waits until all processes of a group have ended: a killed process takes a moment.
fn all_end(group: u32) -> bool {
    let deadline = Instant::now() + LONG;
    while !living(group).is_empty() {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::yield_now();
    }
    true
}

#[test]
fn a_good_bot_introduces_itself_and_makes_moves() {
    let script =
        format!("read -r suggest; {}; read -r play; echo \"$play\" >&2; cat", suggest(&[t_at(4, "none")]));
    let mut host = started(&script, limits());
    assert_eq!((host.info().name.as_str(), host.info().features.len()), ("script", 0));
    let (resolved, suggestion) = choose(&mut host, LONG).unwrap();
    assert_eq!((resolved.illegal, resolved.wrong_spin, suggestion.moves.len()), (0, false, 1));
    host.play(resolved.answer).unwrap();
    assert_eq!(host.conduct().to_string(), "1 suggestion");
}

#[test]
fn a_missing_program_is_reported_by_its_name() {
    let fault = Host::spawn(Command::new("no-such-bot"), Rules::default(), limits()).err().unwrap();
    assert!(matches!(&fault, Fault::NotStarted(reason) if reason.contains("no-such-bot")), "{fault}");
}

#[test]
fn a_bot_that_dies_is_reported_with_its_exit_status() {
    let died = |exit: &str| Some(Fault::Died(exit.to_owned()));
    assert_eq!(spawn("exit 3", limits()).err(), died("exit status 3"));
    assert_eq!(spawn(&format!("{INFO}; kill -9 $$"), limits()).err(), died("signal 9"));
    let mut host = started("read -r suggest; exit 4", limits());
    assert_eq!(choose(&mut host, LONG).err(), died("exit status 4"));
    assert_eq!(choose(&mut host, LONG).err(), died("exit status 4"), "it stays dead");
    assert_eq!(host.conduct().faults["died"], 2);
}

#[test]
fn a_bot_whose_child_keeps_the_output_open_is_dead_too() {
    let mut host = started("read -r suggest; sleep 1000 & exit 5", limits());
    // The end of the process is not seen before the deadline, because its output is still open.
    let fault = loop {
        match choose(&mut host, SHORT) {
            Err(Fault::TimedOut { .. }) => {}
            other => break other.err(),
        }
    };
    assert_eq!(fault, Some(Fault::Died("exit status 5".to_owned())));
    let group = host.process().id();
    drop(host);
    assert!(all_end(group), "{:?}", living(group));
}

#[test]
fn a_bot_that_stalls_times_out_and_ends_with_everything_that_it_started() {
    let patience = ProcessLimits { handshake: SHORT, ..limits() };
    let timed_out = |wanted, waited| Some(Fault::TimedOut { wanted, waited });
    assert_eq!(spawn("exec sleep 1000", patience).err(), timed_out("info", SHORT));
    let mut host = started("trap '' TERM INT HUP; sleep 1000 & (sleep 1000 & wait) & wait", limits());
    let fault = choose(&mut host, SHORT).err().unwrap();
    assert!(matches!(fault, Fault::TimedOut { wanted: "suggestion", .. }), "{fault}");
    let group = host.process().id();
    drop(host);
    assert!(all_end(group), "{:?}", living(group));
}

#[test]
fn garbage_is_reported_and_the_bot_can_go_on() {
    let answer = suggest(&[t_at(4, "none")]);
    let script = format!("read -r s; echo 'thinking about it...'; {answer}; read -r s; {answer}; cat");
    let mut host = started(&script, limits());
    assert_eq!(choose(&mut host, LONG).err(), Some(Fault::Malformed("thinking about it...".to_owned())));
    assert!(choose(&mut host, LONG).is_ok());
}

#[test]
fn messages_that_are_unknown_are_ignored() {
    let script =
        format!("read -r suggest; echo; echo '{{\"type\":\"chat\"}}'; {}; cat", suggest(&[t_at(4, "none")]));
    assert!(choose(&mut started(&script, limits()), LONG).is_ok());
}

#[test]
fn a_flood_is_cut_off() {
    let few = ProcessLimits { waiting_lines: 8, ..limits() };
    // Nobody reads meanwhile, so it has to overflow.
    let mut host = started("yes '{\"type\":\"chat\"}'", few);
    let group = host.process().id();
    assert!(all_end(group));
    assert_eq!(choose(&mut host, LONG).err(), Some(Fault::Flood(8)));
}

#[test]
fn a_line_without_end_is_cut_off() {
    let short = ProcessLimits { line_bytes: 1_000, ..limits() };
    let mut host = started("cat /dev/zero", short);
    assert_eq!(choose(&mut host, LONG).err(), Some(Fault::LineTooLong(1_000)));
}

#[test]
fn a_bot_that_does_not_read_does_not_block_the_host() {
    let mut host = started("exec sleep 1000", limits());
    let fault = loop {
        if let Err(fault) = with_view(|view| host.start(view)) {
            break fault;
        }
    };
    assert_eq!(fault, Fault::Deaf);
}

#[test]
fn a_bot_that_refuses_the_rules_says_why() {
    let script =
        format!("{INFO}; read -r rules; echo '{{\"type\":\"error\",\"reason\":\"unsupported_rules\"}}'; cat");
    assert_eq!(spawn(&script, limits()).err(), Some(Fault::Refused("unsupported_rules".to_owned())));
}

#[test]
fn an_empty_answer_is_asked_for_again() {
    let empty = suggest(&[]);
    let script =
        format!("read -r s; {empty}; read -r s; {empty}; read -r s; {}; cat", suggest(&[t_at(4, "none")]));
    let mut host = started(&script, limits());
    assert!(choose(&mut host, LONG).is_ok());
    assert_eq!((host.conduct().empty, host.conduct().suggestions), (2, 1));
    let mut silent =
        started("while read -r s; do echo '{\"type\":\"suggestion\",\"moves\":[]}'; done", limits());
    assert!(matches!(choose(&mut silent, SHORT), Err(Fault::TimedOut { .. })));
}

#[test]
fn a_late_answer_is_thrown_away() {
    // It answers the first question only after the second: the moves differ.
    let (late, good) = (suggest(&[t_at(2, "none")]), suggest(&[t_at(6, "none")]));
    let mut host = started(&format!("read -r s; read -r s; {late}; {good}; cat"), limits());
    assert!(matches!(choose(&mut host, SHORT), Err(Fault::TimedOut { .. })));
    let (resolved, _) = choose(&mut host, LONG).unwrap();
    assert_eq!((resolved.answer.location.x, host.conduct().late), (6, 1));
}

#[test]
fn lies_about_spins_and_illegal_moves_are_found_out() {
    let moves = [t_at(99, "none"), t_at(0, "none"), t_at(4, "full")];
    let mut host = started(
        &format!("read -r s; {}; read -r s; {}; cat", suggest(&moves), suggest(&moves[..2])),
        limits(),
    );
    let (resolved, _) = choose(&mut host, LONG).unwrap();
    assert_eq!((resolved.illegal, resolved.wrong_spin), (2, true));
    assert_eq!((resolved.play.placement.spin(), resolved.answer.spin), (Spin::None, Some(Spin::None)));
    assert_eq!(choose(&mut host, LONG).err(), Some(Fault::NoLegalMove(NoLegalMove(2))));
    let report = "2 suggestions, illegal: 4, wrong spins: 1, no legal move: 1";
    assert_eq!(host.conduct().to_string(), report);
}

#[cfg(target_os = "linux")]
#[test]
fn a_bot_that_eats_memory_is_ended_also_if_a_child_does_it() {
    let little = ProcessLimits { memory_bytes: 64 << 20, ..limits() };
    // `tail` keeps what it reads until a line ends, and none does.
    for script in ["exec tail /dev/zero", "tail /dev/zero; true"] {
        let mut host = started(script, little);
        assert_eq!(choose(&mut host, LONG).err(), Some(Fault::Memory(64 << 20)), "{script}");
        let group = host.process().id();
        drop(host);
        assert!(all_end(group), "{:?}", living(group));
    }
}

/// The part of the next test that runs in a process of its own: it starts a bot, and ends without dropping it.
#[test]
#[ignore = "only the next test runs it"]
fn interrupted_program() {
    let host = started("sleep 1000 & exec sleep 1000", limits());
    println!("group {}", host.process().id());
    kill_all();
    std::process::exit(130);
}

#[test]
fn bots_end_with_an_interrupted_program() {
    let program = std::env::current_exe().unwrap();
    let arguments = ["--exact", "tbp::interrupted_program", "--ignored", "--nocapture"];
    let output = Command::new(program).args(arguments).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let group = printed.lines().find_map(|line| line.split_once("group ")?.1.parse().ok()).unwrap();
    assert!(all_end(group), "{:?}", living(group));
}
