//! Quizzes: comments that list the pieces to come, and advance with every piece placed.

use std::fmt;
use tetrion_engine::piece::Piece;

const QUIZ_PREFIX: &str = "#Q=";

/// A comment such as `#Q=[T](I)OSZ`: the held piece, the current one, and the next ones. After a `;` comes what follows when
/// they are used up: another quiz, or text.
///
/// ```
/// use tetrion_engine::piece::Piece;
/// use tetrion_interop::fumen::Quiz;
/// let quiz = Quiz::parse("#Q=[T](I)OS").unwrap();
/// assert_eq!((quiz.hold(), quiz.current()), (Some(Piece::T), Some(Piece::I)));
/// assert_eq!(quiz.next(), [Piece::O, Piece::S]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quiz {
    // Letters, not pieces: lower-case ones are shown but match no placed piece.
    hold: Option<char>,
    current: Option<char>,
    rest: String,
}

/// The result of advancing a quiz.
#[derive(Clone, Debug, PartialEq, Eq)]
enum QuizStep {
    Quiz(Quiz),
    /// The quiz is over and leaves this comment.
    Over(String),
}

impl Quiz {
    /// Reads a comment, if it is a quiz. White space is ignored.
    pub fn parse(comment: &str) -> Option<Quiz> {
        if !comment.starts_with(QUIZ_PREFIX) {
            return None;
        }
        // White space as JavaScript defines it.
        let is_space = |c: char| c.is_whitespace() && c != '\u{85}' || c == '\u{feff}';
        let text: String = comment.chars().filter(|c| !is_space(*c)).collect();
        let (hold, text) = letter(text.strip_prefix(QUIZ_PREFIX)?.strip_prefix('[')?);
        let (current, text) = letter(text.strip_prefix("](")?);
        Some(Quiz { hold, current, rest: text.strip_prefix(')')?.to_owned() })
    }

    /// A quiz with this held piece and this queue, the current piece first.
    pub fn new(hold: Option<Piece>, queue: impl IntoIterator<Item = Piece>) -> Quiz {
        let mut queue = queue.into_iter().map(Piece::letter);
        Quiz { hold: hold.map(Piece::letter), current: queue.next(), rest: queue.collect() }
    }

    /// The held piece.
    pub fn hold(&self) -> Option<Piece> {
        self.hold.and_then(Piece::from_letter)
    }

    /// The piece to place.
    pub fn current(&self) -> Option<Piece> {
        self.current.and_then(Piece::from_letter)
    }

    /// The next pieces, as far as they are given.
    pub fn next(&self) -> Vec<Piece> {
        self.rest.chars().map_while(Piece::from_letter).collect()
    }

    /// The text after the current piece, unless the pieces are used up.
    fn next_letter(&self) -> Option<char> {
        self.rest.chars().next().filter(|c| *c != ';')
    }

    /// The text after that.
    fn after_next(&self) -> &str {
        self.next_letter().map_or(&self.rest, |c| &self.rest[c.len_utf8()..])
    }

    /// What follows this quiz, if it is used up.
    fn successor(&self) -> Option<&str> {
        let used_up = self.hold.is_none() && self.current.is_none();
        self.rest.strip_prefix(';').filter(|_| used_up)
    }

    fn is_blank(&self) -> bool {
        self.hold.is_none() && self.current.is_none() && self.rest.is_empty()
    }

    /// Whether placing a piece can change anything.
    fn is_open(&self) -> bool {
        match self.successor() {
            Some(successor) => successor.starts_with(QUIZ_PREFIX) && successor != "#Q=[]()",
            None => !self.is_blank(),
        }
    }

    /// The quiz as shown: with a current piece if any piece is left, or over.
    fn shown(&self) -> QuizStep {
        self.try_shown().unwrap_or_else(|| QuizStep::Quiz(self.clone()))
    }

    fn try_shown(&self) -> Option<QuizStep> {
        let quiz = match self.successor().map_or_else(|| Some(QuizStep::Quiz(self.clone())), continuation)? {
            QuizStep::Quiz(quiz) => quiz,
            over => return Some(over),
        };
        if quiz.current.is_some() {
            return Some(QuizStep::Quiz(quiz));
        }
        if quiz.hold.is_some() {
            return Some(QuizStep::Quiz(Quiz { hold: None, current: quiz.hold, rest: quiz.rest }));
        }
        match quiz.rest.strip_prefix(';') {
            Some(successor) => continuation(successor),
            None if quiz.rest.is_empty() => Some(QuizStep::Over(String::new())),
            None => drawn(None, &quiz.rest).map(QuizStep::Quiz),
        }
    }

    /// The quiz after a piece is placed, or after a page without one.
    fn advanced(&self, piece: Option<Piece>) -> QuizStep {
        if !self.is_open() {
            return QuizStep::Quiz(self.clone());
        }
        let placed = piece.and_then(|piece| match self.successor() {
            None => self.without(piece),
            Some(successor) => match continuation(successor)? {
                QuizStep::Quiz(quiz) => quiz.without(piece),
                QuizStep::Over(_) => None,
            },
        });
        placed.map_or_else(|| self.shown(), QuizStep::Quiz)
    }

    /// The quiz after using a piece, if it can be used now.
    fn without(&self, piece: Piece) -> Option<Quiz> {
        let used = Some(piece.letter());
        let next = self.next_letter();
        if used == self.current {
            return drawn_if_any(self.hold, next, self.after_next());
        }
        if used == self.hold {
            return drawn_if_any(self.current, next, self.after_next());
        }
        if used != next {
            return None;
        }
        match (self.hold, self.current) {
            // The current piece goes into the hold.
            (None, current) => match self.after_next() {
                "" => Some(Quiz { hold: current, current: None, rest: String::new() }),
                rest => drawn(current, rest),
            },
            (hold, None) => drawn(hold, self.after_next()),
            (Some(_), Some(_)) => None,
        }
    }
}

