//! The messages.
//!
//! The crate `tbp` has these types too, but it refuses unknown messages, unknown randomizers and `"features": null`, which real
//! programs send, and it depends on an unmaintained crate.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use tetrion_engine::location::{PieceLocation, Placement, Spin};
use tetrion_engine::piece::{Orientation, Piece};

/// What a host sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum HostMessage {
    /// The rules of all games that follow.
    Rules(Rules),
    /// Think about this position.
    Start(Start),
    /// Suggest moves.
    Suggest,
    /// A move was played.
    Play {
        #[serde(rename = "move")]
        play: TbpMove,
    },
    /// A piece was added to the end of the queue.
    NewPiece { piece: Piece },
    /// Rows were added below the board, the lowest last.
    Garbage { rows: Vec<Row> },
    /// Stop thinking.
    Stop,
    /// Exit.
    Quit,
    /// A message that we don't know, which is ignored.
    #[serde(other)]
    Unknown,
}

/// What a bot sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum BotMessage {
    /// Who the bot is. It sends this first.
    Info(Info),
    /// It can play by the rules.
    Ready,
    /// It can't.
    Error {
        #[serde(default)]
        reason: String,
    },
    /// Moves, best first. `None` is a move that we can't read.
    Suggestion {
        #[serde(default, deserialize_with = "readable_entries")]
        moves: Vec<Option<TbpMove>>,
        #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
        move_info: Option<MoveInfo>,
    },
    /// A message that we don't know, which is ignored.
    #[serde(other)]
    Unknown,
}

/// Who a bot is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Info {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub author: String,
    /// The extensions that it names. None has a name yet, and some bots send `null`.
    #[serde(default, deserialize_with = "or_default")]
    pub features: Vec<String>,
}

/// The rules.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// How pieces are drawn: `uniform`, `seven_bag`, `general_bag` or `unknown`.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub randomizer: Option<String>,
    /// How garbage comes; only `general` is proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub garbage: Option<Value>,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The held piece.
    #[serde(default)]
    pub hold: Option<Piece>,
    /// The current piece and the next ones.
    pub queue: Vec<Piece>,
    /// How many placements in a row cleared lines.
    #[serde(default)]
    pub combo: u32,
    /// Whether a tetris or T-spin would be back-to-back.
    #[serde(default)]
    pub back_to_back: bool,
    /// The rows of the board, the lowest first.
    pub board: Vec<Row>,
    /// How pieces are drawn after the queue, if we know the way.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub randomizer: Option<RandomizerState>,
}

/// A row of a board.
pub type Row = Vec<Cell>;

/// A cell of a board: `null` if it is empty, else a letter. Colours don't matter to bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Whether it is filled.
    pub filled: bool,
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.filled.then_some("G").serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cell, D::Error> {
        let cell = Option::<serde::de::IgnoredAny>::deserialize(deserializer)?;
        Ok(Cell { filled: cell.is_some() })
    }
}

/// How pieces are drawn after the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum RandomizerState {
    /// All pieces are equally likely.
    Uniform,
    /// From a bag of all seven. It is never empty: the next bag counts.
    SevenBag { bag_state: Vec<Piece> },
    /// From a bag with any number of each piece.
    GeneralBag { current_bag: BTreeMap<Piece, u32>, filled_bag: BTreeMap<Piece, u32> },
    /// In another way.
    #[serde(other)]
    Unknown,
}

/// A move. Whether it holds follows from the piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TbpMove {
    /// Where the piece goes.
    pub location: TbpLocation,
    /// The spin that is claimed, if we can read it.
    #[serde(default, deserialize_with = "if_readable")]
    pub spin: Option<Spin>,
}

/// A location. It has the engine's rotation centres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct TbpLocation {
    #[serde(rename = "type")]
    pub piece: Piece,
    pub orientation: Orientation,
    pub x: i32,
    pub y: i32,
}

/// What a bot says about its search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveInfo {
    /// Nodes searched.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub nodes: Option<f64>,
    /// Nodes per second.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub nps: Option<f64>,
    /// Pieces placed in the deepest line.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// Anything else.
    #[serde(default, deserialize_with = "if_readable", skip_serializing_if = "Option::is_none")]
    pub extra: Option<String>,
}

impl HostMessage {
    /// The message as a line, without its end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("messages can be written to memory")
    }
}

impl BotMessage {
    /// The message as a line, without its end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("messages can be written to memory")
    }
}

impl From<Placement> for TbpMove {
    fn from(placement: Placement) -> TbpMove {
        let PieceLocation { piece, orientation, x, y } = placement.location();
        let location = TbpLocation { piece, orientation, x: x.into(), y: y.into() };
        TbpMove { location, spin: Some(placement.spin()) }
    }
}

impl TbpLocation {
    /// The engine's location. `None` if it is outside every board.
    pub fn to_engine(self) -> Option<PieceLocation> {
        let TbpLocation { piece, orientation, x, y } = self;
        Some(PieceLocation { piece, orientation, x: x.try_into().ok()?, y: y.try_into().ok()? })
    }
}

