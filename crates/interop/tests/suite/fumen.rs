//! Diagrams against the test vectors of other programs, at random, and with text that is none.

use proptest::prelude::*;
use serde::Deserialize;
use tetrion_engine::location::PieceLocation;
use tetrion_engine::piece::{Orientation, Piece};
use tetrion_interop::fumen::{
    Document, Flags, FumenCell, FumenError, FumenField, MAX_PAGES, Page, PageDocument, Quiz, decode, encode,
};

#[derive(Deserialize)]
struct Vector {
    fumen: String,
    pages: Vec<PageDocument>,
    again: Option<String>,
}

fn vectors(text: &str) -> Vec<Vector> {
    serde_json::from_str(text).unwrap()
}

/// Writing the pages gives pages that read the same, and the text that others write for them.
fn writes(pages: &[Page], expected: &str) {
    let written = encode(pages).unwrap();
    assert_eq!(written, expected);
    assert_eq!(decode(&written).unwrap(), pages, "{written}");
}

#[test]
fn diagrams_have_the_pages_that_others_read_in_them() {
    let vectors = vectors(include_str!("../fumen/pages.json"));
    assert!(vectors.len() > 40);
    for Vector { fumen, pages, again } in vectors {
        let read = decode(&fumen).unwrap_or_else(|error| panic!("{fumen}: {error}"));
        assert_eq!(Document::new(&read).pages, pages, "{fumen}");
        writes(&read, &again.unwrap());
    }
}

#[test]
fn pages_are_written_as_others_write_them() {
    for Vector { fumen, pages, .. } in vectors(include_str!("../fumen/written.json")) {
        writes(&Document { pages }.pages().unwrap(), &fumen);
    }
}

#[test]
fn digests_of_many_diagrams_agree() {
    let lines = include_str!("../fumen/digests.txt").lines().filter(|line| !line.starts_with('#'));
    assert!(lines.clone().count() > 400);
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let [count, digest, fumen] = words[..3] else { panic!("{line}") };
        let read = decode(fumen).unwrap_or_else(|error| panic!("{fumen}: {error}"));
        assert_eq!(read.len().to_string(), count, "{fumen}");
        let documents = Document::new(&read).pages;
        let text: Vec<_> = documents.iter().map(|page| serde_json::to_string(page).unwrap()).collect();
        assert_eq!(format!("{:016x}", fnv(&text.join("\n"))), digest, "{fumen}");
        let written = encode(&read).unwrap();
        // Only where lines can break, writers differ.
        let expected = words.get(3).unwrap_or(&fumen)[1..].replace('?', "");
        assert!(written[1..].replace('?', "") == expected, "{fumen} became {written}");
        assert!(decode(&written).unwrap() == read, "{fumen} became {written}");
    }
}

