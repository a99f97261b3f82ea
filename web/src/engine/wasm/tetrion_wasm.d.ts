/* tslint:disable */
/* eslint-disable */
/**
 * A fingerprint of a game so far.
 */
export interface GameSeal {
    /**
     * Time played.
     */
    micros: number;
    /**
     * The number of inputs.
     */
    inputs: number;
    /**
     * Their hash, in hexadecimal digits.
     */
    digest: string;
}

/**
 * A game as it is seen.
 */
export interface GameView {
    mode: Mode;
    width: number;
    /**
     * Visible rows; `cells` has four more.
     */
    height: number;
    /**
     * Row by row from the bottom: 0 is empty, 1 to 7 is a piece, 8 is a grey cell.
     */
    cells: Uint8Array;
    active: PieceView | null;
    ghost: Cell[] | null;
    hold: Piece | null;
    canHold: boolean;
    /**
     * Whether the rules have hold.
     */
    hasHold: boolean;
    previews: Piece[];
    /**
     * How many previews come before the next bag; null if no bag ends among them.
     */
    bagLine: number | null;
    /**
     * Microseconds played.
     */
    time: number;
    score: number;
    lines: number;
    pieces: number;
    goalLines: number | null;
    goalPieces: number | null;
    /**
     * Microseconds.
     */
    goalTime: number | null;
    outcome: Outcome | null;
    /**
     * How the game was lost, such as "Block out".
     */
    reason: string | null;
    keys: number;
    /**
     * Finesse faults.
     */
    faults: number;
}

/**
 * A game to be kept.
 */
export interface RecordedGame {
    /**
     * The replay file.
     */
    bytes: Uint8Array;
    about: About;
    /**
     * Whether it counts on a leaderboard.
     */
    ranked: boolean;
}

/**
 * A key of a path.
 */
export interface PathStep {
    /**
     * Such as `left`, `far right`, `soft drop 3` or `hold`.
     */
    key: string;
    /**
     * Where the piece is after it.
     */
    cells: Cell[];
}

/**
 * A leaderboard.
 */
export interface LeaderboardAbout {
    category: Category;
    mode: Mode;
    /**
     * The lines of a Sprint.
     */
    lines: number | null;
    by: Competitor;
    /**
     * How it is ordered, in words.
     */
    order: string;
}

/**
 * A match as it is seen.
 */
export interface MatchView {
    sides: [SideView, SideView];
    /**
     * Microseconds played.
     */
    time: number;
    isOver: boolean;
    /**
     * The side that won; null while it goes on, and for a draw.
     */
    winner: Side | null;
}

/**
 * A move that was considered.
 */
export interface ConsideredMoveView {
    /**
     * For [`move_path`].
     */
    play: Uint8Array;
    hold: boolean;
    piece: PieceView;
    score: number;
    /**
     * What the move itself contributes.
     */
    terms: TermView[];
    /**
     * What the rest of the line contributes: with the terms, it adds up to the score.
     */
    rest: number;
    /**
     * The pieces expected after it.
     */
    line: PieceView[];
}

/**
 * A named agent.
 */
export interface AgentAbout {
    name: string;
    about: string;
    /**
     * The choices, weakest first, if it gets stronger with more nodes.
     */
    strengths: AgentStrength[];
}

/**
 * A part of a score: value times weight.
 */
export interface TermView {
    label: string;
    /**
     * What it counts, in a few words; may be empty.
     */
    brief: string;
    value: number;
    weight: number;
    /**
     * The cells that it is about, on the board with the piece on it, before rows are cleared: column and row of each.
     */
    cells: Uint8Array;
}

/**
 * A piece and its cells.
 */
export interface PieceView {
    piece: Piece;
    cells: Cell[];
}

/**
 * A piece as it spawns, moved to the lowest row and the first column.
 */
export interface PieceShape {
    piece: Piece;
    cells: Cell[];
}

