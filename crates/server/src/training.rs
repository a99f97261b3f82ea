//! `/api/training` and `/api/recipes`: training from the page.

use crate::app::App;
use crate::jobs::{GameKind, Job, JobError, Progress, State};
use crate::refusal::Refusal;
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
use tetrion_training::parameters;
use tetrion_training::recipe::{NAMED, Recipe, RecipeError, named};
use tetrion_training::run::{Judgement, Row, RunError};
use tokio::sync::watch;

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
            name: format!("{} {id}", progress.recipe),
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
pub(crate) async fn list(Shared(app): Shared<Arc<App>>) -> Response {
    let summary = |job: &Arc<Job>| Summary::of(job.id(), &job.follow().borrow());
    Json(app.jobs.list().iter().map(summary).collect::<Vec<_>>()).into_response()
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
        let reason = format!("there is no recipe '{}': GET /api/recipes lists them", order.recipe);
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, reason)
    })?;
    let changes: Vec<_> = order.changes.into_iter().collect();
    let recipe = Recipe::parse(text, &changes).map_err(RunError::from).map_err(JobError::from)?;
    let id = blocking(move || app.jobs.start(recipe)).await??;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))).into_response())
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
    blocking(move || app.jobs.resume(id)).await??;
    Ok(StatusCode::ACCEPTED)
}

/// `DELETE /api/training/{id}`
pub(crate) async fn delete(Shared(app): Shared<Arc<App>>, Id(id): Id) -> Result<StatusCode, Refusal> {
    blocking(move || app.jobs.delete(id)).await??;
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
    let follower = Follower {
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

impl From<JobError> for Refusal {
    fn from(error: JobError) -> Refusal {
        let full = |file: &tetrion_training::file::FileError| file.error.kind() == ErrorKind::StorageFull;
        let status = match &error {
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
        };
        Refusal::new(status, error.to_string())
    }
}
