// The JSON of the server's API. Generated from crates/server by `cargo test -p tetrion-server`: do not edit.
import type { Category, Competitor, Mode, Outcome } from "../engine";

export type ErrorBody = { error: string, };
export type ServerAbout = { name: string, version: string, scores: boolean, training: boolean, };
export type Score = { id: number, rank: number, mode: Category, player: string, by: Competitor, outcome: Outcome, micros: number | null, pieces: number, lines: number, score: number, keys: number | null, at: number, unverified: string | null, };
export type ScoreList = { scores: Array<Score>, };
export type AcceptedScore = { id: number, rank: number, unverified: string | null, };
export type TicketOrder = { mode: Category | "daily", };
export type IssuedTicket = { ticket: string, seed: string, };
export type PauseOrder = { ticket: string, micros: number, inputs: number, digest: string, };
export type TicketText = { ticket: string, };
export type RecipeParameter = { name: string, about: string, choices: Array<string>, value: string | null, };
export type RecipeInfo = { name: string, about: string, text: string, parameters: Array<RecipeParameter>, };
export type TrainingOrder = { recipe: string, changes: { [key in string]: string }, };
export type StartedRun = { id: number, };
export type RunState = "running" | "stopped" | "finished" | "failed";
export type GameKind = { mode: Mode, width: number, height: number, };
export type JudgingProgress = { done: number, total: number, };
export type RunSummary = { id: number, name: string, recipe: string, objective: string, game: GameKind | null, state: RunState, generation: number, generations: number | null, games: number, seconds: number, best: number | null, judging: JudgingProgress | null, error: string | null, };
export type RunDetails = { rows: Array<Row>, weights: WeightHistory, judgement: Judgement | null, id: number, name: string, recipe: string, objective: string, game: GameKind | null, state: RunState, generation: number, generations: number | null, games: number, seconds: number, best: number | null, judging: JudgingProgress | null, error: string | null, };
export type WeightHistory = { names: Array<string>, values: Array<Array<number>>, };
export type Row = { generation: number, evaluations: number, games: number, best: number, mean: number, std: number, min: number, seconds: number, saved: number, };
export type RowEvent = { row: Row, weights: Array<number>, };
export type Judgement = { objective: string, games: number, seed: number, verdicts: Array<Verdict>, };
export type Verdict = { agent: string, mean: number, ci95: [number, number] | null, };