/**
 * A placement of the piece.
 */
export interface TinyMove {
    decision: number;
    /**
     * The cells of the rotated piece, from its bottom left corner.
     */
    shape: Cell[];
    /**
     * Where it comes to rest; some may be above the board.
     */
    cells: Cell[];
    column: number;
    /**
     * Rows cleared at once.
     */
    clears: number;
    loses: boolean;
    /**
     * Expected rows with this move and optimal play after it.
     */
    value: number;
    best: boolean;
}

/**
 * A placement.
 */
export interface PlacementView {
    /**
     * From 1.
     */
    number: number;
    /**
     * Microseconds played.
     */
    at: number;
    /**
     * The name of the clear, such as "T-Spin Double".
     */
    name: string | null;
    cleared: number;
    /**
     * The cleared rows, counted from the bottom.
     */
    clearedRows: number[];
    backToBack: boolean;
    combo: number;
    perfectClear: boolean;
    /**
     * After it.
     */
    lines: number;
    /**
     * After it.
     */
    score: number;
    /**
     * The height of the stack after it.
     */
    height: number;
    /**
     * The lines that it sent to the other player, in versus.
     */
    sent: number;
    /**
     * Rows of garbage that rose with it.
     */
    garbage: number;
}

/**
 * A strength, and what it costs.
 */
export interface AgentStrength {
    strength: Strength;
    /**
     * Placements to evaluate per move.
     */
    nodes: number;
}

/**
 * An attack that waits.
 */
export interface WaitingAttack {
    rows: number;
    /**
     * Whether it rises with the next piece.
     */
    due: boolean;
}

/**
 * How a piece gets to its place with the fewest keys.
 */
export interface MovePath {
    /**
     * Where it spawns.
     */
    start: Cell[];
    /**
     * Key by key; empty if the game has no keys.
     */
    steps: PathStep[];
}

/**
 * How strong an agent plays, for those that get stronger with more nodes.
 */
export type Strength = "fast" | "normal" | "strong";

/**
 * One side of a match as it is seen.
 */
export interface SideView {
    game: GameView;
    /**
     * The attacks that wait for it, the next to rise first.
     */
    waiting: WaitingAttack[];
    /**
     * The lines of all its attacks.
     */
    attack: number;
    /**
     * What is left of them after cancelling: the lines that went to the other side.
     */
    sent: number;
    /**
     * Whether another tetris or T-spin would be back-to-back.
     */
    backToBack: boolean;
    /**
     * The number of clears in a row before the last one; 0 without a combo.
     */
    combo: number;
}

/**
 * The leaderboards.
 */
export interface Leaderboards {
    /**
     * How long the countdown before a ranked game takes, in milliseconds.
     */
    countdownMillis: number;
    /**
     * How long a verified game may be paused in total, in minutes.
     */
    maxPausedMinutes: number;
    /**
     * Those that stay the same every day. That of a daily is like that of Sprint.
     */
    leaderboards: LeaderboardAbout[];
}

/**
 * The named agents.
 */
export interface Agents {
    agents: AgentAbout[];
}

/**
 * The other side of a match.
 */
export interface OpponentAbout {
    player: string;
    /**
     * The side that won; null for a draw, and if nobody has yet.
     */
    winner: Side | null;
}

/**
 * The pieces in table order, each as it spawns.
 */
export interface Shapes {
    pieces: PieceShape[];
}

/**
 * The placements of a game.
 */
export interface Placements {
    placed: PlacementView[];
}

/**
 * The placements of a match.
 */
export interface MatchPlacements {
    placed: [PlacementView[], PlacementView[]];
}

/**
 * The player's handling. Times are in microseconds.
 */
export interface HandlingSettings {
    repeatDelay: number;
    repeatInterval: number;
    /**
     * 0 drops instantly.
     */
    softDropFactor: number;
}

/**
 * The position that a game starts from.
 */
