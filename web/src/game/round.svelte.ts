// A round of versus under way in the page: the engine, its time, and a person against an agent, or two agents.
import { LiveMatch, leaderboards, randomSeed } from "../engine";
import type {
    Button,
    GameView,
    HandlingSettings,
    PlacementView,
    RecordedGame,
    Side,
    SideView,
    Thought,
    VersusPreset,
} from "../engine";
import { RemoteThinker, type AgentSource } from "../engine/thinker";
import { words } from "../state/words";
import { flashOf, worthTelling, type Flash } from "./clear";
import { NO_MARKS, type Marks, type Settling } from "./painter";
import { LastPlacement } from "./settling";
import { COUNTS, DIRECTIONS, noteFrame, type Phase, type PlayedGame } from "./shown";
import { buttonSound, placementSound, sound } from "./sound";

export interface RoundPlan {
    rules: VersusPreset;
    halfTurns: boolean;
    handling: HandlingSettings;
    /** Who plays; only the first can be a person, who has no agent. */
    players: readonly [Contestant, Contestant];
    /** Pieces that agents place in a second. */
    pace: number;
}

export interface Contestant {
    name: string;
    agent: AgentSource | null;
}

/** Lines that went to the other side. */
export interface SentAttack {
    side: Side;
    lines: number;
}

const SIDES = [0, 1] as const;

/** What was sent with placements of both sides, in order of time. */
export function attacksIn(placed: readonly [PlacementView[], PlacementView[]]): SentAttack[] {
    const sent = SIDES.flatMap((side) => placed[side].map((one) => ({ side, lines: one.sent, at: one.at })));
    return sent.filter(({ lines }) => lines > 0).sort((one, other) => one.at - other.at);
}

/** One side of a round. */
export class RoundSide implements PlayedGame {
    readonly pointed = null;
    seen = $state.raw() as SideView;
    flash = $state.raw<Flash | null>(null);
    /** What was placed; grows in place. */
    readonly placed: PlacementView[] = [];
    onFrame: ((marks: Marks) => void) | null = null;

    readonly #round: Round;
    #last = new LastPlacement();
    #drawn: GameView | null = null;
    #settling: Settling | null = null;

    constructor(round: Round, seen: SideView) {
        this.#round = round;
        this.seen = seen;
    }

    get view(): GameView {
        return this.seen.game;
    }

    get phase(): Phase {
        return this.#round.phase;
    }

    get count(): number {
        return this.#round.count;
    }

    get hidesInPause(): boolean {
        return this.#round.byHand;
    }

    get halfTurns(): boolean {
        return this.#round.plan.halfTurns;
    }

    takes(button: Button): boolean {
        return this.#round.takes(button);
    }

    press(button: Button, timeStamp: number): void {
        this.#round.press(button, timeStamp);
    }

    release(button: Button, timeStamp: number): void {
        this.#round.release(button, timeStamp);
    }

    releaseAll(timeStamp: number): void {
        this.#round.releaseAll(timeStamp);
    }

    /** Takes in what has happened. */
    see(seen: SideView, placed: readonly PlacementView[], now: number): void {
        const before = this.seen;
        this.seen = seen;
        if (placed.length === 0) return;
        this.placed.push(...placed);
        const told = worthTelling(placed);
        if (told) this.flash = flashOf(told, now) ?? this.flash;
        this.#last.set(before.game, seen.game, placed, now);
    }

    /** Draws the board, if it has changed. */
    draw(now: number): void {
        if (this.flash && now > this.flash.until) this.flash = null;
        const settling = this.#last.at(now);
        if (this.view === this.#drawn && !settling && !this.#settling) return;
        [this.#drawn, this.#settling] = [this.view, settling];
        this.onFrame?.({ ...NO_MARKS, settling });
    }
}

/** The rows of garbage that wait for a side. */
const garbageOf = ({ waiting }: SideView): number => waiting.reduce((rows, attack) => rows + attack.rows, 0);

/** An agent and its next move. */
class Mind {
    /** When its next piece is due, in microseconds of the round. */
    due: number;
    thought: Thought | null = null;
    /** The rows of garbage that it knows of. */
    garbage = 0;
    /** Resolves when it has decided. */
    decision: Promise<void> = Promise.resolve();
    /** The number of its piece. */
    #piece = 0;
    readonly #thinker: RemoteThinker;

    constructor(who: AgentSource, seed: bigint, due: number) {
        this.#thinker = new RemoteThinker(who, seed);
        this.due = due;
    }

    /** Thinks about its next piece. */
    consider(position: Uint8Array, garbage: number): void {
        this.thought = null;
        this.#piece += 1;
        this.reconsider(position, garbage);
    }

    /** Thinks about the same piece again. Until it has decided, what it has decided before holds. */
    reconsider(position: Uint8Array, garbage: number): void {
        this.garbage = garbage;
        const piece = this.#piece;
        this.decision = this.#thinker.think(position, false).then((thought) => {
            if (!thought) throw new Error("the agent has no move");
            if (piece === this.#piece) this.thought = thought;
        });
    }

    stop(): void {
        this.#thinker.stop();
    }
}

export class Round {
    readonly plan: RoundPlan;
    readonly sides: readonly [RoundSide, RoundSide];
    phase = $state<Phase>("countdown");
    count = $state(0);
    /** Microseconds played. */
    time = $state(0);
    /** The side that won, when it is over; nobody if both lost at the same moment. */
    winner = $state<Side | null>(null);
    /** What each side sent, oldest first. */
    attacks = $state.raw<readonly SentAttack[]>([]);
    /** What went wrong with an agent. */
    trouble = $state("");
    /** Called once, when it is over. */
    onEnd: ((round: Round) => void) | null = null;

