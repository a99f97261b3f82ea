// A game under way in the page: the engine, its time, and an agent that may help or play.
import { LiveGame, leaderboards, randomSeed } from "../engine";
import type {
    Button,
    GameView,
    HandlingSettings,
    PieceView,
    PlacementView,
    RecordedGame,
    GameSetup,
    Thought,
} from "../engine";
import { RemoteThinker, type AgentSource } from "../engine/thinker";
import { isRankedMode } from "../state/leaderboard";
import { pauseTicket, resumeTicket } from "../state/server";
import type { Standing } from "../state/standing";
import { words } from "../state/words";
import { flashOf, worthTelling, type Flash } from "./clear";
import { MODES } from "./format";
import type { Marks } from "./painter";
import type { Pointed } from "./pointing";
import { LastPlacement } from "./settling";
import { COUNTS, DIRECTIONS, noteFrame, type Phase, type PlayedGame } from "./shown";
import { buttonSound, placementSound, sound, type Sound } from "./sound";

export interface Plan {
    setup: GameSetup;
    handling: HandlingSettings;
    player: string;
    /** The pieces; others if it is not given. */
    seed?: bigint;
    /** Whether the player asked for these pieces, and could know them. */
    chosenPieces?: boolean;
    /** The replay of a game that was left and goes on. */
    goesOn?: Uint8Array;
    /** The server's ticket for these pieces. */
    ticket?: string;
    /** Why the game does not count, if that is known before it begins. */
    unranked?: string;
    /** Why the server will not be able to verify it, if that is known. */
    unverified?: string;
    /** Whether the game begins with 3, 2, 1. */
    countdown: boolean;
    /** Whether a pause hides the pieces until a person ends it: nobody plans while the time stands still. */
    hidesInPause: boolean;
    /** Whether it makes no sound, as a game does that nobody asked for. */
    silent?: boolean;
}

/** How fast an agent places: so many a second (0: as fast as it goes), or whenever it may. */
export type Pace = { kind: "speed"; perSecond: number } | { kind: "gate"; may: () => boolean };

/** How many of the best moves an explanation shows. */
export const EXPLAINED_MOVES = 3;

function nextFrame(): Promise<unknown> {
    return new Promise((resolve) => requestAnimationFrame(resolve));
}

export class Runner implements PlayedGame {
    readonly plan: Plan;
    readonly seed: bigint;
    view = $state.raw() as GameView;
    phase = $state<Phase>("countdown");
    count = $state(0);
    /** What was placed; grows in place, so that long games stay fast. */
    readonly placed: PlacementView[] = [];
    flash = $state.raw<Flash | null>(null);
    /** The agent that plays. */
    agent = $state.raw<AgentSource | null>(null);
    /** What it thinks, where that is shown. */
    thought = $state.raw<Thought | null>(null);
    /** The position that it is about. */
    position: Uint8Array | null = null;
    explained = $state(false);
    /** Whether the time stands still: no piece falls or is moved by hand, but a move that is explained can be played. */
    still = $state(false);
    /** What an explanation points at. */
    pointed = $state.raw<Pointed | null>(null);
    hint = $state.raw<PieceView | null>(null);
    /** The fewest keys that bring the piece there. */
    hintKeys = $state.raw<string[]>([]);
    /** How an agent helped: then the game is not ranked. */
    help = $state("");
    /** Whether it was paused for longer than the server allows. */
    pausedTooLong = $state(false);
    /** What went wrong with the agent. */
    trouble = $state("");
    pace: Pace = { kind: "speed", perSecond: 3 };
    /** Called once, when the game is over. */
    onEnd: ((runner: Runner) => void) | null = null;
    /** Called for each frame that differs from the one before. */
    onFrame: ((marks: Marks) => void) | null = null;