/// The piece's letter at the start of the text, if there is one, and the rest.
fn letter(text: &str) -> (Option<char>, &str) {
    match text.chars().next().filter(|c| Piece::from_letter(*c).is_some()) {
        Some(letter) => (Some(letter), &text[1..]),
        None => (None, text),
    }
}

/// The quiz whose current piece is the first letter of the text, if that is a piece.
fn drawn(hold: Option<char>, text: &str) -> Option<Quiz> {
    let (current, rest) = letter(text);
    current.map(|_| Quiz { hold, current, rest: rest.to_owned() })
}

/// The quiz with this current piece, or none.
fn drawn_if_any(hold: Option<char>, current: Option<char>, rest: &str) -> Option<Quiz> {
    current.is_none_or(|c| Piece::from_letter(c).is_some()).then(|| Quiz {
        hold,
        current,
        rest: rest.to_owned(),
    })
}

/// What the comment after a `;` continues with. Empty if it looks like a quiz but is not one.
fn continuation(text: &str) -> Option<QuizStep> {
    if text.starts_with(QUIZ_PREFIX) {
        Quiz::parse(text).map(QuizStep::Quiz)
    } else {
        Some(QuizStep::Over(text.to_owned()))
    }
}

impl fmt::Display for Quiz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |letter: Option<char>| letter.map_or(String::new(), String::from);
        write!(f, "{QUIZ_PREFIX}[{}]({}){}", text(self.hold), text(self.current), self.rest)
    }
}

/// The comment as it goes from page to page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    step: QuizStep,
    /// Whether a quiz began it.
    is_quiz: bool,
}

impl Default for Caption {
    fn default() -> Caption {
        Caption { step: QuizStep::Over(String::new()), is_quiz: false }
    }
}

impl Caption {
    /// Starts with this comment.
    pub fn new(comment: &str) -> Caption {
        match Quiz::parse(comment) {
            Some(quiz) => Caption { step: QuizStep::Quiz(quiz), is_quiz: true },
            None => Caption { step: QuizStep::Over(comment.to_owned()), is_quiz: false },
        }
    }

    /// The same, if a quiz may have ended with this comment.
    pub fn resumed(comment: &str, is_quiz: bool) -> Caption {
        let caption = Caption::new(comment);
        Caption { is_quiz: caption.is_quiz || is_quiz, ..caption }
    }

    /// The comment of a page that has none of its own.
    pub fn comment(&self) -> String {
        match &self.step {
            QuizStep::Over(comment) => comment.clone(),
            QuizStep::Quiz(quiz) => match quiz.shown() {
                QuizStep::Quiz(quiz) => quiz.to_string(),
                QuizStep::Over(comment) => comment,
            },
        }
    }

    /// Whether a quiz began it.
    pub fn is_quiz(&self) -> bool {
        self.is_quiz
    }

    /// Advances after a page that locks its piece, if it has one.
    pub fn advance(&mut self, piece: Option<Piece>) {
        if let QuizStep::Quiz(quiz) = &self.step {
            self.step = quiz.advanced(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The comments of the pages as pieces are placed one by one. `_` is a page without a piece.
    fn comments(quiz: &str, pieces: &str) -> Vec<String> {
        let mut caption = Caption::new(quiz);
        let mut comments = Vec::new();
        for piece in pieces.chars() {
            caption.advance(Piece::from_letter(piece));
            comments.push(caption.comment());
        }
        comments
    }

    #[test]
    fn pieces_are_used_from_current_hold_and_next() {
        assert_eq!(
            comments("#Q=[](L)TSJ", "LS_TJ_"),
            ["#Q=[](T)SJ", "#Q=[T](J)", "#Q=[T](J)", "#Q=[](J)", "", ""]
        );
    }

    #[test]
    fn a_piece_that_is_not_there_changes_nothing() {
        assert_eq!(comments("#Q=[](O)SI", "L"), ["#Q=[](O)SI"]);
        assert_eq!(comments("#Q=[](o)SI", "O"), ["#Q=[](o)SI"], "small letters match nothing");
    }

    #[test]
    fn what_follows_the_semicolon_comes_when_the_pieces_are_used_up() {
        assert_eq!(comments("#Q=[](T);well done", "T_"), ["welldone", "welldone"]);
        assert_eq!(comments("#Q=[](T);#Q=[I](O)", "TI"), ["#Q=[I](O)", "#Q=[](O)"]);
        assert_eq!(comments("#Q=[T](I);#Q=[](O)", "IT"), ["#Q=[](T);#Q=[](O)", "#Q=[](O)"]);
    }

    #[test]
    fn what_only_looks_like_a_quiz_is_a_comment() {
        for text in ["#Q=", "#Q=[]", "#Q=[X](T)", "#Q=[](TT)", "Q=[](T)", " #Q=[](T)"] {
            assert_eq!(Quiz::parse(text), None, "{text}");
            assert_eq!(comments(text, "T"), [text]);
        }
        // A current piece that is not a piece stays.
        assert_eq!(comments("#Q=[](T)?S", "T"), ["#Q=[](T)?S"]);
        assert_eq!(comments("#Q=[]()?S", "T"), ["#Q=[]()?S"]);
    }
}
