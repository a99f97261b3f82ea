//! `/api/training` and `/api/recipes`: training from the page.

use crate::app::App;
use crate::jobs::{GameKind, Job, JobError, Jobs, Progress, State, Turn};
use crate::refusal::{Refusal, short};
use crate::request::{Body, Id, blocking};
use axum::Json;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;
use tetrion_training::file::FileError;
use tetrion_training::parameters;
use tetrion_training::recipe::{NAMED, Recipe, RecipeError, named};
use tetrion_training::run::{Judgement, Row, RunError};
use tokio::sync::{OwnedSemaphorePermit, watch};

#[derive(Serialize)]
struct Listed {
    name: String,
    about: String,
    text: &'static str,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    about: &'static str,
    /// As a change would say it; nothing if the recipe does not.
    value: Option<String>,
}

/// `GET /api/recipes`
pub(crate) async fn recipes() -> Result<Response, Refusal> {
    let list = |(_, text): (&str, &'static str)| {
        let recipe = Recipe::parse(text, &[])?;
        // With what the file leaves out.
        let table = recipe.to_text().parse().map_err(|error| RecipeError::Wrong(format!("{error}")))?;
        let parameter = |parameter: &parameters::Parameter| Parameter {
            name: parameter.name,
            about: parameter.help,
            value: parameters::value(&table, parameter),
        };
        let parameters = parameters::ALL.iter().map(parameter).collect();
        Ok(Listed { name: recipe.name, about: recipe.about, text, parameters })
    };
    let listed: Result<Vec<Listed>, RecipeError> = NAMED.into_iter().map(list).collect();
    Ok(Json(listed.map_err(Refusal::fault)?).into_response())
}

/// A job in a list.
#[derive(Serialize)]
struct Summary {
    id: u64,
    name: String,
    recipe: String,
    game: Option<GameKind>,
    state: State,
    generation: u64,
    generations: Option<u64>,
    games: u64,
    /// The best score of a candidate in any generation.
    best: Option<f64>,
    error: Option<String>,
}

impl Summary {
    fn of(id: u64, progress: &Progress) -> Summary {
        let last = progress.rows.last();
        Summary {
            id,
            name: if progress.recipe.is_empty() {
                format!("run {id}")
            } else {
                format!("{} {id}", progress.recipe)
            },
            recipe: progress.recipe.clone(),
            game: progress.game,
            state: progress.state,
            generation: last.map_or(0, |row| row.generation),
            generations: progress.generations,
            games: last.map_or(0, |row| row.games),
            best: progress.rows.iter().map(|row| row.best).reduce(f64::max),
            error: progress.error.clone(),
        }
    }
}

/// A job with everything that happened.
#[derive(Serialize)]
struct Whole<'p> {
    #[serde(flatten)]
    summary: Summary,
    rows: &'p [Row],
    weights: Weights<'p>,
    judgement: Option<&'p Judgement>,
}

/// The weights after each generation.
#[derive(Serialize)]
struct Weights<'p> {
    names: &'p [String],
    values: &'p [Vec<f64>],
}

fn whole(id: u64, progress: &Progress) -> Result<Value, serde_json::Error> {
    serde_json::to_value(Whole {
        summary: Summary::of(id, progress),
        rows: &progress.rows,
        weights: Weights { names: &progress.features, values: &progress.weights },
        judgement: progress.judgement.as_ref(),
    })
}

/// `GET /api/training`
pub(crate) async fn list(Shared(app): Shared<Arc<App>>) -> Result<Response, Refusal> {
    let summary = |job: &Arc<Job>| Summary::of(job.id(), &job.follow().borrow());
    let jobs = blocking(move || app.jobs.list()).await?;
    Ok(Json(jobs.iter().map(summary).collect::<Vec<_>>()).into_response())
}

/// What to train by.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    recipe: String,
    #[serde(default)]
    changes: BTreeMap<String, String>,
}

/// `POST /api/training`
pub(crate) async fn start(Shared(app): Shared<Arc<App>>, Body(body): Body) -> Result<Response, Refusal> {
    let order: Order = serde_json::from_slice(&body).map_err(|error| {
        let example = r#"{"recipe": "lee", "changes": {"population": "20"}}"#;
        Refusal::new(StatusCode::BAD_REQUEST, format!("{error}: send what to train by, such as {example}"))
    })?;
    let text = named(&order.recipe).map_err(|_| {
        let reason = format!("there is no recipe '{}': GET /api/recipes lists them", short(&order.recipe));
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, reason)
    })?;
    let changes: Vec<_> = order.changes.into_iter().collect();
    let start = move |jobs: &Jobs, turn: &mut Turn| {
        let recipe = Recipe::parse(text, &changes).map_err(RunError::from)?;
        jobs.start(turn, recipe)
    };
    let id = change(app, start).await?;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))).into_response())
}