    #game: LiveGame;
    /** The ticket of a ranked game: each pause renews it. */
    #ticket: Promise<string | null>;
    #countMillis: number;
    #began = 0;
    #countFrom = 0;
    #pausedAt = 0;
    /** How long it was paused before the current pause, in milliseconds. */
    #pausedMillis = 0;
    #pausedIn: "countdown" | "playing" = "playing";
    #frame = 0;
    /** What the last frame was drawn from: while it stays, there is nothing to draw. */
    #shown: readonly unknown[] = [];
    #held = new Set<Button>();
    #last = new LastPlacement();
    #thinker: RemoteThinker | null = null;
    #advisedBy: AgentSource | null = null;
    #adviser: RemoteThinker | null = null;
    /** Changes whenever what an agent was asked about is no longer so. */
    #turn = 0;
    /** The turn in which an agent places as fast as it can, if it does. */
    #hurryingIn = -1;
    #lastPlace = 0;
    /** When the agent's last move was made, in microseconds of the game. */
    #made = 0;
    #stopped = false;
    #hidden = false;
    /** How long placements between frames took, in milliseconds. */
    #placingMillis = 0;

    constructor(plan: Plan) {
        this.plan = plan;
        const seed = plan.seed ?? randomSeed();
        this.#ticket = Promise.resolve(plan.ticket ?? null);
        this.#countMillis = leaderboards().countdownMillis / COUNTS;
        this.#game = plan.goesOn ? LiveGame.goOn(plan.goesOn) : new LiveGame(plan.setup, seed, plan.handling);
        this.seed = this.#game.seed;
        this.view = this.#game.view();
        this.placed.push(...this.#game.placedFrom(0).placed);
        this.#countFrom = performance.now();
        if (!plan.countdown) this.#start(this.#countFrom);
        this.#frame = requestAnimationFrame(this.#onFrame);
        document.addEventListener("visibilitychange", this.#onHide);
    }

    get hidesInPause(): boolean {
        return this.plan.hidesInPause;
    }

    get halfTurns(): boolean {
        return this.plan.setup.halfTurns ?? false;
    }

    get travels(): boolean {
        return this.plan.setup.mode === "practice";
    }

    /** Whether an agent placed pieces or gave advice. */
    get assisted(): boolean {
        return this.help !== "";
    }

    /** Why it does not count for the player; nothing as long as it does. */
    get unranked(): string | null {
        const { setup, chosenPieces, unranked, unverified } = this.plan;
        if (!isRankedMode(setup.mode)) return `${MODES[setup.mode]} is not ranked`;
        if (this.help) return this.help;
        if (chosenPieces) return "Pieces you chose";
        if (this.pausedTooLong) return `Paused for more than ${leaderboards().maxPausedMinutes} minutes`;
        return unranked ?? unverified ?? null;
    }

    /** Whether it counts, if it comes to an end that does. */
    get standing(): Standing {
        if (this.ranked) return "ranked";
        const own = !isRankedMode(this.plan.setup.mode) || this.help || this.plan.unranked !== undefined;
        return own ? "unranked" : "unverified";
    }

    /** Whether it can still count for the player. */
    get ranked(): boolean {
        return this.unranked === null;
    }

    /** The ticket that it is played with. */
    ticket(): Promise<string | null> {
        return this.#ticket;
    }

    /** The game so far, to be kept. */
    recorded(): RecordedGame {
        return this.#game.recorded(this.plan.player);
    }

    /** Whether a button has a use now, or will have when the game goes on. */
    takes(button: Button): boolean {
        if (this.agent) return false;
        const travels = button === "undo" || button === "redo";
        if (travels && this.plan.setup.mode !== "practice") return false;
        if (this.still && !travels) return false;
        if (this.phase === "over") return travels;
        return this.phase !== "paused" || DIRECTIONS.includes(button);
    }

    press(button: Button, timeStamp: number): void {
        this.#held.add(button);
        if (this.#stopped || !this.takes(button)) return;
        if (this.phase === "over") {
            this.#travelFromEnd(button, timeStamp);
        } else if (this.phase === "playing") {
            this.#game.down(this.#time(timeStamp), button);
            this.#look(timeStamp);
            if (!this.plan.silent) buttonSound(button);
        }
    }

    release(button: Button, timeStamp: number): void {
        this.#held.delete(button);
        if (this.phase === "playing" || this.phase === "over") {
            this.#game.up(this.#time(timeStamp), button);
        }
    }

    releaseAll(timeStamp: number): void {
        for (const button of [...this.#held]) this.release(button, timeStamp);
    }

    togglePause(): void {
        const now = performance.now();
        if (this.phase === "playing") {
            this.#game.pause(this.#time(now));
            this.#look(now);
            // It may have ended at that very moment.
            if (this.view.outcome) return;
            this.#pausedIn = "playing";
            this.#pause(now);
        } else if (this.phase === "countdown") {
            this.#pausedIn = "countdown";
            this.#pause(now);
        } else if (this.phase === "paused") {
            this.#pausedMillis += now - this.#pausedAt;
            this.#renew(resumeTicket);
            if (this.#pausedIn === "countdown") {
                this.#countFrom = now;
                this.phase = "countdown";
                return;
            }
            this.#continueAt(now);
            this.#game.resume(this.#time(now));
            this.#goOn(now);
        }
    }

    #pause(now: number): void {
        this.phase = "paused";
        this.flash = null;
        this.#pausedAt = now;
        const seal = this.#game.seal();
        this.#renew((ticket) => pauseTicket(ticket, seal));
    }

    /** Tells the server of a pause. A ticket that it does not renew stays as it is, and the game will be unverified. */
    #renew(renew: (ticket: string) => Promise<string>): void {
        this.#ticket = this.#ticket.then((ticket) => (ticket ? renew(ticket).catch(() => ticket) : null));
    }

    /** Lets an agent play, or nobody but the player. */
    setAgent(who: AgentSource | null): void {
        this.#thinker?.stop();
        this.#thinker = null;
        this.agent = who;
        this.trouble = "";
        if (who) {
            const now = performance.now();
            // A player who has seen what an agent would do has been helped.
            this.help = "An agent played";
            if (this.phase === "playing") this.#releaseHeld(now);
            this.#dismissAdviser();
            this.#thinker = new RemoteThinker(who, this.seed);
            this.#lastPlace = now;
        }
        this.#consult();
    }

    /** Shows what an agent thinks of the position: its own thoughts, or those of an adviser. */
    setExplained(explained: boolean, adviser: AgentSource): void {
        if (explained && !this.agent) this.help ||= "Explanations were shown";
        this.explained = explained;
        this.#advisedBy = adviser;
        if (!explained) this.#dismissAdviser();
        this.#consult();
    }

    /** Lets the time stand still, or go on from where it is. */
    setStill(still: boolean): void {
        if (still === this.still) return;
        const now = performance.now();
        if (this.phase === "playing") {
            this.#game.advance(this.#time(now));
            this.#releaseHeld(now);
            this.#look(now);
        }
        this.#continueAt(now);
        this.flash = null;
        this.still = still;
    }

    /** Shows where an agent would place the piece. */
    async askHint(adviser: AgentSource): Promise<void> {
        if (this.phase !== "playing" || this.agent) return;
        this.help ||= "A hint was shown";
        const thought = await this.#ask(this.#adviserFor(adviser), true);
        if (thought) [this.hint, this.hintKeys] = [thought.piece, thought.keys];
    }

    /** Places the piece as the player chose among the moves that are explained. */
    play(move: Thought["play"]): void {
        if (this.phase !== "playing" || this.agent || !this.thought) return;
        this.#place(move);
    }

    /** Ends the game as it stands: it stays to be seen, and nobody plays on. */
    halt(): void {
        if (this.phase === "over") return;
        this.#game.advance(this.#time(performance.now()));
        this.view = this.#game.view();
        this.phase = "over";
        this.thought = null;
        this.#turn++;
        this.onEnd?.(this);
    }

    stop(): void {
        this.#stopped = true;
        document.removeEventListener("visibilitychange", this.#onHide);
        cancelAnimationFrame(this.#frame);
        this.#thinker?.stop();
        this.#adviser?.stop();
        this.#turn++;
        this.#game.free();
    }

    /** The time of the game, in microseconds. */
    #time(timeStamp: number): number {
        return this.still ? this.view.time : (timeStamp - this.#began) * 1000;
    }

    /** From now on the game's time goes on from what was last seen of it. */
    #continueAt(now: number): void {
        this.#began = now - this.view.time / 1000;
    }

    #start(now: number): void {
        // A game that goes on has some time behind it.
        this.#continueAt(now);
        this.#lastPlace = now;
        this.#goOn(now);
    }

    #goOn(now: number): void {
        this.phase = "playing";
        // Directions that are held already act from the first moment; nothing is dropped or turned by accident.
        for (const button of this.agent ? [] : DIRECTIONS) {
            if (this.#held.has(button)) this.#game.down(this.#time(now), button);
        }
        this.#look(now);
        this.#consult();
    }

    #releaseHeld(now: number): void {
        for (const button of this.#held) this.#game.up(this.#time(now), button);
    }

    /** Takes back the placement that lost the game, or makes one again; the game goes on only if that changed it. */
    #travelFromEnd(button: Button, timeStamp: number): void {
        // The time since the end was no time of the game.
        this.#continueAt(timeStamp);
        this.#game.down(this.#time(timeStamp), button);
        if (this.#game.view().outcome === null) this.phase = "playing";
        this.#look(timeStamp);
    }

    /** A game that can't be seen waits. */
    #onHide = (): void => {
        if (document.hidden) {
            const waits = this.phase === "countdown" && this.plan.hidesInPause;
            this.#hidden = this.phase === "playing" || waits;
            if (this.#hidden) this.togglePause();
            return;
        }
        this.#countFrom = performance.now();
        if (this.#hidden && this.phase === "paused" && !this.plan.hidesInPause) this.togglePause();
    };

    #onFrame = (now: number): void => {
        const began = performance.now();
        if (this.phase === "countdown") {
            const left = COUNTS - Math.floor((now - this.#countFrom) / this.#countMillis);
            if (left !== this.count) this.#sound(left > 0 ? "count" : "go");
            this.count = left;
            if (left <= 0) this.#start(now);
        }
        if (this.phase === "playing") {
            this.#game.advance(this.#time(now));
            this.#look(now);
        }
        if (this.phase === "paused") {
            const millis = this.#pausedMillis + now - this.#pausedAt;
            if (millis > leaderboards().maxPausedMinutes * 60_000) this.pausedTooLong = true;
        }
        if (this.flash && now > this.flash.until) this.flash = null;
        const settling = this.#last.at(now);
        const shown = [this.view, this.thought, this.explained, this.agent, this.hint, settling?.done];
        if (shown.some((part, index) => part !== this.#shown[index])) {
            this.#shown = shown;
            this.onFrame?.({
                chosen: this.explained || this.agent ? (this.thought?.piece ?? null) : null,
                hint: this.hint,
                settling,
            });
        }
        // The page's elements are brought up to date right after this, which counts too.
        queueMicrotask(() => {
            if (this.phase !== "over") noteFrame(performance.now() - began + this.#placingMillis);
            this.#placingMillis = 0;
        });
        this.#frame = requestAnimationFrame(this.#onFrame);
    };

    /** Takes in what has happened. */
    #look(now: number): void {
        const before = this.view;
        this.view = this.#game.view();
        if (this.view.pieces !== before.pieces) {
            const more = this.view.pieces > before.pieces ? this.#game.placedFrom(before.pieces).placed : [];
            this.placed.length = Math.min(before.pieces, this.view.pieces);
            this.placed.push(...more);
            const told = worthTelling(more);
            if (told) this.#celebrate(told, now);
            this.#last.set(before, this.view, more, now);
        }
        if (this.view.pieces !== before.pieces || this.view.active?.piece !== before.active?.piece) {
            // What was thought of another piece is of no use; but an agent that hurries is ahead of what is seen.
            this.hint = null;
            if (this.#hurryingIn !== this.#turn) this.#consult();
        }
        if (this.view.outcome && this.phase === "playing") {
            this.#releaseHeld(now);
            this.phase = "over";
            this.thought = null;
            this.#sound(this.view.outcome === "top_out" ? "lost" : "done");
            this.onEnd?.(this);
        }
    }

    #sound(cue: Sound): void {
        if (!this.plan.silent) sound(cue);
    }

    #celebrate(placed: PlacementView, now: number): void {
        if (!this.plan.silent) placementSound(placed);
        this.flash = flashOf(placed, now) ?? this.flash;
    }

    async #ask(thinker: RemoteThinker, explain: boolean): Promise<Thought | null> {
        const position = this.#game.position();
        if (!position) return null;
        const turn = this.#turn;
        try {
            const thought = await thinker.think(position, explain);
            if (turn !== this.#turn) return null;
            this.position = position;
            return thought;
        } catch (error) {
            this.trouble = words(error);
            // Whoever is asked next gets another thread.
            if (thinker === this.#adviser) this.#dismissAdviser();
            return null;
        }
    }

    /** An adviser has a thread, which is there only while there is something to ask. */
    #adviserFor(who: AgentSource): RemoteThinker {
        const { name, file, nodes } = this.#adviser?.who ?? {};
        if (!this.#adviser || name !== who.name || file !== who.file || nodes !== who.nodes) {
            this.#dismissAdviser();
            this.#adviser = new RemoteThinker(who, this.seed);
        }
        return this.#adviser;
    }

    #dismissAdviser(): void {
        this.#adviser?.stop();
        this.#adviser = null;
    }

    /** The position or who is to judge it has changed: asks the agent that plays, or who explains to the player. */
    #consult(): void {
        this.#turn++;
        this.thought = null;
        if (this.phase !== "playing") return;
        if (this.#thinker) void (this.#hurries() ? this.#hurry(this.#thinker) : this.#think(this.#thinker));
        else if (this.explained && this.#advisedBy) void this.#advise(this.#advisedBy);
    }

    async #advise(adviser: AgentSource): Promise<void> {
        const thought = await this.#ask(this.#adviserFor(adviser), true);
        if (thought) this.thought = thought;
    }

    /** The agent's turn, unless something else happens before it is over. */
    async #think(thinker: RemoteThinker): Promise<void> {
        const turn = this.#turn;
        const current = () => turn === this.#turn && this.phase === "playing";
        const thought = await this.#ask(thinker, this.explained);
        if (!thought || this.phase === "over") return;
        // A game that waits shows what is thought of it, too. Watching a fast agent think would only make it slow.
        if (this.explained || this.pace.kind === "gate" || this.pace.perSecond <= 10) this.thought = thought;
        // What is explained is there to be seen, if only for a frame.
        if (this.explained && current()) await nextFrame();
        while (current() && !this.#isDue()) await nextFrame();
        if (current()) this.#place(thought.play);
    }

    /** The agent's turns as fast as they go: what comes between two frames is looked at together, in the next. */
    async #hurry(thinker: RemoteThinker): Promise<void> {
        this.#hurryingIn = this.#turn;
        while (this.#hurries()) {
            const thought = await this.#ask(thinker, false);
            if (!thought || this.phase !== "playing") return;
            const now = performance.now();
            this.#make(thought.play, now);
            this.#placingMillis += performance.now() - now;
        }
        this.#consult();
    }

    #hurries(): boolean {
        return !this.explained && this.pace.kind === "speed" && this.pace.perSecond === 0;
    }

    #place(move: Thought["play"]): void {
        const now = performance.now();
        this.#make(move, now);
        this.#look(now);
        queueMicrotask(() => (this.#placingMillis += performance.now() - now));
    }

    #make(move: Thought["play"], now: number): void {
        this.#lastPlace = now;
        // No two are made at the same time, however coarse the browser's clock: a replay must tell them apart.
        this.#made = Math.max(this.#time(now), this.#made + 1);
        try {
            this.#game.place(this.#made, move);
        } catch {
            // The piece locked by itself while the agent thought: it will be asked about the next.
        }
    }

    #isDue(): boolean {
        if (this.pace.kind === "gate") return this.pace.may();
        return this.pace.perSecond === 0 || performance.now() - this.#lastPlace >= 1000 / this.pace.perSecond;
    }
}
