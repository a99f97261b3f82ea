//! An agent as a bot for front ends that speak the Tetris Bot Protocol, in a worker.
//!
//! A worker hears nothing while it computes. So the bot thinks about a position several times, each time with more nodes, and its worker
//! listens in between. Whatever it is asked, the best move of the last search is there.

use crate::error;
use crate::thinker::found;
use tetrion_engine::game::Move;
use tetrion_engine::ruleset::{Mode, Ruleset};
use tetrion_interop::tbp::{Bot, BotMessage, MoveInfo, Step};
use tetrion_players::agent::{Agent, Limits};
use tetrion_players::catalogue::DEFAULT_AGENT;
use wasm_bindgen::prelude::*;

/// The nodes of the searches of a position, one after the other. In a browser a core evaluates about 5,000 nodes a millisecond, so the
/// longest takes some 30 ms.
const SEARCHES: [u64; 4] = [2_000, 10_000, 40_000, 150_000];

/// A bot. Messages are JSON.
#[wasm_bindgen]
pub struct TbpBot {
    bot: Bot,
    name: String,
    agent: Box<dyn Agent + Send>,
    /// Searches of the position that are done.
    done: usize,
    moves: Vec<Move>,
    info: MoveInfo,
    has_quit: bool,
}

#[wasm_bindgen]
impl TbpBot {
    /// The bot of an agent; without a name, that of the usual one.
    #[wasm_bindgen(constructor)]
    pub fn new(agent: Option<String>) -> Result<TbpBot, JsError> {
        let player = found(agent.as_deref().unwrap_or(DEFAULT_AGENT))?;
        Ok(TbpBot {
            bot: Bot::new(Ruleset::for_agents(Mode::Practice)),
            name: format!("Tetrion {}", player.name()),
            agent: player.agent(0),
            done: 0,
            moves: Vec::new(),
            info: MoveInfo::default(),
            has_quit: false,
        })
    }

    /// The first message to send.
    pub fn greeting(&self) -> String {
        Bot::greeting(&self.name, env!("CARGO_PKG_VERSION"), "Tetrion").to_line()
    }

    /// Follows a message, and returns the answer if it has one. An error says why the message was ignored.
    pub fn hear(&mut self, message: &str) -> Result<Option<String>, JsError> {
        Ok(self.answer(message).map_err(error)?.map(|answer| answer.to_line()))
    }

    /// Thinks for a moment; false if there is nothing more to think about.
    pub fn think(&mut self) -> bool {
        let Some(view) = self.bot.view() else { return false };
        let Some(nodes) = SEARCHES.get(self.done) else { return false };
        self.agent.limit(Limits { nodes: Some(*nodes), stop: None });
        let before = self.agent.nodes();
        self.moves = self.agent.rank(&view);
        self.info.nodes = self.agent.nodes().zip(before).map(|(after, before)| (after - before) as f64);
        // An agent without limits has said everything.
        self.done = if self.agent.abilities().limits { self.done + 1 } else { SEARCHES.len() };
        true
    }

    /// Whether the front end has dismissed it.
    #[wasm_bindgen(getter, js_name = hasQuit)]
    pub fn has_quit(&self) -> bool {
        self.has_quit
    }
}

impl TbpBot {
    fn answer(&mut self, message: &str) -> Result<Option<BotMessage>, tetrion_interop::tbp::BadMessage> {
        match self.bot.handle_line(message)? {
            Step::Ignore => {}
            Step::Reply(reply) => return Ok(Some(reply)),
            Step::Think => self.done = 0,
            Step::Suggest => {
                if self.done == 0 {
                    self.think();
                }
                return Ok(Some(Bot::suggestion(&self.moves, Some(self.info.clone()))));
            }
            Step::Quit => self.has_quit = true,
        }
        Ok(None)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const START: &str =
        r#"{"type":"start","hold":null,"queue":["T","I","O"],"combo":0,"back_to_back":false,"board":[]}"#;
    const SUGGEST: &str = r#"{"type":"suggest"}"#;

    fn bot() -> TbpBot {
        TbpBot::new(None).ok().unwrap()
    }

    fn moves(answer: Option<BotMessage>) -> usize {
        let Some(BotMessage::Suggestion { moves, .. }) = answer else { panic!("{answer:?}") };
        moves.len()
    }

    #[test]
    fn a_suggestion_is_there_at_once_and_thinking_ends() {
        let mut bot = bot();
        assert_eq!(bot.answer(r#"{"type":"rules"}"#), Ok(Some(BotMessage::Ready)));
        assert!(!bot.think(), "there is no game");
        assert_eq!(bot.answer(START), Ok(None));
        assert!(moves(bot.answer(SUGGEST).unwrap()) > 0);
        let mut searches = 1;
        while bot.think() {
            searches += 1;
        }
        assert_eq!(searches, SEARCHES.len());
        assert!(moves(bot.answer(SUGGEST).unwrap()) > 0);
    }

    #[test]
    fn a_new_position_is_thought_about_anew() {
        let mut bot = bot();
        bot.answer(START).unwrap();
        while bot.think() {}
        bot.answer(r#"{"type":"new_piece","piece":"L"}"#).unwrap();
        assert!(bot.think());
        bot.answer(r#"{"type":"stop"}"#).unwrap();
        assert!(!bot.think());
        assert_eq!(moves(bot.answer(SUGGEST).unwrap()), 0);
        bot.answer(r#"{"type":"quit"}"#).unwrap();
        assert!(bot.has_quit());
    }

    #[test]
    fn an_agent_without_limits_thinks_once() {
        let mut bot = TbpBot::new(Some("random".to_owned())).ok().unwrap();
        bot.answer(START).unwrap();
        assert!(bot.think());
        assert!(!bot.think());
    }
}