/// Changes something about the runs, which may take a while. Whoever asks for that waits for their turn, and stands in nobody
/// else's way.
async fn change<T: Send + 'static>(
    app: Arc<App>,
    change: impl FnOnce(&Jobs, &mut Turn) -> Result<T, JobError> + Send + 'static,
) -> Result<T, Refusal> {
    let mut turn = app.jobs.turn().await;
    blocking(move || {
        change(&app.jobs, &mut turn)
            .map_err(|error| Refusal::new(status(&error), app.jobs.tell(&error.to_string())))
    })
    .await?
}

/// `GET /api/training/{id}`
pub(crate) async fn show(Shared(app): Shared<Arc<App>>, Id(id): Id) -> Result<Json<Value>, Refusal> {
    let job = app.jobs.find(id)?;
    let shown = whole(job.id(), &job.follow().borrow()).map_err(Refusal::fault)?;
    Ok(Json(shown))
}

/// `POST /api/training/{id}/stop`
pub(crate) async fn stop(Shared(app): Shared<Arc<App>>, Id(id): Id) -> Result<StatusCode, Refusal> {
    app.jobs.stop(id)?;
    Ok(StatusCode::ACCEPTED)
}

/// `POST /api/training/{id}/resume`
pub(crate) async fn resume(Shared(app): Shared<Arc<App>>, Id(id): Id) -> Result<StatusCode, Refusal> {
    change(app, move |jobs, turn| jobs.resume(turn, id)).await?;
    Ok(StatusCode::ACCEPTED)
}

/// `DELETE /api/training/{id}`
pub(crate) async fn delete(Shared(app): Shared<Arc<App>>, Id(id): Id) -> Result<StatusCode, Refusal> {
    change(app, move |jobs, turn| jobs.delete(turn, id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/training/{id}/best`
pub(crate) async fn best(Shared(app): Shared<Arc<App>>, Id(id): Id) -> Result<Response, Refusal> {
    let job = app.jobs.find(id)?;
    let text = blocking(move || job.best()).await?.map_err(Refusal::fault)?;
    let none = || Refusal::new(StatusCode::NOT_FOUND, "there is no best yet: wait for the first generation");
    Ok(([(CONTENT_TYPE, "application/toml")], text.ok_or_else(none)?).into_response())
}

/// `GET /api/training/{id}/events`
pub(crate) async fn events(
    Shared(app): Shared<Arc<App>>,
    Id(id): Id,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let job = app.jobs.find(id)?;
    let place = Arc::clone(&app.followers).try_acquire_owned().map_err(|_| {
        let reason = "as many as can be follow training runs: close another page that does";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, reason).until(Duration::from_secs(10))
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

/// Somebody who follows a job.
struct Follower {
    /// Held as long as they follow.
    _place: OwnedSemaphorePermit,
    id: u64,
    progress: watch::Receiver<Progress>,
    closing: watch::Receiver<bool>,
    /// The state and the number of rows that they know.
    told: Option<(State, usize)>,
    waiting: VecDeque<Event>,
}

impl Follower {
    /// What they are told next; nothing when the job or the server goes away.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            if self.told.is_some() {
                tokio::select! {
                    changed = self.progress.changed() => changed.ok()?,
                    _ = self.closing.wait_for(|closing| *closing) => return None,
                }
            }
            self.look();
        }
    }

    /// Finds out what is new.
    fn look(&mut self) {
        let progress = self.progress.borrow_and_update();
        let now = (progress.state, progress.rows.len());
        match self.told {
            // A run that went on from an earlier generation than the one that was told begins anew.
            Some((_, rows)) if rows <= now.1 => {
                for (row, weights) in progress.rows.iter().zip(&progress.weights).skip(rows) {
                    self.waiting.extend(event("row", &json!({ "row": row, "weights": weights })));
                }
                if self.told.is_some_and(|(state, _)| state != now.0) {
                    self.waiting.extend(event("state", &Summary::of(self.id, &progress)));
                }
            }
            _ => {
                let everything = whole(self.id, &progress);
                self.waiting.extend(everything.ok().and_then(|whole| event("state", &whole)));
            }
        }
        self.told = Some(now);
    }
}

/// An event; none if it can't be written, which no event of ours is.
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
