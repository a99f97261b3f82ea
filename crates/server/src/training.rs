//! `/api/training` and `/api/recipes`: training from the page.

use crate::app::App;
use crate::history::Generation;
use crate::jobs::{GameKind, Job, JobError, JobProgress, Jobs, JobsTurn, Judging, JudgingProgress, RunState};
use crate::quota::Share;
use crate::refusal::{Refusal, short};
use crate::request::{Body, Id, Peer, blocking};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;
use tetrion_files::FileError;
use tetrion_training::parameters::{self, HyperParameter};
use tetrion_training::recipe::{NAMED_RECIPES, Recipe, RecipeError, named};
use tetrion_training::run::{Judgement, LogRow, RunError};
use tokio::sync::watch;
use tokio::time::sleep;
use ts_rs::TS;

/// When to try again if too many clients follow training runs.
const RETRY_FOLLOWING: Duration = Duration::from_secs(10);
/// How often clients hear how far judging is.
const JUDGING_INTERVAL: Duration = Duration::from_millis(250);

/// A recipe that can be trained.
#[derive(Serialize, TS)]
pub(crate) struct RecipeInfo {
    name: String,
    about: String,
    text: &'static str,
    parameters: Vec<RecipeParameter>,
}

/// A parameter of a recipe.
#[derive(Serialize, TS)]
pub(crate) struct RecipeParameter {
    name: &'static str,
    about: &'static str,
    /// The words to choose from; empty if it takes a number, a list or free text.
    choices: &'static [&'static str],
    /// As a change would write it; null if the recipe does not set it.
    value: Option<String>,
}

/// `GET /api/recipes`
pub(crate) async fn recipes() -> Result<Json<Vec<RecipeInfo>>, Refusal> {
    let list = |(_, text): (&str, &'static str)| {
        let recipe = Recipe::parse(text, &[])?;
        // Includes defaults that the file omits.
        let table = recipe.to_text().parse().map_err(|error| RecipeError::Wrong(format!("{error}")))?;
        let parameter = |parameter: &HyperParameter| RecipeParameter {
            name: parameter.name,
            about: parameter.about,
            choices: parameter.choices,
            value: parameters::value(&table, parameter),
        };
        let parameters = parameters::HYPER_PARAMETERS.iter().map(parameter).collect();
        Ok(RecipeInfo { name: recipe.name, about: recipe.about, text, parameters })
    };
    let listed: Result<Vec<RecipeInfo>, RecipeError> = NAMED_RECIPES.into_iter().map(list).collect();
    Ok(Json(listed.map_err(Refusal::internal)?))
}

/// A job in a list.
#[derive(Serialize, TS)]
pub(crate) struct RunSummary {
    id: u64,
    name: String,
    recipe: String,
    /// What it is trained for, in words.
    objective: String,
    game: Option<GameKind>,
    state: RunState,
    /// Generations so far.
    generation: u64,
    /// Generations after which it stops.
    generations: Option<u64>,
    games: u64,
    /// Seconds of training so far.
    seconds: f64,
    /// The best score of a candidate in any generation.
    best: Option<f64>,
    /// The games after training, while they are played.
    judging: Option<JudgingProgress>,
    error: Option<String>,
}

impl RunSummary {
    fn of(id: u64, progress: &JobProgress) -> RunSummary {
        let last = progress.history.last();
        RunSummary {
            id,
            name: if progress.recipe.is_empty() {
                format!("run {id}")
            } else {
                format!("{} {id}", progress.recipe)
            },
            recipe: progress.recipe.clone(),
            objective: progress.objective.clone(),
            game: progress.game,
            state: progress.state,
            generation: progress.history.count(),
            generations: progress.generations,
            games: last.map_or(0, |last| last.row.games),
            seconds: last.map_or(0.0, |last| last.row.seconds),
            best: progress.history.best().map(|best| best.row.best),
            judging: progress.judging.as_ref().map(Judging::progress),
            error: progress.error.clone(),
        }
    }
}

/// A job with its history.
#[derive(Serialize, TS)]
pub(crate) struct RunDetails {
    #[serde(flatten)]
    summary: RunSummary,
    /// One for each generation. Of a long run, about a thousand at equal distances, and also the best and the last.
    rows: Vec<LogRow>,
    weights: WeightHistory,
    /// Null until the run has finished.
    judgement: Option<Judgement>,
}

