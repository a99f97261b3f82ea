//! Tables as readers find them.
#![allow(clippy::unwrap_used)]

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt8Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use tetrion_dataset::{
    Columns, GameIdentity, MoreColumns, Recorded, Recorder, SCHEMA_KEY, TABLE_KEY, dictionary, record_replay,
    solution,
};
use tetrion_engine::game::{Game, Move};
use tetrion_engine::record::{GameResult, Keys, PlacementRecord};
use tetrion_engine::replay::Replay;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_exact::{Chain, Model, Monitor, PieceSet, SmallGame, solve};
use tetrion_players::catalogue;
use tetrion_players::play::{PlayOptions, play_game};
use tetrion_players::typist;

/// The whole file as one batch.
fn read(path: &Path) -> RecordBatch {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let rows = builder.metadata().file_metadata().num_rows() as usize;
    builder.with_batch_size(rows.max(1)).build().unwrap().next().unwrap().unwrap()
}

fn texts(batch: &RecordBatch, column: &str) -> Vec<Option<String>> {
    batch[column].as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
}

fn sum(batch: &RecordBatch, column: &str) -> u64 {
    batch[column].as_primitive::<UInt32Type>().iter().flatten().map(u64::from).sum()
}

fn identity(number: u64, seed: u64, agent: &str, rules: &Ruleset) -> GameIdentity {
    GameIdentity { number, seed, agent: agent.into(), rules: Arc::new(rules.clone()) }
}

/// Lets `lee` play a short Sprint, and records it.
fn play(recorder: &Recorder, number: u64) -> (GameResult, Replay) {
    let mut rules = Ruleset::for_agents(Mode::Sprint);
    rules.goal.lines = Some(10);
    let seed = 7 + number;
    let mut game = Game::new(rules.clone(), seed).unwrap();
    let mut agent = catalogue::find("lee").unwrap().agent(seed);
    let mut log = recorder.game(identity(number, seed, "lee", &rules), &game);
    let mut moves = Vec::new();
    let mut add = |play: Move, record: &PlacementRecord, game: &Game| {
        log.add(record, game, None);
        moves.push(play);
    };
    let mut options = PlayOptions { observers: vec![&mut add], count_keys: true, ..PlayOptions::default() };
    let result = play_game(&mut game, agent.as_mut(), &mut options).unwrap();
    log.finish(result);
    (result, Replay::of_moves(&game, seed, "lee", moves))
}

fn record(folder: &Path, name: &str, more: MoreColumns) -> (Recorded, Vec<(GameResult, Replay)>) {
    let recorder = Recorder::create(&folder.join(name), more).unwrap();
    let played = (0..3).map(|number| play(&recorder, number)).collect();
    (recorder.finish().unwrap(), played)
}

#[test]
fn rows_add_up_to_the_results_of_games() {
    let folder = tempfile::tempdir().unwrap();
    let (recorded, played) =
        record(folder.path(), "rows.parquet", MoreColumns { features: true, choices: false });
    let (rows, games) = (read(&recorded.files.placements), read(&recorded.files.games));
    let total = |part: fn(&GameResult) -> u64| played.iter().map(|(result, _)| part(result)).sum::<u64>();
    assert_eq!(recorded.placements, total(|result| result.pieces));
    assert_eq!((rows.num_rows() as u64, games.num_rows()), (recorded.placements, 3));
    assert_eq!(sum(&rows, "points"), total(|result| result.score));
    assert_eq!(sum(&rows, "keys"), total(|result| result.keys.unwrap()));
    assert_eq!(sum(&games, "keys"), sum(&rows, "keys"));
    let lines: u64 = rows["lines"].as_primitive::<UInt8Type>().iter().flatten().map(u64::from).sum();
    assert_eq!(lines, total(|result| result.lines));
    let pieces: Vec<u64> = games["pieces"].as_primitive::<UInt64Type>().values().to_vec();
    assert_eq!(pieces, played.iter().map(|(result, _)| result.pieces).collect::<Vec<_>>());
    // Every hole that was made is removed or still there.
    let last = rows.num_rows() - 1;
    let made_and_left = |game: usize| {
        let count = |column: &str| u64::from(games[column].as_primitive::<UInt32Type>().value(game));
        count("holes_made") - count("holes_removed")
    };
    assert_eq!(made_and_left(2), u64::from(rows["holes"].as_primitive::<UInt32Type>().value(last)));
    // A feature on the board before a placement is the same feature after the one before it.
    let feature = |column: &str| {
        let values = rows[column].as_primitive::<arrow_array::types::Float32Type>();
        values.iter().take(pieces[0] as usize).collect::<Vec<_>>()
    };
    let (before, after) = (feature("before_row_transitions"), feature("after_row_transitions"));
    assert_eq!(before[1..], after[..after.len() - 1]);
    assert_eq!(before[0], Some(40.0), "both walls of twenty empty rows");
}

