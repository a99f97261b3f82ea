// A replay that can be played, paused and scrubbed. Where pieces were placed too fast to see, it runs piece by piece instead.
import {
    MatchViewer,
    Viewer,
    isMatch,
    type About,
    type GameView,
    type MatchView,
    type PlacementView,
    type Side,
} from "../engine";
import { clearWords, type ClearWords } from "./clear";
import { attacksIn, type SentAttack } from "./round.svelte";

/** Multiples of the game's own speed. */
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
/** Pieces per second. */
const PIECE_SPEEDS = [1, 2, 5, 10, 30];
/** Faster than anybody can follow. */
const MAX_VISIBLE_PIECES_PER_SECOND = 15;

const SIDES = [0, 1] as const;

/** How long the name of a clear is shown. */
const CLEAR_NAME_SECONDS = 2;
/** The game does not jump after a longer frame. */
const MAX_FRAME_MILLIS = 100;

/** A recorded game or match, as the engine shows it. */
interface Recording<View> {
    about(): About;
    seek(time: number): void;
    view(): View;
    free(): void;
}

/** Throws if the bytes are not a replay that verifies. */
export function playbackOf(bytes: Uint8Array): GamePlayback | MatchPlayback {
    return isMatch(bytes) ? new MatchPlayback(bytes) : new GamePlayback(bytes);
}

export class Playback<View = unknown, Viewed extends Recording<View> = Recording<View>> {
    readonly about: About;
    /** Everything that was placed, in order of time and numbered from 1. */
    readonly placed: readonly PlacementView[];
    /** The game as it ended. */
    readonly end: View;
    /** Whether it runs and is measured in pieces, not in time. */
    readonly byPieces: boolean;
    readonly speeds: readonly number[];
    /** Microseconds from the start. */
    time = $state(0);
    view = $state.raw() as View;
    playing = $state(false);
    /** A multiple of the game's own speed, or pieces per second. */
    speed = $state(1);

    /** How many pieces were placed until now, of those that stayed. */
    readonly done = $derived(this.#doneAt(this.time));

    #viewer: Viewed;
    #frame = 0;
    #lastFrame = 0;
    /** The part of the next piece whose time has passed. */
    #part = 0;

    constructor(viewer: Viewed, placed: readonly PlacementView[]) {
        this.#viewer = viewer;
        this.about = viewer.about();
        this.placed = placed;
        this.byPieces = this.placed.length > (MAX_VISIBLE_PIECES_PER_SECOND * this.about.duration) / 1e6;
        this.speeds = this.byPieces ? PIECE_SPEEDS : SPEEDS;
        if (this.byPieces) this.speed = 5;
        this.#viewer.seek(this.about.duration);
        this.end = this.#viewer.view();
        this.#seek(0);
    }

    /** How far it is: in microseconds, or in pieces. */
    get position(): number {
        return this.byPieces ? this.done : this.time;
    }

    /** How far it goes. */
    get length(): number {
        return this.byPieces ? this.placed.length : this.about.duration;
    }

    /** How far it was when that was placed. */
    positionOf(placed: PlacementView): number {
        return this.byPieces ? placed.number : placed.at;
    }

    /** Stands still there. */
    goTo(position: number): void {
        this.pause();
        if (position >= this.length) this.#seek(this.about.duration);
        else this.#seek(this.byPieces ? this.#timeOf(position) : position);
    }

    #seek(time: number): void {
        this.time = Math.min(Math.max(0, time), this.about.duration);
        this.#viewer.seek(this.time);
        this.view = this.#viewer.view();
    }

    /** Stands still at the next placement, or at the end. */
    forward(): void {
        this.pause();
        this.#seek(this.#timeOf(this.done + 1));
    }

    /** Stands still at the placement before, or at the start. */
    back(): void {
        this.pause();
        let before = this.done - 1;
        while (before >= 0 && (this.placed[before]?.at ?? 0) >= this.time) before--;
        this.#seek(this.#timeOf(before + 1));
    }

    toggle(): void {
        if (this.playing) this.pause();
        else this.play();
    }