/// The weights after the generations in the rows.
#[derive(Serialize, TS)]
pub(crate) struct WeightHistory {
    /// The features.
    names: Vec<String>,
    /// For each row, in the order of the names.
    values: Vec<Vec<f64>>,
}

impl RunDetails {
    fn of(id: u64, progress: &JobProgress) -> RunDetails {
        let generations = progress.history.after(0);
        let values = generations.iter().map(|generation| generation.weights.clone()).collect();
        RunDetails {
            summary: RunSummary::of(id, progress),
            rows: generations.iter().map(|generation| generation.row).collect(),
            weights: WeightHistory { names: progress.features.clone(), values },
            judgement: progress.judgement.clone(),
        }
    }
}

/// The number of a run that was started.
#[derive(Serialize, TS)]
pub(crate) struct StartedRun {
    id: u64,
}

/// The event `row`: a generation, and the weights after it. A client that can't keep up with a long run gets only some of them.
#[derive(Serialize, TS)]
pub(crate) struct RowEvent {
    row: LogRow,
    weights: Vec<f64>,
}

/// `GET /api/training`
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<RunSummary>>, Refusal> {
    let summary = |job: &Arc<Job>| RunSummary::of(job.id(), &job.follow().borrow());
    let jobs = blocking(move || app.jobs.list()).await?;
    Ok(Json(jobs.iter().map(summary).collect()))
}

/// The body of a request to train.
#[derive(Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrainingOrder {
    recipe: String,
    #[serde(default)]
    changes: BTreeMap<String, String>,
}

/// `POST /api/training`
pub(crate) async fn start(
    State(app): State<Arc<App>>,
    body: Body,
) -> Result<(StatusCode, Json<StartedRun>), Refusal> {
    let order: TrainingOrder = body.json(r#"{"recipe": "lee", "changes": {"population": "20"}}"#)?;
    let text = named(&order.recipe).map_err(|_| {
        let reason = format!("there is no recipe '{}': GET /api/recipes lists them", short(&order.recipe));
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, reason)
    })?;
    let changes: Vec<_> = order.changes.into_iter().collect();
    let start = move |jobs: &Jobs, turn: &mut JobsTurn| {
        let recipe = Recipe::parse(text, &changes).map_err(RunError::from)?;
        jobs.start(turn, recipe)
    };
    let id = change(app, start).await?;
    Ok((StatusCode::CREATED, Json(StartedRun { id })))
}

/// Changes the jobs, which may take a while. Requests take turns; other requests don't wait for them.
async fn change<T: Send + 'static>(
    app: Arc<App>,
    change: impl FnOnce(&Jobs, &mut JobsTurn) -> Result<T, JobError> + Send + 'static,
) -> Result<T, Refusal> {
    let mut turn = app.jobs.turn().await;
    blocking(move || {
        change(&app.jobs, &mut turn)
            .map_err(|error| Refusal::new(status(&error), app.jobs.tell(&error.to_string())))
    })
    .await?
}

/// `GET /api/training/{id}`
pub(crate) async fn show(State(app): State<Arc<App>>, Id(id): Id) -> Result<Json<RunDetails>, Refusal> {
    let job = app.jobs.find(id)?;
    let details = RunDetails::of(job.id(), &job.follow().borrow());
    Ok(Json(details))
}

/// `POST /api/training/{id}/stop`
pub(crate) async fn stop(State(app): State<Arc<App>>, Id(id): Id) -> Result<StatusCode, Refusal> {
    app.jobs.stop(id)?;
    Ok(StatusCode::ACCEPTED)
}

/// `POST /api/training/{id}/resume`
pub(crate) async fn resume(State(app): State<Arc<App>>, Id(id): Id) -> Result<StatusCode, Refusal> {
    change(app, move |jobs, turn| jobs.resume(turn, id)).await?;
    Ok(StatusCode::ACCEPTED)
}