export interface StartPosition {
    /**
     * From the top; a letter or any sign but `.` is filled.
     */
    rows: string[];
    hold: Piece | null;
    queue: Piece[];
}

/**
 * What a replay says of itself.
 */
export interface About {
    player: string;
    mode: Mode;
    /**
     * What it is compared with; null if its rules are not standard. Replays kept by earlier versions don't say.
     */
    category?: Category | null;
    /**
     * The lines that end it.
     */
    goalLines?: number | null;
    /**
     * Microseconds.
     */
    duration: number;
    /**
     * Whether the times are those of the game, or made up for moves without any.
     */
    timed: boolean;
    /**
     * Whether an agent placed pieces in it.
     */
    agent: boolean;
    pieces: number;
    lines: number;
    score: number;
    outcome: Outcome | null;
    /**
     * The other side, if it is a match: then everything else is about the first.
     */
    opponent?: OpponentAbout | null;
    stateHash: string;
}

/**
 * What an agent would do, and why.
 */
export interface Thought {
    /**
     * For [`LiveGame::place`](crate::LiveGame::place).
     */
    play: Uint8Array;
    piece: PieceView;
    /**
     * The considered moves, best first; empty if the agent does not explain, or was not asked to.
     */
    candidates: ConsideredMoveView[];
    /**
     * The fewest keys that bring the piece there, if the game has keys and an explanation was asked for.
     */
    keys: string[];
}

/**
 * What the page draws.
 */
export interface TinyView {
    /**
     * From the top.
     */
    rows: boolean[][];
    /**
     * The piece to place.
     */
    piece: string;
    moves: TinyMove[];
    placed: number;
    cleared: number;
    lost: boolean;
    /**
     * Rows that optimal play clears on average over the first pieces.
     */
    optimum: number;
}

/**
 * Which game to play.
 */
export interface GameSetup {
    mode: Mode;
    /**
     * Whether only an agent plays: its Blitz is limited by pieces, not by time.
     */
    forAgents?: boolean;
    halfTurns?: boolean;
    /**
     * Only hard drops: no soft drops, slides or spins.
     */
    hardDrops?: boolean;
    opening?: StartPosition;
    /**
     * Columns and rows, if other than the mode's.
     */
    board?: [number, number];
    /**
     * Lines that end the game, if other than the mode's.
     */
    lines?: number;
    /**
     * Pieces after which the game ends, if its mode does not end it earlier.
     */
    maxPieces?: number;
}

/**
 * Which match to play.
 */
export interface MatchSetup {
    rules: VersusPreset;
    halfTurns: boolean;
    /**
     * The handling of the person on side 0, who plays an agent; without it, two agents play.
     */
    handling?: HandlingSettings;
}

// Names of the engine. Generated by `cargo test -p tetrion-wasm`: do not edit.
export type Piece = "I" | "J" | "L" | "O" | "S" | "T" | "Z";
export type Mode = "sprint" | "blitz" | "practice" | "classic" | "zen" | "versus";
export type Button = "left" | "right" | "softDrop" | "hardDrop" | "clockwise" | "counterClockwise" | "halfTurn" | "hold" | "undo" | "redo";
export type Outcome = "clear" | "top_out" | "time_up" | "piece_limit";
export type VersusPreset = "guideline" | "ppt";
export type Competitor = "person" | "agent";
export type Category = "sprint-20" | "sprint" | "sprint-80" | "sprint-100" | "blitz" | `daily-${string}`;
/** A side of a match. */
export type Side = 0 | 1;
/** Column, and row from the bottom. */
export type Cell = [number, number];



/**
 * A game under way. All times are in microseconds of the page's clock, from the start of the game.
 */