#[test]
fn a_file_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (recorded, _) = record(folder.path(), "rows.parquet", MoreColumns::default());
    assert_eq!(recorded.files.games, folder.path().join("rows-games.parquet"));
    for (file, table) in [(&recorded.files.placements, "placements"), (&recorded.files.games, "games")] {
        let batch = read(file);
        let metadata = ParquetRecordBatchReaderBuilder::try_new(File::open(file).unwrap()).unwrap();
        let metadata = metadata.metadata().file_metadata().key_value_metadata().unwrap();
        let value =
            |key: &str| metadata.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.as_deref());
        assert_eq!(value(SCHEMA_KEY), Some("1"));
        assert_eq!(value(TABLE_KEY), Some(table));
        assert!(batch["schema"].as_primitive::<UInt8Type>().values().iter().all(|version| *version == 1));
    }
    let rows = read(&recorded.files.placements);
    for column in [
        "game",
        "seed",
        "agent",
        "index",
        "piece",
        "held",
        "orientation",
        "column",
        "row",
        "spin",
        "lines",
        "clear",
        "points",
        "keys",
    ] {
        assert!(rows.schema().column_with_name(column).is_some(), "{column}");
    }
}

#[test]
fn csv_has_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let (parquet, _) = record(folder.path(), "rows.parquet", MoreColumns::default());
    let (csv, _) = record(folder.path(), "rows.csv", MoreColumns::default());
    let rows = read(&parquet.files.placements);
    let mut reader = csv::Reader::from_path(&csv.files.placements).unwrap();
    let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let names: Vec<String> = rows.schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(header, names);
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), rows.num_rows());
    let column = |name: &str| header.iter().position(|other| other == name).unwrap();
    for (row, (clear, points)) in texts(&rows, "clear")
        .into_iter()
        .zip(rows["points"].as_primitive::<UInt32Type>().values())
        .enumerate()
    {
        assert_eq!(&records[row][column("clear")], clear.as_deref().unwrap_or(""));
        assert_eq!(records[row][column("points")], points.to_string());
    }
}

#[test]
fn a_replay_becomes_the_rows_of_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let (recorded, played) = record(folder.path(), "rows.parquet", MoreColumns::default());
    let recorder = Recorder::create(&folder.path().join("replayed.parquet"), MoreColumns::default()).unwrap();
    for (number, (_, replay)) in played.iter().enumerate() {
        record_replay(&recorder, number as u64, replay).unwrap();
    }
    let replayed = recorder.finish().unwrap();
    assert_eq!(read(&replayed.files.placements), read(&recorded.files.placements));
    assert_eq!(read(&replayed.files.games), read(&recorded.files.games));
}

#[test]
fn a_persons_game_has_times_and_keys() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = Recorder::create(&folder.path().join("person.parquet"), MoreColumns::default()).unwrap();
    let replay = typist::play(Ruleset::new(Mode::Sprint), 1, "Ada", typist::MIN_MEAN);
    record_replay(&recorder, 0, &replay).unwrap();
    let recorded = recorder.finish().unwrap();
    let rows = read(&recorded.files.placements);
    let times = rows["time"].as_primitive::<arrow_array::types::Float64Type>();
    assert_eq!(times.null_count(), 0);
    assert!(times.values().windows(2).all(|pair| pair[0] < pair[1]));
    assert!(texts(&rows, "agent").iter().all(|name| name.as_deref() == Some("Ada")));
    assert!(sum(&rows, "keys") >= sum(&rows, "fewest_keys"));
}

