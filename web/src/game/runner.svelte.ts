// A game under way in the page: the engine's session, its time, and an agent that may help or play.
import { BUTTONS, Session, randomSeed } from "../engine";
import type {
    Button,
    CandidateView,
    GameView,
    Hands,
    PieceView,
    PlacedView,
    Setup,
    Thought,
} from "../engine";
import { RemoteThinker, type Who } from "../engine/thinker";
import { clearWords, type ClearWords } from "./clear";
import type { Marks } from "./painter";
import { sound } from "./sound";

export type Phase = "countdown" | "playing" | "paused" | "over";

export interface Plan {
    setup: Setup;
    hands: Hands;
    player: string;
    /** The pieces; others if it is not given. */
    seed?: bigint;
    /** Whether the game begins with 3, 2, 1. */
    countdown: boolean;
}

/** How fast an agent places: so many a second (0: as fast as it goes), or whenever it may. */
export type Pace = { kind: "speed"; perSecond: number } | { kind: "gate"; may: () => boolean };

/** The name of a clear, while it is shown. */
export interface Flash extends ClearWords {
    until: number;
}

const COUNT_MILLIS = 500;
const FLASH_MILLIS = 2000;
const GLOW_MILLIS = 180;

/** How long the work for each of the last frames took, in milliseconds: what the page's speed is judged by. */
export const frameWork: number[] = [];

function noteFrame(millis: number): void {
    frameWork.push(millis);
    if (frameWork.length > 3600) frameWork.shift();
}

export class Runner {
    readonly plan: Plan;
    readonly seed: bigint;
    view = $state.raw() as GameView;
    phase = $state<Phase>("countdown");
    count = $state(0);
    placed = $state.raw<PlacedView[]>([]);
    flash = $state.raw<Flash | null>(null);
    /** The agent that plays. */
    agent = $state.raw<Who | null>(null);
    /** What it thinks, where that is shown. */
    thought = $state.raw<Thought | null>(null);
    explained = $state(false);
    hint = $state.raw<PieceView | null>(null);
    /** The fewest keys that bring the piece there. */
    hintKeys = $state.raw<string[]>([]);
    /** Whether an agent placed pieces or gave advice: then the game counts for nobody. */
    assisted = $state(false);
    /** What went wrong with the agent. */
    trouble = $state("");
    pace: Pace = { kind: "speed", perSecond: 3 };
    /** Called once, when the game is over. */
    onEnd: ((runner: Runner) => void) | null = null;
    /** Called for each frame that is drawn. */
    onFrame: ((marks: Marks) => void) | null = null;

    #session: Session;
    #began = 0;
    #countFrom = 0;
    #pausedAt = 0;
    #frame = 0;
    #held = new Set<Button>();
    #glow: { rows: number[]; from: number } | null = null;
    #thinker: RemoteThinker | null = null;
    #adviser: RemoteThinker | null = null;
    /** Changes whenever what an agent was asked about is no longer so. */
    #turn = 0;
    #lastPlace = 0;

    constructor(plan: Plan) {
        this.plan = plan;
        this.seed = plan.seed ?? randomSeed();
        this.#session = new Session(plan.setup, this.seed, plan.hands);
        this.view = this.#session.view();
        this.#countFrom = performance.now();
        if (!plan.countdown) this.#start(this.#countFrom);
        this.#frame = requestAnimationFrame(this.#onFrame);
    }

    /** Whether it counts: no advice, no agent, and a mode that has scores. */
    get ranked(): boolean {
        const { mode, opening } = this.plan.setup;
        return !this.assisted && !opening && (mode === "sprint" || mode === "blitz");
    }

    get stateHash(): string {
        return this.#session.stateHash();
    }

    /** The bytes of the replay so far. */
    replay(player = this.plan.player): Uint8Array {
        return this.#session.replay(player);
    }