export class LiveGame {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Lets the time pass.
     */
    advance(time: number): void;
    /**
     * A button goes down.
     */
    down(time: number, button: Button): void;
    /**
     * Goes on with the game of a replay that was left before its end, at the time when it was left.
     */
    static goOn(bytes: Uint8Array | number[]): LiveGame;
    /**
     * Starts a game at time 0.
     */
    constructor(setup: GameSetup, seed: bigint, hands: HandlingSettings);
    /**
     * Pauses the game.
     */
    pause(time: number): void;
    /**
     * An agent's move, as a thinker gave it.
     */
    place(time: number, play: Uint8Array | number[]): void;
    /**
     * The placements from this index on.
     */
    placedFrom(first: number): Placements;
    /**
     * The position and its rules, for a thinker; nothing when the game is over.
     */
    position(): Uint8Array | undefined;
    /**
     * The game so far, to be kept.
     */
    recorded(player: string): RecordedGame;
    /**
     * Resumes the game.
     */
    resume(time: number): void;
    /**
     * Seals the game so far, for the ticket of a ranked game that is paused.
     */
    seal(): GameSeal;
    /**
     * A hash of everything visible in the game, the same on every machine.
     */
    stateHash(): string;
    /**
     * A button goes up.
     */
    up(time: number, button: Button): void;
    /**
     * What the page draws.
     */
    view(): GameView;
    /**
     * The seed of its pieces.
     */
    readonly seed: bigint;
}

/**
 * A match under way. All times are in microseconds played, from its start. A person plays side 0, if one plays at all.
 */
export class LiveMatch {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Lets the time pass.
     */
    advance(time: number): void;
    /**
     * A button of the person goes down.
     */
    down(time: number, button: Button): void;
    /**
     * Starts a match at time 0.
     */
    constructor(setup: MatchSetup, seed: bigint);
    /**
     * An agent's move, as a thinker gave it.
     */
    place(side: Side, time: number, play: Uint8Array | number[]): void;
    /**
     * The placements of both sides, from these indices on.
     */
    placedFrom(first: number, other: number): MatchPlacements;
    /**
     * The position of a side, its rules and the other side's position, for a thinker; nothing when its game is over.
     */
    position(side: Side): Uint8Array | undefined;
    /**
     * The match so far, to be kept.
     */
    recorded(one: string, other: string): RecordedGame;
    /**
     * All buttons go up, for a pause: then the page lets no time pass.
     */
    releaseAll(time: number): void;
    /**
     * A button of the person goes up.
     */
    up(time: number, button: Button): void;
    /**
     * What the page draws.
     */
    view(): MatchView;
    /**
     * Whether it is over: then nothing more is to be done in it.
     */
    readonly isOver: boolean;
}

/**
 * A recorded match that verifies.
 */
export class MatchViewer {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * What the replay says of itself.
     */
    about(): About;
    /**
     * Reads a file and verifies it.
     */
    constructor(bytes: Uint8Array | number[]);
    /**
     * Everything that was placed.
     */
    record(): MatchPlacements;
    /**
     * Shows another time.
     */
    seek(time: number): void;
    /**
     * What is seen at the shown time.
     */
    view(): MatchView;
}

/**
 * A bot. Messages are JSON.
 */
export class TbpBot {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The first message to send.
     */
    greeting(): string;
    /**
     * Follows a message, and returns the answer if it has one. An error says why the message was ignored.
     */
    hear(message: string): string | undefined;
    /**
     * The bot of an agent; without a name, that of the usual one.
     */
    constructor(agent?: string | null);
    /**
     * Thinks for a moment; false if there is nothing more to think about.
     */
    think(): boolean;
    /**
     * Whether the front end has dismissed it.
     */
    readonly hasQuit: boolean;
}

/**
 * An agent at work.
 */
export class Thinker {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * An agent from the text of its file.
     */
    static fromFile(text: string, name: string): Thinker;
    /**
     * Limits what it may spend on each move: this many placements, if it respects limits.
     */
    limit(nodes: number): void;
    /**
     * The agent of that name, with the seed of its random choices.
     */
    constructor(name: string, seed: bigint);
    /**
     * The move for a position; nothing if there is none.
     */
    think(position: Uint8Array | number[], explain: boolean): Thought | undefined;
}