    readonly #game: LiveMatch;
    readonly #minds: readonly [Mind | null, Mind | null];
    readonly #countMillis = leaderboards().countdownMillis / COUNTS;
    #countFrom = performance.now();
    #began = 0;
    #pausedIn: "countdown" | "playing" = "playing";
    #held = new Set<Button>();
    #frame = 0;
    #hidden = false;
    #stopped = false;

    constructor(plan: RoundPlan, seed = randomSeed()) {
        this.plan = plan;
        const { rules, halfTurns, handling, players } = plan;
        this.#game = new LiveMatch({ rules, halfTurns, ...(players[0].agent ? {} : { handling }) }, seed);
        const { sides } = this.#game.view();
        this.sides = [new RoundSide(this, sides[0]), new RoundSide(this, sides[1])];
        // An agent that plays itself does not make the same choices twice.
        const mind = (side: Side) => {
            const { agent } = players[side];
            return agent && new Mind(agent, BigInt.asUintN(64, seed + BigInt(side)), this.#interval);
        };
        this.#minds = [mind(0), mind(1)];
        for (const side of SIDES) this.#ask(side);
        this.#frame = requestAnimationFrame(this.#onFrame);
        document.addEventListener("visibilitychange", this.#onHide);
    }

    /** Whether a person plays. */
    get byHand(): boolean {
        return this.plan.players[0].agent === null;
    }

    /** The round so far, to be kept. */
    recorded(): RecordedGame {
        const [one, other] = this.plan.players;
        return this.#game.recorded(one.name, other.name);
    }

    takes(button: Button): boolean {
        if (!this.byHand || this.phase === "over" || button === "undo" || button === "redo") return false;
        return this.phase !== "paused" || DIRECTIONS.includes(button);
    }

    press(button: Button, timeStamp: number): void {
        this.#held.add(button);
        if (this.phase !== "playing" || !this.takes(button)) return;
        const time = this.#time(timeStamp);
        this.#run(time);
        if (!this.#game.isOver) this.#game.down(time, button);
        this.#look(timeStamp);
        buttonSound(button);
    }

    release(button: Button, timeStamp: number): void {
        this.#held.delete(button);
        if (this.phase !== "playing") return;
        const time = this.#time(timeStamp);
        this.#run(time);
        if (!this.#game.isOver) this.#game.up(time, button);
    }

    releaseAll(timeStamp: number): void {
        for (const button of [...this.#held]) this.release(button, timeStamp);
    }

    togglePause(): void {
        const now = performance.now();
        if (this.phase === "playing") {
            const time = this.#time(now);
            this.#run(time);
            // It may have ended at that very moment.
            const isOver = this.#game.isOver;
            if (!isOver) this.#game.releaseAll(time);
            this.#look(now);
            if (isOver) return;
            this.#pausedIn = "playing";
            this.phase = "paused";
        } else if (this.phase === "countdown") {
            this.#pausedIn = "countdown";
            this.phase = "paused";
        } else if (this.phase === "paused" && this.#pausedIn === "countdown") {
            this.#countFrom = now;
            this.phase = "countdown";
        } else if (this.phase === "paused") {
            this.#goOn(now);
        }
    }

    /** While two agents are paused: places the next piece. */
    async step(): Promise<void> {
        if (this.phase !== "paused" || this.byHand) return;
        await Promise.allSettled(this.#minds.map((mind) => mind?.decision));
        if (this.phase !== "paused" || this.#stopped) return;
        this.#pausedIn = "playing";
        const due = this.#minds.flatMap((mind) => (mind?.thought ? [mind.due] : []));
        if (due.length > 0) this.#run(Math.min(...due));
        this.#look(performance.now());
    }

    stop(): void {
        this.#stopped = true;
        document.removeEventListener("visibilitychange", this.#onHide);
        cancelAnimationFrame(this.#frame);
        for (const mind of this.#minds) mind?.stop();
        this.#game.free();
    }

    /** Microseconds from one piece of an agent to the next. */
    get #interval(): number {
        return 1e6 / this.plan.pace;
    }

    /** The time of the round at a time of the page. */
    #time(timeStamp: number): number {
        return (timeStamp - this.#began) * 1000;
    }

    /** Time passes again, from where it stood. */
    #goOn(now: number): void {
        this.#began = now - this.time / 1000;
        this.phase = "playing";
        // Directions that are held already act from the first moment; nothing is dropped or turned by accident.
        for (const button of this.byHand ? DIRECTIONS : []) {
            if (this.#held.has(button)) this.#game.down(this.time, button);
        }
        this.#look(now);
    }

    /** A round that can't be seen waits; agents go on by themselves. */
    #onHide = (): void => {
        if (document.hidden) {
            this.#hidden = this.phase === "playing" || this.phase === "countdown";
            if (this.#hidden) this.togglePause();
        } else if (this.#hidden && this.phase === "paused" && !this.byHand) {
            this.togglePause();
        }
    };

    #onFrame = (now: number): void => {
        const began = performance.now();
        if (this.phase === "countdown") {
            const left = COUNTS - Math.floor((now - this.#countFrom) / this.#countMillis);
            if (left !== this.count) sound(left > 0 ? "count" : "go");
            this.count = left;
            if (left <= 0) this.#goOn(now);
        }
        if (this.phase === "playing") {
            this.#run(this.#time(now));
            this.#look(now);
        }
        for (const side of this.sides) side.draw(now);
        // The page's elements are brought up to date right after this, which counts too.
        queueMicrotask(() => {
            if (this.phase !== "over") noteFrame(performance.now() - began);
        });
        // Another round may have begun.
        if (!this.#stopped) this.#frame = requestAnimationFrame(this.#onFrame);
    };

    /** Lets the time pass, in which agents that have decided place their pieces: each when it is due, or as soon as it can. */
    #run(time: number): void {
        while (!this.#game.isOver) {
            const ready = SIDES.filter((side) => this.#minds[side]?.thought);
            const due = (side: Side) => this.#minds[side]?.due ?? Infinity;
            const [next] = ready.sort((one, other) => due(one) - due(other));
            const mind = next === undefined ? null : this.#minds[next];
            if (next === undefined || !mind?.thought || mind.due > time) break;
            const at = Math.max(mind.due, this.time);
            this.#game.place(next, at, mind.thought.play);
            this.time = at;
            mind.due = at + this.#interval;
            this.#ask(next);
        }
        this.#game.advance(time);
        this.time = Math.max(this.time, time);
    }

    /** Lets the agent of a side decide on its next move. */
    #ask(side: Side): void {
        const mind = this.#minds[side];
        const position = this.#game.position(side);
        if (mind) mind.thought = null;
        if (!mind || !position) return;
        mind.consider(position, garbageOf(this.#game.view().sides[side]));
        mind.decision.catch((error) => (this.trouble = words(error)));
    }

    /** Lets it decide again if garbage has come since, or was cancelled. */
    #askAgain(side: Side, seen: SideView): void {
        const mind = this.#minds[side];
        if (!mind || mind.garbage === garbageOf(seen)) return;
        const position = this.#game.position(side);
        if (!position) return;
        mind.reconsider(position, garbageOf(seen));
        mind.decision.catch((error) => (this.trouble = words(error)));
    }

    /** Takes in what has happened. */
    #look(now: number): void {
        const [one, other] = this.sides;
        const { sides, isOver, winner, time } = this.#game.view();
        const { placed } = this.#game.placedFrom(one.placed.length, other.placed.length);
        const sent = attacksIn(placed);
        for (const side of SIDES) this.sides[side].see(sides[side], placed[side], now);
        if (sent.length > 0) this.attacks = [...this.attacks, ...sent];
        for (const side of SIDES) this.#askAgain(side, sides[side]);
        // What is heard is what the person does, or the first of two agents.
        const told = worthTelling(placed[0]);
        if (told) placementSound(told);
        if (!isOver || this.phase === "over") return;
        this.time = time;
        this.winner = winner;
        this.phase = "over";
        sound(winner === 0 ? "done" : "lost");
        this.onEnd?.(this);
    }
}