#[test]
fn games_are_written_in_order_whatever_ends_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    let recorder = Recorder::create(&path, MoreColumns::default()).unwrap();
    let rules = Ruleset::for_agents(Mode::Sprint);
    let games: Vec<Game> = (0..3).map(|seed| Game::new(rules.clone(), seed).unwrap()).collect();
    let mut logs: Vec<_> = (0..3)
        .map(|number| recorder.game(identity(number, number, "me", &rules), &games[number as usize]))
        .collect();
    for (mut game, log) in games.into_iter().zip(&mut logs) {
        let placement = game.placements(game.current()).iter().next().unwrap();
        let record = game.play(Move { hold: false, placement }).unwrap();
        log.add(&PlacementRecord { keys: Some(Keys::perfect(1)), ..record }, &game, None);
    }
    let result = GameResult { outcome: None, pieces: 1, lines: 0, score: 0, keys: None };
    // The last ends first. The one in the middle is abandoned, and left out.
    logs.pop().unwrap().finish(result);
    drop(logs.pop().unwrap());
    logs.pop().unwrap().finish(result);
    drop(logs);
    recorder.finish().unwrap();
    let mut reader = csv::Reader::from_path(&path).unwrap();
    let numbers: Vec<String> = reader.records().map(|record| record.unwrap()[1].to_owned()).collect();
    assert_eq!(numbers, ["0", "2"]);
}

#[test]
fn a_recording_that_is_not_finished_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = Recorder::create(&folder.path().join("rows.parquet"), MoreColumns::default()).unwrap();
    play(&recorder, 0);
    drop(recorder);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_file_that_is_not_the_table_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (recorded, played) = record(folder.path(), "rows.parquet", MoreColumns::default());
    let file = &recorded.files.games;
    let games = Columns::read(file, "games", &["pieces", "agent"]).unwrap();
    assert_eq!(games.rows, 3);
    assert_eq!(games.numbers("pieces").unwrap()[0], Some(played[0].0.pieces as f64));
    assert_eq!(games.texts("agent").unwrap()[2].as_deref(), Some("lee"));
    let refusal = |path: &Path, table, column| Columns::read(path, table, &[column]).unwrap_err().to_string();
    assert!(refusal(file, "placements", "pieces").contains("it is a table of games, not of placements"));
    assert!(refusal(file, "games", "hats").contains("it has no column 'hats'"));
    assert!(refusal(&folder.path().join("nothing"), "games", "pieces").contains("can't read"));
    let bytes = fs::read(file).unwrap();
    let half = folder.path().join("half.parquet");
    for length in [0, 3, 11, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&half, &bytes[..length]).unwrap();
        assert!(
            refusal(&half, "games", "pieces").contains("not a Parquet file, or it was cut off"),
            "{length} bytes"
        );
    }
    let foreign = folder.path().join("foreign.parquet");
    let batch = RecordBatch::try_from_iter([("pieces", games_array())]).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(&foreign).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    assert!(refusal(&foreign, "games", "pieces").contains("not a table that tetrion wrote"));
}

fn games_array() -> arrow_array::ArrayRef {
    Arc::new(arrow_array::UInt64Array::from(vec![1, 2, 3]))
}

#[test]
fn a_solution_has_every_stage_board_and_piece() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.parquet");
    let game = SmallGame::new(PieceSet::tiny(), 3, 3).unwrap();
    let (pieces, monitor) = (game.pieces().count(), Monitor::default());
    let model = Model::new(game, Chain::uniform(pieces), &monitor).unwrap();
    let rows = solution::write_stages(&path, &model, 10, &monitor).unwrap();
    assert_eq!(rows as usize, 10 * model.boards().reachable_count() * pieces);
    let table = read(&path);
    // The values of the empty board at the first stage are the rows that the solver expects.
    let mut values = Vec::new();
    let each = |_, _: &[_], _: &[_]| std::ops::ControlFlow::Continue(());
    let expected = solve::horizon(&model, 10, &mut values, None, &monitor, each).unwrap();
    let (stages, boards) = (table["stage"].as_primitive::<UInt64Type>(), texts(&table, "board"));
    let found: Vec<f64> = (0..table.num_rows())
        .filter(|row| stages.value(*row) == 1 && boards[*row].as_deref() == Some(".../.../..."))
        .map(|row| table["value"].as_primitive::<arrow_array::types::Float64Type>().value(row))
        .collect();
    assert_eq!(found, expected.by_first_piece);
}

#[test]
fn the_page_of_the_dictionary_is_the_one_that_the_code_writes() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/DATA_DICTIONARY.md");
    let written = dictionary::dictionary();
    if std::env::var_os("WRITE_DICTIONARY").is_some() {
        fs::write(&page, &written).unwrap();
    }
    assert_eq!(
        fs::read_to_string(&page).unwrap_or_default(),
        written,
        "run WRITE_DICTIONARY=1 cargo test -p tetrion-dataset dictionary to write it"
    );
}