/**
 * The game with its solution.
 */
export class Tiny {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * What the optimal policy would play; nothing if every move loses.
     */
    best(): number | undefined;
    /**
     * Solves the game, which takes a moment, and starts one.
     */
    constructor(seed: bigint);
    /**
     * Places the piece. A move that loses ends the game.
     */
    place(decision: number): void;
    /**
     * Starts another game.
     */
    restart(seed: bigint): void;
    /**
     * What the page draws, with every move and its value.
     */
    view(): TinyView;
}

/**
 * A replay that verifies.
 */
export class Viewer {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * What the replay says of itself.
     */
    about(): About;
    /**
     * The whole game as a fumen, a page for each placement.
     */
    fumen(): string;
    /**
     * The whole game as an animated GIF.
     */
    gif(): Uint8Array;
    /**
     * Reads a file and verifies it.
     */
    constructor(bytes: Uint8Array | number[]);
    /**
     * The shown position as a PNG.
     */
    png(): Uint8Array;
    /**
     * Everything that was placed.
     */
    record(): Placements;
    /**
     * Shows another time.
     */
    seek(time: number): void;
    /**
     * The shown position, to play on from. The rest of the bag comes in the same order.
     */
    start(): StartPosition;
    /**
     * What is seen at the shown time.
     */
    view(): GameView;
}

/**
 * All named agents.
 */
export function agents(): Agents;

/**
 * The seed of the daily of a day, such as `2026-11-18`.
 */
export function dailySeed(day: string): bigint;

/**
 * The name of the agent that plays if nobody chose one.
 */
export function defaultAgent(): string;

/**
 * Whether a file holds a match, not a game.
 */
export function isMatch(bytes: Uint8Array | number[]): boolean;

/**
 * The leaderboards and their rules.
 */
export function leaderboards(): Leaderboards;

/**
 * The path of a considered move, in the position that the thinker was asked about.
 */
export function movePath(position: Uint8Array | number[], play: Uint8Array | number[]): MovePath;

/**
 * The name on the leaderboards of a player who typed this; nothing if it can't be on one.
 */
export function nameOf(typed: string): string | undefined;

/**
 * What is wrong with a player's name as it was typed, if it can't be on a leaderboard.
 */
export function nameProblem(typed: string): string | undefined;

/**
 * The pieces.
 */
export function shapes(): Shapes;

/**
 * What ranked games of a leaderboard are ordered by, number by number: less is better.
 */
export function standing(about: About): Float64Array;

/**
 * The first page of a fumen as a start position.
 */
export function startOfFumen(text: string): StartPosition;

/**
 * Reads the file of a game or a match, verifies it, and returns what it says of itself.
 */