    press(button: Button, timeStamp: number): void {
        this.#held.add(button);
        if (
            this.phase === "over" &&
            this.plan.setup.mode === "practice" &&
            (button === "undo" || button === "redo")
        ) {
            this.phase = "playing";
            // The time since the end was no time of the game.
            this.#began = timeStamp - this.view.time / 1000;
        }
        if (this.phase !== "playing" || this.agent) return;
        this.#session.down(this.#time(timeStamp), BUTTONS.indexOf(button));
        this.#look(timeStamp);
        const cue = {
            left: "move",
            right: "move",
            clockwise: "turn",
            counterClockwise: "turn",
            halfTurn: "turn",
            hold: "hold",
        } as const;
        if (button in cue) sound(cue[button as keyof typeof cue]);
    }

    release(button: Button, timeStamp: number): void {
        this.#held.delete(button);
        if (this.phase === "playing") this.#session.up(this.#time(timeStamp), BUTTONS.indexOf(button));
    }

    releaseAll(timeStamp: number): void {
        for (const button of [...this.#held]) this.release(button, timeStamp);
    }

    togglePause(): void {
        const now = performance.now();
        if (this.phase === "playing") {
            this.#session.pause(this.#time(now));
            this.#pausedAt = now;
            this.phase = "paused";
        } else if (this.phase === "paused") {
            this.#began += now - this.#pausedAt;
            this.#session.resume(this.#time(now));
            this.phase = "playing";
            this.#think();
        }
        this.#look(now);
    }

    /** Lets an agent play, or nobody but the player. */
    setAgent(who: Who | null): void {
        this.#thinker?.stop();
        this.#thinker = null;
        this.agent = who;
        this.thought = null;
        this.trouble = "";
        this.#turn++;
        if (who) {
            const now = performance.now();
            for (const button of this.#held) this.#session.up(this.#time(now), BUTTONS.indexOf(button));
            this.#thinker = new RemoteThinker(who, this.seed);
            this.#lastPlace = now;
            this.#think();
        } else {
            this.#advise();
        }
    }

    /** Shows what an agent thinks of the position: its own thoughts, or those of an adviser. */
    setExplained(explained: boolean, adviser: Who): void {
        if (explained && !this.agent && this.ranked) {
            this.trouble = "Explanations are off in ranked games.";
            return;
        }
        this.explained = explained;
        this.thought = null;
        this.#turn++;
        this.#beAdvisedBy(adviser);
        this.#advise();
        this.#think();
    }

    /** Shows where an agent would place the piece. */
    async askHint(adviser: Who): Promise<void> {
        if (this.phase !== "playing" || this.agent) return;
        if (this.ranked) {
            this.trouble = "Hints are off in ranked games.";
            return;
        }
        this.assisted = true;
        this.#beAdvisedBy(adviser);
        const thought = await this.#ask(this.#adviser, true);
        if (thought) [this.hint, this.hintKeys] = [thought.piece, thought.keys];
    }

    stop(): void {
        cancelAnimationFrame(this.#frame);
        this.#thinker?.stop();
        this.#adviser?.stop();
        this.#turn++;
        this.#session.free();
    }

    #time(timeStamp: number): number {
        return (timeStamp - this.#began) * 1000;
    }

    #start(now: number): void {
        this.#began = now;
        this.phase = "playing";
        this.#lastPlace = now;
        // Keys that are down already act from the first moment.
        for (const button of this.#held) this.#session.down(0, BUTTONS.indexOf(button));
        this.#think();
    }

    #onFrame = (now: number): void => {
        const began = performance.now();
        if (this.phase === "countdown") {
            const left = 3 - Math.floor((now - this.#countFrom) / COUNT_MILLIS);
            if (left !== this.count && left > 0) sound("count");
            this.count = left;
            if (left <= 0) this.#start(now);
        }
        if (this.phase === "playing") {
            this.#session.advance(this.#time(now));
            this.#look(now);
        }
        if (this.flash && now > this.flash.until) this.flash = null;
        const faded = this.#glow ? (now - this.#glow.from) / GLOW_MILLIS : 1;
        this.onFrame?.({
            candidates: this.explained ? this.#candidates() : [],
            chosen: this.explained || this.agent ? (this.thought?.piece ?? null) : null,
            hint: this.hint,
            cleared: this.#glow && faded < 1 ? { rows: this.#glow.rows, faded } : null,
        });
        noteFrame(performance.now() - began);
        this.#frame = requestAnimationFrame(this.#onFrame);
    };

    #candidates(): PieceView[] {
        return this.thought?.candidates.map((candidate: CandidateView) => candidate.piece) ?? [];
    }

    /** Takes in what has happened. */
    #look(now: number): void {
        const before = this.view.pieces;
        this.view = this.#session.view();
        if (this.view.pieces !== before) {
            const more = this.view.pieces > before ? this.#session.placedFrom(before).placed : [];
            this.placed = [...this.placed.slice(0, Math.min(before, this.view.pieces)), ...more];
            this.hint = null;
            this.#turn++;
            for (const placed of more) this.#celebrate(placed, now);
            if (!this.agent) this.#advise();
        }
        if (this.view.outcome && this.phase === "playing") {
            this.phase = "over";
            this.thought = null;
            sound("end");
            this.onEnd?.(this);
        }
    }

    #celebrate(placed: PlacedView, now: number): void {
        sound(placed.cleared >= 4 || placed.perfectClear ? "tetris" : placed.cleared ? "clear" : "lock");
        if (placed.cleared) this.#glow = { rows: placed.clearedRows, from: now };
        const words = clearWords(placed);
        if (words) this.flash = { ...words, until: now + FLASH_MILLIS };
    }

    async #ask(thinker: RemoteThinker | null, explain: boolean): Promise<Thought | null> {
        const snapshot = this.#session.snapshot();
        if (!thinker || !snapshot) return null;
        const turn = this.#turn;
        try {
            const thought = await thinker.think(snapshot, explain);
            return turn === this.#turn ? thought : null;
        } catch (error) {
            this.trouble = error instanceof Error ? error.message : String(error);
            return null;
        }
    }

    #beAdvisedBy(who: Who): void {
        if (this.#adviser?.who.name === who.name && this.#adviser.who.file === who.file) return;
        this.#adviser?.stop();
        this.#adviser = new RemoteThinker(who, this.seed);
    }

    /** Asks the adviser for reasons, where they are shown and nobody else gives them. */
    async #advise(): Promise<void> {
        if (!this.explained || this.agent || this.phase !== "playing") return;
        this.assisted = true;
        this.thought = null;
        this.thought = await this.#ask(this.#adviser, true);
    }