/// Reads a value; `None` if it is not of the expected kind.
fn if_readable<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).ok())
}

/// Reads a value; the default if it is not of the expected kind.
fn or_default<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(if_readable(deserializer)?.unwrap_or_default())
}

/// Reads a list whose entries may be of another kind.
fn readable_entries<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Vec<Option<T>>, D::Error> {
    let entries: Vec<Value> = or_default(deserializer)?;
    Ok(entries.into_iter().map(|entry| serde_json::from_value(entry).ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_host(line: &str) -> HostMessage {
        serde_json::from_str(line).unwrap()
    }

    fn from_bot(line: &str) -> BotMessage {
        serde_json::from_str(line).unwrap()
    }

    #[test]
    fn unknown_types_and_attributes_are_ignored() {
        assert_eq!(from_host(r#"{"type":"dance","to":[1,2]}"#), HostMessage::Unknown);
        assert_eq!(from_host(r#"{"type":"suggest","how":"nicely"}"#), HostMessage::Suggest);
        assert_eq!(from_bot(r#"{"type":"chat","text":"hi"}"#), BotMessage::Unknown);
        assert_eq!(from_bot(r#"{"type":"ready","set":"go"}"#), BotMessage::Ready);
        let rules = from_host(r#"{"type":"rules","randomizer":["?"],"gravity":20}"#);
        assert_eq!(rules, HostMessage::Rules(Rules::default()));
    }

    #[test]
    fn features_may_be_null_and_info_may_lack_anything() {
        let info = Info { name: "MisaMino".to_owned(), ..Info::default() };
        assert_eq!(from_bot(r#"{"type":"info","name":"MisaMino","features":null}"#), BotMessage::Info(info));
    }

    #[test]
    fn unknown_randomizers_are_unknown() {
        let start = |randomizer: &str| {
            let line = format!(r#"{{"type":"start","queue":["I"],"board":[],"randomizer":{randomizer}}}"#);
            let HostMessage::Start(start) = from_host(&line) else { panic!("not a start: {line}") };
            start.randomizer
        };
        assert_eq!(start(r#"{"type":"dice"}"#), Some(RandomizerState::Unknown));
        assert_eq!(start(r#"{"type":"uniform"}"#), Some(RandomizerState::Uniform));
        assert_eq!(start("7"), None);
        let bag_state = vec![Piece::S, Piece::T];
        assert_eq!(
            start(r#"{"type":"seven_bag","bag_state":["S","T"]}"#),
            Some(RandomizerState::SevenBag { bag_state })
        );
        let bag = r#"{"type":"general_bag","current_bag":{"I":2,"O":0},"filled_bag":{"I":2,"O":1}}"#;
        assert!(matches!(start(bag), Some(RandomizerState::GeneralBag { .. })));
    }

    #[test]
    fn every_cell_but_null_is_filled() {
        let row: Row = serde_json::from_str(r#"[null,"G","T","?",7,{}]"#).unwrap();
        assert_eq!(
            row.iter().map(|cell| cell.filled).collect::<Vec<_>>(),
            [false, true, true, true, true, true]
        );
        assert_eq!(serde_json::to_string(&row[..2]).unwrap(), r#"[null,"G"]"#);
    }

    #[test]
    fn moves_that_cannot_be_read_do_not_spoil_the_others() {
        let line = r#"{"type":"suggestion","moves":[
            {"location":{"type":"X","orientation":"north","x":4,"y":0},"spin":"none"}, 7,
            {"location":{"type":"T","orientation":"south","x":4,"y":1},"spin":"double"},
            {"location":{"type":"T","orientation":"south","x":4,"y":1},"spin":"full"}],
            "move_info":{"nodes":5,"nps":"fast"}}"#;
        let BotMessage::Suggestion { moves, move_info } = from_bot(line) else { panic!("not a suggestion") };
        let location = TbpLocation { piece: Piece::T, orientation: Orientation::South, x: 4, y: 1 };
        let read = |spin| Some(TbpMove { location, spin });
        assert_eq!(moves, [None, None, read(None), read(Some(Spin::Full))]);
        assert_eq!(move_info, Some(MoveInfo { nodes: Some(5.0), ..MoveInfo::default() }));
    }

    #[test]
    fn messages_are_written_as_the_specification_shows_them() {
        let play = TbpMove {
            location: TbpLocation { piece: Piece::I, orientation: Orientation::West, x: 0, y: 1 },
            spin: Some(Spin::None),
        };
        let line = HostMessage::Play { play }.to_line();
        let expected = r#"{"type":"play","move":{"location":{"type":"I","orientation":"west","x":0,"y":1},"spin":"none"}}"#;
        assert_eq!(line, expected);
        assert_eq!(from_host(&line), HostMessage::Play { play });
        assert_eq!(HostMessage::Suggest.to_line(), r#"{"type":"suggest"}"#);
        let suggestion = BotMessage::Suggestion { moves: vec![Some(play)], move_info: None };
        assert_eq!(from_bot(&suggestion.to_line()), suggestion);
    }
}
