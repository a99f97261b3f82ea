//! The page's TypeScript types of the API, generated from the types that the server sends.

use crate::app::ServerAbout;
use crate::jobs::{GameKind, JudgingProgress, RunState};
use crate::refusal::ErrorBody;
use crate::scores::ScoreList;
use crate::store::{AcceptedScore, Score};
use crate::tickets::{IssuedTicket, PauseOrder, TicketOrder, TicketText};
use crate::training::{
    RecipeInfo, RecipeParameter, RowEvent, RunDetails, RunSummary, StartedRun, TrainingOrder, WeightHistory,
};
use std::fs;
use tetrion_training::run::{Judgement, LogRow, Verdict};
use ts_rs::{Config, TS};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/state/api.ts");
const HEAD: &str = "// The JSON of the server's API. Generated from crates/server by `cargo test -p tetrion-server`: do not edit.
import type { Category, Competitor, Mode, Outcome } from \"../engine\";

";

/// The declaration of a type. Its documentation stays here, so that other words don't make the page stale.
fn declaration<T: TS>() -> String {
    let declared = T::decl(&Config::new().with_large_int("number"));
    let code = declared.lines().map(str::trim).filter(|line| !line.starts_with(['/', '*']));
    format!("export {}\n", code.collect::<Vec<_>>().join(" "))
}

#[test]
fn the_page_has_the_types_that_the_server_sends() {
    let declarations = [
        declaration::<ErrorBody>(),
        declaration::<ServerAbout>(),
        declaration::<Score>(),
        declaration::<ScoreList>(),
        declaration::<AcceptedScore>(),
        declaration::<TicketOrder>(),
        declaration::<IssuedTicket>(),
        declaration::<PauseOrder>(),
        declaration::<TicketText>(),
        declaration::<RecipeParameter>(),
        declaration::<RecipeInfo>(),
        declaration::<TrainingOrder>(),
        declaration::<StartedRun>(),
        declaration::<RunState>(),
        declaration::<GameKind>(),
        declaration::<JudgingProgress>(),
        declaration::<RunSummary>(),
        declaration::<RunDetails>(),
        declaration::<WeightHistory>(),
        declaration::<LogRow>(),
        declaration::<RowEvent>(),
        declaration::<Judgement>(),
        declaration::<Verdict>(),
    ];
    let generated = HEAD.to_owned() + &declarations.concat();
    if fs::read_to_string(FILE).ok().as_ref() != Some(&generated) {
        fs::write(FILE, generated).unwrap();
        panic!("web/src/state/api.ts was stale and has been written again: build the page and commit both");
    }
}
