/* tslint:disable */
/* eslint-disable */

export type Piece = "I" | "J" | "L" | "O" | "S" | "T" | "Z";
export type Mode = "sprint" | "blitz" | "practice" | "classic";
export type Button =
| "left" | "right" | "softDrop" | "hardDrop" | "clockwise" | "counterClockwise" | "halfTurn" | "hold" | "undo" | "redo";
export type Outcome = "clear" | "top_out" | "time_up" | "piece_limit";
/** Column, and row from the bottom. */
export type Cell = [number, number];


/**
 * A game as it is seen.
 */
export interface GameView {
    mode: Mode;
    width: number;
    /**
     * Rows inside; four more are in `cells`.
     */
    height: number;
    /**
     * Row by row from the bottom: 0 for empty, 1 to 7 for a piece, 8 for a cell that came from none.
     */
    cells: Uint8Array;
    active: PieceView | null;
    ghost: Cell[] | null;
    hold: Piece | null;
    canHold: boolean;
    /**
     * Whether there is a hold in these rules.
     */
    hasHold: boolean;
    previews: Piece[];
    /**
     * How many of the previews come before the next bag; nothing if no bag ends there.
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
     * How it was lost, in words.
     */
    reason: string | null;
    keys: number;
    /**
     * Pieces that took more keys than they had to.
     */
    faults: number;
}

/**
 * A move that was considered.
 */
export interface CandidateView {
    hold: boolean;
    piece: PieceView;
    score: number;
    parts: PartView[];
    /**
     * The pieces expected after it.
     */
    line: PieceView[];
}

/**
 * A part of a score: value times weight.
 */
export interface PartView {
    feature: string;
    value: number;
    weight: number;
}

/**
 * A piece as it enters, in the lowest row and the first column.
 */
export interface PieceShape {
    piece: Piece;
    cells: Cell[];
}

/**
 * A piece somewhere.
 */
export interface PieceView {
    piece: Piece;
    cells: Cell[];
}

/**
 * A piece that was placed.
 */
export interface PlacedView {
    /**
     * From 1.
     */
    number: number;
    /**
     * Microseconds played.
     */
    at: number;
    /**
     * What players call it.
     */
    name: string | null;
    cleared: number;
    /**
     * The rows that were full, from the bottom.
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
     * Of the stack, after it.
     */
    height: number;
}

/**
 * An agent that has a name.
 */
export interface AgentAbout {
    name: string;
    about: string;
}

/**
 * Everything that was placed.
 */
export interface Record {
    placed: PlacedView[];
}

/**
 * How the keys act. Times are in microseconds.
 */
export interface Hands {
    repeatDelay: number;
    repeatInterval: number;
    /**
     * 0 falls to the ground at once.
     */
    softDropFactor: number;
}

/**
 * The agents that have a name.
 */
export interface Agents {
    agents: AgentAbout[];
}

/**
 * The pieces in table order, each as it enters.
 */
export interface Shapes {
    pieces: PieceShape[];
}

/**
 * What a replay says of itself.
 */
export interface About {
    player: string;
    mode: Mode;
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
    stateHash: string;
}

/**
 * What an agent would do, and why.
 */
export interface Thought {
    /**
     * For [`Session::place`](crate::Session::place).
     */
    play: Uint8Array;
    piece: PieceView;
    /**
     * All that were considered, best first; empty if the agent has no reasons, or was not asked.
     */
    candidates: CandidateView[];
    /**
     * The fewest keys that bring the piece there, if reasons were asked for and the game has keys.
     */
    keys: string[];
}

/**
 * What is played.
 */
export interface Setup {
    mode: Mode;
    /**
     * Whether an agent alone plays: its Blitz has pieces, not minutes.
     */
    forAgents?: boolean;
    halfTurns?: boolean;
    /**
     * Nothing but straight drops after moving and turning in the open.
     */
    hardDrops?: boolean;
    opening?: Start;
    /**
     * Columns and rows, if not those of the mode.
     */
    board?: [number, number];
    /**
     * Pieces after which a game ends that has no end of its own.
     */
    maxPieces?: number;
}

/**
 * What is seen of it.
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
     * Rows that the best play clears on average, over the first pieces.
     */
    optimum: number;
}

/**
 * What it begins with.
 */
export interface Start {
    /**
     * From the top; a letter or any sign but `.` is filled.
     */
    rows: string[];
    hold: Piece | null;
    queue: Piece[];
}

/**
 * Where the piece can go.
 */