    /** Goes on, or begins again after the end. */
    play(): void {
        if (this.playing) return;
        if (this.time >= this.about.duration) this.#seek(0);
        this.playing = true;
        this.#part = 0;
        this.#lastFrame = performance.now();
        this.#frame = requestAnimationFrame(this.#onFrame);
    }

    pause(): void {
        cancelAnimationFrame(this.#frame);
        this.playing = false;
    }

    /** The engine's view of the replay, at the time that is shown. */
    get viewer(): Viewed {
        return this.#viewer;
    }

    free(): void {
        this.pause();
        this.#viewer.free();
    }

    #onFrame = (now: number): void => {
        const passed = Math.min(Math.max(0, now - this.#lastFrame), MAX_FRAME_MILLIS);
        this.#lastFrame = now;
        this.#seek(this.#timeAfter(passed / 1000));
        if (this.time >= this.about.duration) this.playing = false;
        else this.#frame = requestAnimationFrame(this.#onFrame);
    };

    /** When so many pieces were placed. */
    #timeOf(pieces: number): number {
        return pieces > 0 ? (this.placed[pieces - 1]?.at ?? this.about.duration) : 0;
    }

    /** The time to be shown when so many seconds have passed. */
    #timeAfter(seconds: number): number {
        if (!this.byPieces) return this.time + seconds * 1e6 * this.speed;
        this.#part += seconds * this.speed;
        const due = Math.floor(this.#part);
        this.#part -= due;
        return due > 0 ? this.#timeOf(this.done + due) : this.time;
    }

    #doneAt(time: number): number {
        let [low, high] = [0, this.placed.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if ((this.placed[middle]?.at ?? 0) <= time) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /**
     * The name of a clear among some of the placements. While it runs, a name stays as long as in the game; when it stands, only
     * the last piece has one.
     */
    protected clearAmong(isMeant: (placed: PlacementView) => boolean): ClearWords | null {
        const since = this.position - CLEAR_NAME_SECONDS * this.speed * (this.byPieces ? 1 : 1e6);
        for (let index = this.done - 1; index >= 0; index--) {
            const placed = this.placed[index];
            if (!placed || this.positionOf(placed) < since) return null;
            if (!isMeant(placed)) continue;
            const words = clearWords(placed);
            if (words || !this.playing) return words;
        }
        return null;
    }
}

/** The replay of a game. */
export class GamePlayback extends Playback<GameView, Viewer> {
    readonly clear: ClearWords | null = $derived(this.clearAmong(() => true));

    constructor(bytes: Uint8Array) {
        const viewer = new Viewer(bytes);
        super(viewer, viewer.record().placed);
    }
}

/** The replay of a match. */
export class MatchPlayback extends Playback<MatchView, MatchViewer> {
    /** What each side placed until now. */
    readonly placedBy = $derived(SIDES.map((side) => this.#until(this.#sides[side])));
    readonly attacks: readonly SentAttack[] = $derived(
        attacksIn([this.placedBy[0] ?? [], this.placedBy[1] ?? []]),
    );
    readonly clears = $derived(
        SIDES.map((side) => this.clearAmong((placed) => this.#sideOf.get(placed) === side)),
    );

    readonly #sides: readonly [PlacementView[], PlacementView[]];
    readonly #sideOf: ReadonlyMap<PlacementView, Side>;

    constructor(bytes: Uint8Array) {
        const viewer = new MatchViewer(bytes);
        const sides = viewer.record().placed;
        const all = SIDES.flatMap((side) => sides[side].map((placed) => ({ side, placed })));
        all.sort((one, other) => one.placed.at - other.placed.at);
        const numbered = all.map(({ side, placed }, index) => ({
            side,
            placed: { ...placed, number: index + 1 },
        }));
        super(
            viewer,
            numbered.map(({ placed }) => placed),
        );
        this.#sides = sides;
        this.#sideOf = new Map(numbered.map(({ side, placed }) => [placed, side]));
    }

    #until(placed: readonly PlacementView[]): PlacementView[] {
        return placed.filter(({ at }) => at <= this.time);
    }
}