    /** The agent's turn, until it is asked to stop. */
    async #think(): Promise<void> {
        const thinker = this.#thinker;
        if (!thinker || this.phase !== "playing") return;
        const turn = ++this.#turn;
        const current = () => turn === this.#turn && thinker === this.#thinker && this.phase === "playing";
        const thought = await this.#ask(thinker, this.explained);
        if (!thought || !current()) return;
        // Watching a fast agent think would only make it slow.
        if (
            this.explained ||
            this.pace.kind === "gate" ||
            (this.pace.perSecond > 0 && this.pace.perSecond <= 10)
        ) {
            this.thought = thought;
        }
        while (current() && !this.#isDue()) await new Promise((resolve) => requestAnimationFrame(resolve));
        if (!current()) return;
        const now = performance.now();
        try {
            this.#session.place(this.#time(now), thought.play);
            this.assisted = true;
        } catch {
            // The piece locked by itself while the agent thought: it will be asked about the next.
        }
        this.#lastPlace = now;
        this.thought = null;
        this.#look(now);
        void this.#think();
    }

    #isDue(): boolean {
        if (this.pace.kind === "gate") return this.pace.may();
        return this.pace.perSecond === 0 || performance.now() - this.#lastPlace >= 1000 / this.pace.perSecond;
    }
}
