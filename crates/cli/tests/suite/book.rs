//! `tetrion book` as a user types it, mostly while a server uses the book.
#![cfg(unix)]

use crate::common::serving::Serving;
use crate::common::{fails, stacked, tetrion};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A server with games in its book.
struct Site {
    folder: TempDir,
    serving: Serving,
}

impl Site {
    fn new(games: u64) -> Site {
        let folder = tempfile::tempdir().unwrap();
        let serving = Serving::start(&["serve", "--port", "0"], folder.path());
        let site = Site { folder, serving };
        for seed in 0..games {
            assert_eq!(site.post(&stacked(seed, &format!("agent {}", seed % 3))), 201);
        }
        site
    }

    fn post(&self, replay: &[u8]) -> u16 {
        self.serving.client().unwrap().post("/api/scores", replay).unwrap().status
    }

    fn data(&self) -> &str {
        self.folder.path().to_str().unwrap()
    }

    fn file(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// The ids of its scores, in order.
    fn ids(&self) -> Vec<i64> {
        let listed = self.serving.client().unwrap().get("/api/scores?mode=blitz&by=agents").unwrap().json();
        let ids = listed["scores"].as_array().unwrap().iter().map(|score| score["id"].as_i64().unwrap());
        let mut ids: Vec<i64> = ids.collect();
        ids.sort_unstable();
        ids
    }
}

/// Runs the command, which succeeds, and returns what it prints.
fn done(arguments: &[&str]) -> String {
    let output = tetrion(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the command, which fails, and returns what it prints and says.
fn failed(arguments: &[&str]) -> (String, String) {
    let output = tetrion(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).into()
}

/// A folder without a book.
fn empty() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    (folder, path)
}

/// The lines of an export, without the ids.
fn games(export: &str) -> Vec<Value> {
    let parse = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let mut games: Vec<Value> = export.lines().map(parse).collect();
    games.iter_mut().for_each(|game| game["id"] = Value::Null);
    games
}

#[test]
fn a_whole_book_passes_its_check_and_verifies() {
    let site = Site::new(5);
    assert!(done(&["book", "check", "--data", site.data()]).contains("not damaged, 5 games"));
    assert_eq!(done(&["book", "verify", "--data", site.data()]), "5 games verified\n");
}

#[test]
fn an_export_can_be_imported_elsewhere_and_twice_changes_nothing() {
    let site = Site::new(5);
    let export = done(&["book", "export", "--data", site.data()]);
    assert_eq!(export.lines().count(), 5);
    let file = site.file("games.jsonl");
    done(&["book", "export", &file, "--data", site.data()]);
    assert_eq!(fs::read_to_string(&file).unwrap(), export);

    let other = Site::new(1);
    let imported = done(&["book", "import", &file, "--data", other.data()]);
    assert!(imported.starts_with("imported 4 games; 1 in the book already"), "{imported}");
    let imported = done(&["book", "import", &file, "--data", other.data()]);
    assert!(imported.starts_with("imported 0 games; 5 in the book already"), "{imported}");
    assert_eq!(other.ids(), [1, 2, 3, 4, 5]);
    let (_folder, fresh) = empty();
    done(&["book", "import", &file, "--data", &fresh]);
    assert_eq!(games(&done(&["book", "export", "--data", &fresh])), games(&export));
}

#[test]
fn marks_tickets_and_times_travel_with_a_game() {
    let site = Site::new(2);
    let export = done(&["book", "export", "--data", site.data()]);
    let mut lines = games(&export);
    lines[0]["unverified"] = "played without a ticket".into();
    lines[1]["ticket"] = "AAECAwQFBgcICQoLDA0ODw==".into();
    lines[1]["at"] = 1_234_567_890.into();
    let file = site.file("games.jsonl");
    fs::write(&file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let (_folder, other) = empty();
    done(&["book", "import", &file, "--data", &other]);
    assert_eq!(games(&done(&["book", "export", "--data", &other])), lines);
    let same_ticket = lines.iter().map(|line| {
        let mut line = line.clone();
        line["ticket"] = "AAECAwQFBgcICQoLDA0ODw==".into();
        format!("{line}\n")
    });
    fs::write(&file, same_ticket.collect::<String>()).unwrap();
    let (_folder, other) = empty();
    let (printed, said) = failed(&["book", "import", &file, "--data", &other]);
    assert!(
        printed.starts_with("imported 1 game;") && said.contains("a ticket is good for one game"),
        "{said}"
    );
}

#[test]
fn a_game_that_does_not_verify_is_not_imported_and_a_line_that_is_no_game_stops_the_import() {
    let site = Site::new(3);
    let export = done(&["book", "export", "--data", site.data()]);
    let mut lines: Vec<Value> = games(&export);
    lines[1]["replay"] = lines[1]["replay"].as_str().unwrap().replacen("VEVUUklPTg", "VEVUUklPTw", 1).into();
    let file = site.file("games.jsonl");
    fs::write(&file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let (_folder, other) = empty();
    let (printed, said) = failed(&["book", "import", &file, "--data", &other]);
    assert!(printed.starts_with("imported 2 games;") && printed.ends_with("1 refused\n"), "{printed}");
    assert!(said.contains("line 2: "), "{said}");

    let (folder, other) = empty();
    for (broken, words) in [
        ("no game at all\n", "line 4 is not a game"),
        ("{\"at\": 0, \"replay\": \"*\"}\n", "line 4"),
        ("{\"at\": 0, \"ticket\": \"AA==\", \"replay\": \"\"}\n", "a ticket has 16 bytes"),
        ("{\"at\": 0", "cut off"),
        (&format!("{}\n", "x".repeat(2 << 20)), "longer than 1048576 bytes"),
    ] {
        fs::write(&file, format!("{export}{broken}")).unwrap();
        fails(&["book", "import", &file, "--data", &other], 1, words);
        assert!(!folder.path().join("scores.sqlite").exists(), "nothing was imported");
    }
}

#[test]
fn scores_are_removed_by_number_and_by_player_all_or_none() {
    let site = Site::new(7);
    fails(
        &["book", "remove", "2", "99", "--data", site.data()],
        1,
        "there is no score 99: nothing was removed",
    );
    assert_eq!(site.ids().len(), 7);
    let printed = done(&["book", "remove", "2", "3", "--data", site.data()]);
    assert!(printed.starts_with("removed score 2: blitz by agent 1, "), "{printed}");
    assert_eq!(site.ids(), [1, 4, 5, 6, 7]);
    let printed = done(&["book", "remove", "--player", "agent 0", "--data", site.data()]);
    assert_eq!((printed.lines().count(), site.ids()), (3, vec![5, 6]));
    fails(&["book", "remove", "--player", "agent 0", "--data", site.data()], 1, "no score by 'agent 0'");
    fails(&["book", "remove", "--data", site.data()], 2, "required");
    assert_eq!(site.post(&stacked(0, "agent 0")), 201, "what was removed can come back");
    assert_eq!(site.ids(), [5, 6, 8], "numbers are not used again");
}

#[test]
fn a_backup_made_while_games_arrive_is_a_whole_book() {
    let site = Site::new(3);
    let file = site.file("backup.sqlite");
    std::thread::scope(|scope| {
        let posting =
            scope.spawn(|| (3..60).for_each(|seed| assert_eq!(site.post(&stacked(seed, "agent")), 201)));
        done(&["book", "backup", &file, "--data", site.data()]);
        posting.join().unwrap();
    });
    let (folder, restored) = empty();
    fs::copy(&file, folder.path().join("scores.sqlite")).unwrap();
    assert!(done(&["book", "check", "--data", &restored]).contains("not damaged"));
    let games = done(&["book", "export", "--data", &restored]).lines().count();
    assert!((3..=60).contains(&games), "{games} games");
    let serving = Serving::start(&["serve", "--port", "0"], folder.path());
    assert_eq!(serving.client().unwrap().post("/api/scores", &stacked(100, "agent")).unwrap().status, 201);
}

#[test]
fn a_backup_that_does_not_fit_leaves_the_old_one_in_place() {
    let site = Site::new(200);
    let file = site.file("backup.sqlite");
    done(&["book", "backup", &file, "--data", site.data()]);
    let before = fs::read(&file).unwrap();
    let names = || fs::read_dir(site.folder.path()).unwrap().count();
    let count = names();
    // No file may grow beyond 64 KiB.
    assert!(before.len() > 64 << 10);
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" book backup \"$1\" --data \"$2\"";
    let mut limited = Command::new("bash");
    limited.args(["-c", script, env!("CARGO_BIN_EXE_tetrion"), &file, site.data()]);
    let output = limited.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && said.contains("can't write"), "{said}");
    assert_eq!((fs::read(&file).unwrap(), names()), (before, count));
}

#[test]
fn a_damaged_book_is_reported_not_served_not_backed_up_and_what_is_left_can_be_exported() {
    let Site { folder, serving } = Site::new(60);
    serving.interrupt();
    let data = folder.path().to_str().unwrap();
    let book = folder.path().join("scores.sqlite");
    let backup = folder.path().join("backup.sqlite").to_str().unwrap().to_owned();
    done(&["book", "backup", &backup, "--data", data]);
    let good = fs::read(&backup).unwrap();
    damage(&book, &stacked(30, "agent 0"));

    let (printed, said) = failed(&["book", "check", "--data", data]);
    assert!(!printed.is_empty() && said.contains("is damaged: restore a backup"), "{printed}{said}");
    fails(&["serve", "--port", "0", "--data", data], 1, "'tetrion book export'");
    fails(&["book", "backup", &backup, "--data", data], 1, "is damaged, so it was not backed up");
    assert_eq!(fs::read(&backup).unwrap(), good);
    fails(&["book", "remove", "1", "--data", data], 1, "is damaged");
    let (printed, said) = failed(&["book", "export", "--data", data]);
    assert!((30..60).contains(&printed.lines().count()) && said.contains("can't be read"), "{said}");
    let (printed, _) = failed(&["book", "verify", "--data", data]);
    assert!(printed.contains("can't be read"), "{printed}");
}

/// Overwrites the page that holds a replay.
fn damage(book: &Path, replay: &[u8]) {
    let mut bytes = fs::read(book).unwrap();
    let at = bytes.windows(replay.len()).position(|part| part == replay).unwrap();
    let page = at / 4096 * 4096;
    bytes[page..page + 4096].fill(0xff);
    fs::write(book, bytes).unwrap();
}

#[test]
fn what_is_no_book_is_refused() {
    let (folder, data) = empty();
    let file = folder.path().join("games.jsonl").to_str().unwrap().to_owned();
    for command in ["check", "export", "verify"] {
        fails(&["book", command, "--data", &data], 1, "there is no score book");
    }
    fails(&["book", "remove", "1", "--data", &data], 1, "there is no score book");
    fails(&["book", "backup", &file, "--data", &data], 1, "there is no score book");
    fails(&["book", "import", &file, "--data", &data], 1, "can't read");
    let book = folder.path().join("scores.sqlite");
    assert!(!book.exists() && !Path::new(&file).exists());
    fs::write(&book, "a text of mine, and not a database of any kind").unwrap();
    for command in ["check", "export", "verify"] {
        fails(&["book", command, "--data", &data], 1, "is not a score book");
    }
}

#[test]
fn nothing_replaces_the_book_itself() {
    let site = Site::new(1);
    let book = site.file("scores.sqlite");
    fails(&["book", "backup", &book, "--data", site.data()], 2, "is the score book itself");
    fails(&["book", "export", &book, "--data", site.data()], 2, "is the score book itself");
    let nowhere = site.file("nowhere/backup.sqlite");
    fails(&["book", "backup", &nowhere, "--data", site.data()], 1, "can't write");
    assert_eq!(site.ids(), [1]);
}

#[test]
fn a_pipe_that_is_closed_early_is_no_error() {
    let site = Site::new(3);
    let mut export = Command::new(env!("CARGO_BIN_EXE_tetrion"));
    export.args(["book", "export", "--data", site.data()]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = export.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panic"));
    assert_eq!(output.status.code(), Some(0));
}