export function verifiedReplay(bytes: Uint8Array | number[]): About;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_livegame_free: (a: number, b: number) => void;
    readonly __wbg_livematch_free: (a: number, b: number) => void;
    readonly __wbg_matchviewer_free: (a: number, b: number) => void;
    readonly __wbg_tbpbot_free: (a: number, b: number) => void;
    readonly __wbg_thinker_free: (a: number, b: number) => void;
    readonly __wbg_tiny_free: (a: number, b: number) => void;
    readonly __wbg_viewer_free: (a: number, b: number) => void;
    readonly agents: () => [number, number, number];
    readonly dailySeed: (a: number, b: number) => [bigint, number, number];
    readonly defaultAgent: () => [number, number];
    readonly isMatch: (a: number, b: number) => [number, number, number];
    readonly leaderboards: () => [number, number, number];
    readonly livegame_advance: (a: number, b: number) => void;
    readonly livegame_down: (a: number, b: number, c: number, d: number) => [number, number];
    readonly livegame_goOn: (a: number, b: number) => [number, number, number];
    readonly livegame_new: (a: any, b: bigint, c: any) => [number, number, number];
    readonly livegame_pause: (a: number, b: number) => void;
    readonly livegame_place: (a: number, b: number, c: number, d: number) => [number, number];
    readonly livegame_placedFrom: (a: number, b: number) => [number, number, number];
    readonly livegame_position: (a: number) => [number, number];
    readonly livegame_recorded: (a: number, b: number, c: number) => [number, number, number];
    readonly livegame_resume: (a: number, b: number) => void;
    readonly livegame_seal: (a: number) => [number, number, number];
    readonly livegame_seed: (a: number) => bigint;
    readonly livegame_stateHash: (a: number) => [number, number];
    readonly livegame_up: (a: number, b: number, c: number, d: number) => [number, number];
    readonly livegame_view: (a: number) => [number, number, number];
    readonly livematch_advance: (a: number, b: number) => void;
    readonly livematch_down: (a: number, b: number, c: number, d: number) => [number, number];
    readonly livematch_isOver: (a: number) => number;
    readonly livematch_new: (a: any, b: bigint) => [number, number, number];
    readonly livematch_place: (a: number, b: number, c: number, d: number, e: number) => [number, number];
    readonly livematch_placedFrom: (a: number, b: number, c: number) => [number, number, number];
    readonly livematch_position: (a: number, b: number) => [number, number];
    readonly livematch_recorded: (a: number, b: number, c: number, d: number, e: number) => [number, number, number];
    readonly livematch_releaseAll: (a: number, b: number) => void;
    readonly livematch_up: (a: number, b: number, c: number, d: number) => [number, number];
    readonly livematch_view: (a: number) => [number, number, number];
    readonly matchviewer_about: (a: number) => [number, number, number];
    readonly matchviewer_new: (a: number, b: number) => [number, number, number];
    readonly matchviewer_record: (a: number) => [number, number, number];
    readonly matchviewer_seek: (a: number, b: number) => void;
    readonly matchviewer_view: (a: number) => [number, number, number];
    readonly movePath: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly nameOf: (a: number, b: number) => [number, number];
    readonly nameProblem: (a: number, b: number) => [number, number];
    readonly shapes: () => [number, number, number];
    readonly standing: (a: any) => [number, number, number, number];
    readonly startOfFumen: (a: number, b: number) => [number, number, number];
    readonly tbpbot_greeting: (a: number) => [number, number];
    readonly tbpbot_hasQuit: (a: number) => number;
    readonly tbpbot_hear: (a: number, b: number, c: number) => [number, number, number, number];
    readonly tbpbot_new: (a: number, b: number) => [number, number, number];
    readonly tbpbot_think: (a: number) => number;
    readonly thinker_fromFile: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly thinker_limit: (a: number, b: number) => void;
    readonly thinker_new: (a: number, b: number, c: bigint) => [number, number, number];
    readonly thinker_think: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly tiny_best: (a: number) => number;
    readonly tiny_new: (a: bigint) => [number, number, number];
    readonly tiny_place: (a: number, b: number) => [number, number];
    readonly tiny_restart: (a: number, b: bigint) => void;
    readonly tiny_view: (a: number) => [number, number, number];
    readonly verifiedReplay: (a: number, b: number) => [number, number, number];
    readonly viewer_about: (a: number) => [number, number, number];
    readonly viewer_fumen: (a: number) => [number, number, number, number];
    readonly viewer_gif: (a: number) => [number, number, number, number];
    readonly viewer_new: (a: number, b: number) => [number, number, number];
    readonly viewer_png: (a: number) => [number, number];
    readonly viewer_record: (a: number) => [number, number, number];
    readonly viewer_seek: (a: number, b: number) => void;
    readonly viewer_start: (a: number) => [number, number, number];
    readonly viewer_view: (a: number) => [number, number, number];
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_exn_store: (a: number) => void;
    readonly __externref_table_alloc: () => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
