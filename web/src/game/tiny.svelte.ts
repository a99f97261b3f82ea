// The 3×3 game in the page: the chosen move, the last move and its cost, and earlier results.
import { Tiny, randomSeed, type TinyMove, type TinyView } from "../engine";
import { load, save } from "../state/stored";

/** A move that was made, with all that were possible. */
export interface Choice {
    /** The board before it, from the top. */
    rows: boolean[][];
    piece: string;
    /** The best first. */
    moves: TinyMove[];
    made: TinyMove;
    /** Expected rows lost compared with the best move. */
    cost: number;
}

/** A game that came to its end. */
export interface Result {
    cleared: number;
    /** What the optimal policy clears with the same pieces. */
    policy: number;
}

function isResult(value: unknown): value is Result {
    const { cleared, policy } = Object(value) as Partial<Result>;
    return typeof cleared === "number" && typeof policy === "number";
}

function storedResults(): Result[] {
    const stored = load("tiny");
    return Array.isArray(stored) ? stored.filter(isResult).slice(-KEPT) : [];
}

/** Rows as they are written, whether they were cleared, expected or lost. */
export const rowsText = (rows: number): string => rows.toFixed(2);

/** Values as they are read: so their differences are the ones that a reader finds. */
const asRead = (rows: number): number => Math.round(rows * 100) / 100;

export const KEPT = 10;
const POLICY_MILLIS = 350;

export class TinyGame {
    view = $state.raw() as TinyView;
    /** The move that a drop would make. */
    chosen = $state.raw<TinyMove | null>(null);
    choice = $state.raw<Choice | null>(null);
    /** Expected rows lost in this game, move by move. */
    costs = $state.raw<number[]>([]);
    /** Whether the optimal policy plays. */
    byPolicy = $state(false);
    /** How this game ended. */
    result = $state.raw<Result | null>(null);
    /** Earlier games, the oldest first. */
    results = $state.raw(storedResults());

    #tiny: Tiny;
    #seed: bigint;
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor() {
        this.#seed = randomSeed();
        this.#tiny = new Tiny(this.#seed);
        this.#look();
    }

    /** Expected rows that a move of this game cost on average. */
    get averageCost(): number {
        return this.costs.reduce((total, cost) => total + cost, 0) / Math.max(1, this.costs.length);
    }

    get over(): boolean {
        return this.view.lost;
    }

    /** Starts a new game; an unfinished one does not count. */
    restart(): void {
        this.#begin(randomSeed(), false);
    }

    /** Lets the optimal policy play: the pieces of the player's finished game, or new ones. */
    watchPolicy(): void {
        this.#begin(this.result ? this.#seed : randomSeed(), true);
        this.#timer = setTimeout(this.#playPolicy, POLICY_MILLIS);
    }

    move(columns: number): void {
        const { chosen } = this;
        if (chosen) this.#choose(chosen.shape, chosen.column + columns);
    }

    /** Brings the middle of the piece to a place across the board: 0 is the left wall, 3 the right. */
    moveTo(place: number): void {
        const { chosen } = this;
        if (!chosen) return;
        const width = Math.max(...chosen.shape.map(([x]) => x)) + 1;
        this.#choose(chosen.shape, Math.round(place - width / 2));
    }

    /** Rotates it clockwise this many times. */
    turn(times: number): void {
        const { chosen } = this;
        if (!chosen) return;
        const shapes = [...new Map(this.view.moves.map(({ shape }) => [String(shape), shape])).values()];
        const now = shapes.findIndex((shape) => String(shape) === String(chosen.shape));
        const next = shapes[(now + times + shapes.length) % shapes.length];
        if (next) this.#choose(next, chosen.column);
    }

    drop(): void {
        if (this.chosen && !this.byPolicy) this.#place(this.chosen);
    }

    forget(): void {
        this.results = [];
        save("tiny", this.results);
    }

    stop(): void {
        clearTimeout(this.#timer);
        this.#tiny.free();
    }

    #begin(seed: bigint, byPolicy: boolean): void {
        clearTimeout(this.#timer);
        this.#seed = seed;
        this.#tiny.restart(seed);
        [this.choice, this.result, this.costs, this.byPolicy] = [null, null, [], byPolicy];
        this.#look();
    }

    /** The move with this shape that is nearest to a column. */
    #choose(shape: TinyMove["shape"], column: number): void {
        const alike = this.view.moves.filter((move) => String(move.shape) === String(shape));
        alike.sort((one, other) => Math.abs(one.column - column) - Math.abs(other.column - column));
        this.chosen = alike[0] ?? null;
    }

    #look(): void {
        const view = this.#tiny.view();
        this.view = { ...view, moves: view.moves.map((move) => ({ ...move, value: asRead(move.value) })) };
        this.chosen = null;
        const first = this.view.moves[0];
        if (first) this.#choose(first.shape, 1);
    }

    #place(made: TinyMove): void {
        const { rows, piece } = this.view;
        const moves = [...this.view.moves].sort((one, other) => other.value - one.value);
        const cost = Math.max(0, (moves[0]?.value ?? 0) - made.value);
        this.choice = { rows, piece, moves, made, cost };
        this.costs = [...this.costs, cost];
        this.#tiny.place(made.decision);
        this.#look();
        // A piece that fits nowhere ends the game: there is nothing to choose.
        const any = this.view.moves[0];
        if (any && this.view.moves.every((move) => move.loses)) {
            this.#tiny.place(any.decision);
            this.#look();
        }
        if (this.over && !this.byPolicy) this.#finish();
    }

    #playPolicy = (): void => {
        const decision = this.#tiny.best();
        const move = this.view.moves.find((move) => move.decision === decision);
        if (!move) return;
        this.#place(move);
        if (!this.over) this.#timer = setTimeout(this.#playPolicy, POLICY_MILLIS);
    };

    #finish(): void {
        this.result = { cleared: this.view.cleared, policy: this.#policyRows() };
        this.results = [...this.results, this.result].slice(-KEPT);
        save("tiny", this.results);
    }

    /** What the policy clears with the pieces of the game that just ended. The game's last view stays. */
    #policyRows(): number {
        this.#tiny.restart(this.#seed);
        for (let decision = this.#tiny.best(); decision !== undefined; decision = this.#tiny.best()) {
            this.#tiny.place(decision);
        }
        return this.#tiny.view().cleared;
    }
}