export interface TinyMove {
    decision: number;
    /**
     * The shape as it faces, from its lowest left corner.
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
     * Rows that can be expected with it and the best play after it.
     */
    value: number;
    best: boolean;
}


/**
 * A game under way. All times are in microseconds of the page's clock, from the start of the game.
 */
export class Session {
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
     * Starts a game at time 0.
     */
    constructor(setup: Setup, seed: bigint, hands: Hands);
    /**
     * Stops the time.
     */
    pause(time: number): void;
    /**
     * An agent's move, as a thinker gave it.
     */
    place(time: number, play: Uint8Array | number[]): void;
    /**
     * What was placed from that number on, counted from 0.
     */
    placedFrom(first: number): Record;
    /**
     * The bytes of the replay file so far.
     */
    replay(player: string): Uint8Array;
    /**
     * Lets it go on.
     */
    resume(time: number): void;
    /**
     * What a thinker has to know; nothing when the game is over.
     */
    snapshot(): Uint8Array | undefined;
    /**
     * A number for what can be seen of the game, the same on every machine.
     */
    stateHash(): string;
    /**
     * A button goes up.
     */
    up(time: number, button: Button): void;
    /**
     * What is seen.
     */
    view(): GameView;
}

/**
 * An agent at work.
 */
export class Thinker {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * An agent out of a file's text.
     */
    static fromFile(text: string, name: string): Thinker;
    /**
     * The agent of that name; what it leaves to chance depends on the seed alone.
     */
    constructor(name: string, seed: bigint);
    /**
     * The move for a snapshot; nothing if there is none.
     */
    think(snapshot: Uint8Array | number[], explain: boolean): Thought | undefined;
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
     * Solves the game, which takes a blink, and starts one.
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
     * What is seen, with every move and its value.
     */
    view(): TinyView;
}

/**
 * A replay, found true.
 */
export class Viewer {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * What the replay says of itself.
     */
    about(): About;
    /**
     * The whole game as a diagram, a page for each placement.
     */
    fumen(): string;
    /**
     * The whole game as an animated picture.
     */
    gif(): Uint8Array;
    /**
     * Reads a file, and plays it again to see that it is true.
     */
    constructor(bytes: Uint8Array | number[]);
    /**
     * The position at that time as a picture.
     */
    png(): Uint8Array;
    /**
     * Everything that was placed.
     */
    record(): Record;
    /**
     * Goes to a time.
     */
    seek(time: number): void;
    /**
     * The position at that time, to be played on from: the rest of the bag comes as it came.
     */
    start(): Start;
    /**
     * What is seen at that time.
     */
    view(): GameView;
}

/**
 * All agents that have a name.
 */
export function agents(): Agents;

/**
 * The pieces.
 */
export function shapes(): Shapes;

/**
 * A diagram's first page as a start.
 */
export function startOfFumen(text: string): Start;

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_session_free: (a: number, b: number) => void;
    readonly __wbg_thinker_free: (a: number, b: number) => void;
    readonly __wbg_tiny_free: (a: number, b: number) => void;
    readonly __wbg_viewer_free: (a: number, b: number) => void;
    readonly agents: () => [number, number, number];
    readonly session_advance: (a: number, b: number) => void;
    readonly session_down: (a: number, b: number, c: number, d: number) => [number, number];
    readonly session_new: (a: any, b: bigint, c: any) => [number, number, number];
    readonly session_pause: (a: number, b: number) => void;
    readonly session_place: (a: number, b: number, c: number, d: number) => [number, number];
    readonly session_placedFrom: (a: number, b: number) => [number, number, number];
    readonly session_replay: (a: number, b: number, c: number) => [number, number];
    readonly session_resume: (a: number, b: number) => void;
    readonly session_snapshot: (a: number) => [number, number];
    readonly session_stateHash: (a: number) => [number, number];
    readonly session_up: (a: number, b: number, c: number, d: number) => [number, number];
    readonly session_view: (a: number) => [number, number, number];
    readonly shapes: () => [number, number, number];
    readonly startOfFumen: (a: number, b: number) => [number, number, number];
    readonly thinker_fromFile: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly thinker_new: (a: number, b: number, c: bigint) => [number, number, number];
    readonly thinker_think: (a: number, b: number, c: number, d: number) => [number, number, number];
    readonly tiny_best: (a: number) => number;
    readonly tiny_new: (a: bigint) => [number, number, number];
    readonly tiny_place: (a: number, b: number) => [number, number];
    readonly tiny_restart: (a: number, b: bigint) => void;
    readonly tiny_view: (a: number) => [number, number, number];
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