/// `DELETE /api/training/{id}`
pub(crate) async fn delete(State(app): State<Arc<App>>, Id(id): Id) -> Result<StatusCode, Refusal> {
    change(app, move |jobs, turn| jobs.delete(turn, id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/training/{id}/best`
pub(crate) async fn best(State(app): State<Arc<App>>, Id(id): Id) -> Result<Response, Refusal> {
    let job = app.jobs.find(id)?;
    let text = blocking(move || job.best()).await?.map_err(Refusal::internal)?;
    let none =
        || Refusal::new(StatusCode::NOT_FOUND, "there is no best agent yet: wait for the first generation");
    Ok(([(CONTENT_TYPE, "application/toml")], text.ok_or_else(none)?).into_response())
}

/// `GET /api/training/{id}/events`
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    peer: Peer,
    Id(id): Id,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let job = app.jobs.find(id)?;
    let place = app.followers.take(peer.address, 1).ok_or_else(|| {
        let reason = "too many clients follow training runs: close another page that does";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, reason).retry_after(RETRY_FOLLOWING)
    })?;
    let follower = Follower {
        _place: place,
        id: job.id(),
        progress: job.follow(),
        closing: app.closing.subscribe(),
        told: None,
        waiting: VecDeque::new(),
    };
    let stream = unfold(follower, |mut follower| async {
        let event = follower.next().await?;
        Some((Ok(event), follower))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// A client that follows a job.
struct Follower {
    /// Held while it follows.
    _place: Share,
    id: u64,
    progress: watch::Receiver<JobProgress>,
    closing: watch::Receiver<bool>,
    /// What it was sent last.
    told: Option<Told>,
    waiting: VecDeque<Event>,
}

/// What a client knows of a job.
#[derive(Clone, Copy, PartialEq)]
struct Told {
    state: RunState,
    generation: u64,
    judging: Option<JudgingProgress>,
}

impl Follower {
    /// The next event; nothing when the job or the server ends.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            if self.told.is_some() {
                let judging = self.progress.borrow().judging.is_some();
                tokio::select! {
                    changed = self.progress.changed() => changed.ok()?,
                    () = sleep(JUDGING_INTERVAL), if judging => {}
                    _ = self.closing.wait_for(|closing| *closing) => return None,
                }
            }
            self.queue_news();
        }
    }

    /// Queues events for everything new.
    fn queue_news(&mut self) {
        let progress = self.progress.borrow_and_update();
        let now = Told {
            state: progress.state,
            generation: progress.history.count(),
            judging: progress.judging.as_ref().map(Judging::progress),
        };
        match self.told {
            // If a run was resumed from an earlier generation than the one sent last, send everything again.
            Some(told) if told.generation <= now.generation => {
                for Generation { row, weights } in progress.history.after(told.generation) {
                    self.waiting.extend(event("row", &RowEvent { row: *row, weights: weights.clone() }));
                }
                if (told.state, told.judging) != (now.state, now.judging) {
                    self.waiting.extend(event("state", &RunSummary::of(self.id, &progress)));
                }
            }
            _ => {
                self.waiting.extend(event("state", &RunDetails::of(self.id, &progress)));
            }
        }
        self.told = Some(now);
    }
}

/// An event; `None` if it can't be written as JSON, which never happens.
fn event(name: &str, data: &impl Serialize) -> Option<Event> {
    Event::default().event(name).json_data(data).ok()
}

fn status(error: &JobError) -> StatusCode {
    let full = |file: &FileError| file.error.kind() == ErrorKind::StorageFull;
    match error {
        JobError::Unknown(_) => StatusCode::NOT_FOUND,
        JobError::Busy(_)
        | JobError::Full(_)
        | JobError::Running
        | JobError::NotRunning
        | JobError::Finished
        | JobError::Run(RunError::InUse(_)) => StatusCode::CONFLICT,
        JobError::Run(RunError::Recipe(_) | RunError::Diverged) => StatusCode::UNPROCESSABLE_ENTITY,
        JobError::File(file) | JobError::Run(RunError::File(file)) if full(file) => {
            StatusCode::INSUFFICIENT_STORAGE
        }
        JobError::File(_) | JobError::Run(_) | JobError::Thread(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl From<JobError> for Refusal {
    fn from(error: JobError) -> Refusal {
        Refusal::new(status(&error), error.to_string())
    }
}