fn fnv(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn a_diagram_is_found_in_addresses_and_between_spaces() {
    let page = decode("v115@vhAAgH").unwrap();
    for text in [
        "m115@vhAAgH",
        "d115@vhAAgH",
        "http://fumen.zui.jp/?v115@vhAAgH",
        "fumen.zui.jp/?d115@vhAAgH",
        "https://harddrop.com/fumen/?m115@vhAAgH",
        "https://punsyuko.com/fumen/#v115@vhAAgH",
        "knewjade.github.io/fumen-for-mobile/#?d=v115@vhAAgH&dummy=3",
        "https://a.b/?user=me@home&d=v115@vhAAgH",
        "   v115@v hA\n A?gH  ",
    ] {
        assert_eq!(decode(text).as_ref(), Ok(&page), "{text}");
    }
}

#[test]
fn text_that_is_no_diagram_gets_the_reason() {
    let error = |text: &str| decode(text).unwrap_err();
    assert_eq!(error(""), FumenError::NotAFumen);
    assert_eq!(error("7eAA4G"), FumenError::NotAFumen);
    assert_eq!(error("日本@v11@"), FumenError::NotAFumen);
    assert_eq!(error("harddrop.com/fumen/?v113@vhAAgH"), FumenError::Version("113".into()));
    assert_eq!(error("v115@"), FumenError::NoPages);
    assert_eq!(error("v115@&vhAAgH"), FumenError::NoPages);
    assert_eq!(error("v115@vhA!gH"), FumenError::Character { position: 4, character: '!' });
    assert_eq!(error("v115@vhAyO"), FumenError::BreaksOff { page: 1 });
    assert_eq!(error("v115@invalid"), FumenError::Colour { page: 1, colour: -1 });
    assert_eq!(error("v115@vhAAgHv"), FumenError::BreaksOff { page: 2 });
    assert_eq!(error("v115@vhCAgHAAA"), FumenError::MissingPages { found: 2, missing: 1 });
    assert_eq!(error("v115@RhvhAAgH"), FumenError::Run { page: 1 });
    // All cells one less than empty: (8 - 1)·240 + 239 in two digits.
    assert_eq!(error("v115@/dAgH"), FumenError::Colour { page: 1, colour: -1 });
    assert_eq!(error("v115@vhA///"), FumenError::PageAction { page: 1 });
    // A T in the left wall, in the bottom row.
    assert_eq!(error("v115@vhAVOJ"), FumenError::Outside { page: 1 });
    assert_eq!(error("v115@vhAAgWFA/////AAAAA"), FumenError::Comment { page: 1 });
}

#[test]
fn pages_without_end_are_refused() {
    let pages = format!("v115@{}", "vhAAgH".repeat(MAX_PAGES));
    assert_eq!(decode(&pages).map(|pages| pages.len()), Ok(MAX_PAGES));
    assert_eq!(decode(&format!("{pages}vhAAAA")), Err(FumenError::TooManyPages));
    assert_eq!(encode(&vec![Page::default(); MAX_PAGES + 1]), Err(FumenError::TooManyPages));
}

#[test]
fn pages_that_have_no_room_are_refused() {
    assert_eq!(encode(&[]), Err(FumenError::NoPages));
    let comment = |length| Page { comment: "x".repeat(length), ..Page::default() };
    assert!(encode(&[comment(4095)]).is_ok());
    let two = [Page::default(), comment(4096)];
    assert_eq!(encode(&two), Err(FumenError::CommentLength { page: 2, length: 4096 }));
    let outside = PieceLocation { piece: Piece::T, orientation: Orientation::North, x: 0, y: 0 };
    let page = Page { operation: Some(outside), ..Page::default() };
    assert_eq!(encode(&[page]), Err(FumenError::Outside { page: 1 }));
}

#[test]
fn a_page_becomes_a_start_for_play() {
    let field: FumenField = "I_________\nIXXXXXXXX_".parse().unwrap();
    let setup = |comment: &str| Page { comment: comment.into(), ..Page::of_field(field) }.setup().unwrap();
    let start = setup("#Q=[T](I)OS;Z");
    assert_eq!(start.board.to_string(), "#.........\n#########.");
    assert_eq!((start.hold, start.queue), (Some(Piece::T), vec![Piece::I, Piece::O, Piece::S]));
    assert_eq!(setup("TIO").queue, [Piece::T, Piece::I, Piece::O]);
    assert_eq!(setup("a comment").queue, []);
    assert_eq!(Page::of_board(&start.board).unwrap().board(), Ok(start.board));
}

fn cells() -> impl Strategy<Value = FumenCell> {
    prop_oneof![3 => Just(FumenCell::Empty), 1 => Just(FumenCell::Grey), 3 => (0..7usize).prop_map(|p| FumenCell::Piece(Piece::ALL[p]))]
}

fn fields() -> impl Strategy<Value = FumenField> {
    (prop::collection::vec(prop::array::uniform10(cells()), 0..=23), prop::array::uniform10(cells()))
        .prop_map(|(rows, garbage)| {
            let mut field = FumenField::default();
            for (y, row) in rows.into_iter().enumerate() {
                row.into_iter().enumerate().for_each(|(x, cell)| field.set(x, y, cell));
            }
            field.set_garbage(garbage);
            field
        })
}

fn operations() -> impl Strategy<Value = Option<PieceLocation>> {
    let anywhere = (0..7usize, 0..4usize, 0..10i8, 0..23i8);
    prop::option::of(anywhere.prop_filter_map("on the field", |(piece, turned, x, y)| {
        let operation =
            PieceLocation { piece: Piece::ALL[piece], orientation: Orientation::ALL[turned], x, y };
        let is_inside = operation.cells().iter().all(|(x, y)| (0..10).contains(x) && (0..23).contains(y));
        is_inside.then_some(operation)
    }))
}

fn comments() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,40}",
        "[ -~]{0,20}",
        "#Q=\\[[IJLOSTZ]?\\]\\([IJLOSTZ]\\)[IJLOSTZ]{0,9}(;(#Q=\\[\\]\\([IJLOSTZ]\\)[IJLOSTZ]{0,3}|.{0,5}))?",
        "#Q=[ -~]{0,12}",
    ]
}

/// What a page has of its own: a field and a comment if they are not just what follows from the page before.
type Sheet = (Option<FumenField>, Option<PieceLocation>, Option<String>, [bool; 4]);

fn sheets() -> impl Strategy<Value = Vec<Sheet>> {
    let sheet = (
        prop::option::weighted(0.3, fields()),
        operations(),
        prop::option::weighted(0.3, comments()),
        prop::array::uniform4(any::<bool>()),
    );
    prop::collection::vec(sheet, 1..20)
}

fn pages(sheets: Vec<Sheet>) -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::new();
    for (field, operation, comment, [lock, mirror, colorize, rise]) in sheets {
        let implied = pages.last().map(Page::following).unwrap_or_default();
        let quiz = comment.as_ref().map_or(implied.flags.quiz, |comment| Quiz::parse(comment).is_some());
        pages.push(Page {
            field: field.unwrap_or(implied.field),
            operation,
            comment: comment.unwrap_or(implied.comment),
            flags: Flags { lock, mirror, colorize, rise, quiz },
        });
    }
    pages
}

proptest! {
    #[test]
    fn what_is_written_reads_the_same(sheets in sheets()) {
        let pages = pages(sheets);
        let written = encode(&pages).unwrap();
        prop_assert_eq!(&decode(&written).unwrap(), &pages);
        let document = Document::new(&pages);
        prop_assert_eq!(document.pages().unwrap(), pages);
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,60}", data in "[A-Za-z0-9+/?]{0,200}") {
        let _ = decode(&text);
        for version in ["v115@", "v110@"] {
            if let Ok(pages) = decode(&format!("{version}{data}")) {
                let written = encode(&pages).unwrap();
                prop_assert_eq!(decode(&written).unwrap(), pages);
            }
        }
    }

    #[test]
    fn a_diagram_with_a_changed_character_is_read_or_refused(sheets in sheets(), at in any::<prop::sample::Index>(), other in "[A-Za-z0-9+/]") {
        let mut text = encode(&pages(sheets)).unwrap();
        let at = 5 + at.index(text.len() - 5);
        text.replace_range(at..=at, &other);
        if let Ok(pages) = decode(&text) {
            let written = encode(&pages).unwrap();
            prop_assert_eq!(decode(&written).unwrap(), pages);
        }
    }
}
