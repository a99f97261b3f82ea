// A replay under the player's hands: at a time of it, running or standing.
import { Viewer, type About, type GameView, type PlacedView } from "../engine";
import { clearWords, type ClearWords } from "./clear";

/** Times the game's own speed. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;

/** How long the name of a clear is shown, in microseconds at the game's own speed. */
const NAMED_FOR = 2_000_000;
/** A frame that comes later than this, in milliseconds, does not make the game jump. */
const LONGEST_FRAME = 100;

export class Playback {
    readonly about: About;
    readonly placed: PlacedView[];
    /** The game as it ended. */
    readonly end: GameView;
    /** Microseconds from the start. */
    time = $state(0);
    view = $state.raw() as GameView;
    playing = $state(false);
    speed = $state<number>(1);

    /** How many pieces were placed until now, of those that stayed. */
    readonly done = $derived(this.#doneAt(this.time));
    readonly clear: ClearWords | null = $derived(this.#clear());

    #viewer: Viewer;
    #frame = 0;
    #lastFrame = 0;

    /** Throws if the bytes are no replay, or not true. */
    constructor(bytes: Uint8Array) {
        this.#viewer = new Viewer(bytes);
        this.about = this.#viewer.about();
        this.placed = this.#viewer.record().placed;
        this.#viewer.seek(this.about.duration);
        this.end = this.#viewer.view();
        this.seek(0);
    }

    seek(time: number): void {
        this.time = Math.min(Math.max(0, time), this.about.duration);
        this.#viewer.seek(this.time);
        this.view = this.#viewer.view();
    }

    /** Stands still at the next placement, or at the end. */
    forward(): void {
        this.pause();
        this.seek(this.placed[this.done]?.at ?? this.about.duration);
    }

    /** Stands still at the placement before, or at the start. */
    back(): void {
        this.pause();
        let before = this.done - 1;
        while (before >= 0 && (this.placed[before]?.at ?? 0) >= this.time) before--;
        this.seek(this.placed[before]?.at ?? 0);
    }

    toggle(): void {
        if (this.playing) this.pause();
        else this.play();
    }

    /** Goes on, or begins again after the end. */
    play(): void {
        if (this.playing) return;
        if (this.time >= this.about.duration) this.seek(0);
        this.playing = true;
        this.#lastFrame = performance.now();
        this.#frame = requestAnimationFrame(this.#onFrame);
    }

    pause(): void {
        cancelAnimationFrame(this.#frame);
        this.playing = false;
    }

    /** The engine's view of the replay, at the time that is shown. */
    get viewer(): Viewer {
        return this.#viewer;
    }

    free(): void {
        this.pause();
        this.#viewer.free();
    }

    #onFrame = (now: number): void => {
        const passed = Math.min(Math.max(0, now - this.#lastFrame), LONGEST_FRAME);
        this.#lastFrame = now;
        this.seek(this.time + passed * 1000 * this.speed);
        if (this.time >= this.about.duration) this.playing = false;
        else this.#frame = requestAnimationFrame(this.#onFrame);
    };

    #doneAt(time: number): number {
        let [low, high] = [0, this.placed.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if ((this.placed[middle]?.at ?? 0) <= time) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** While it runs, a name stays as long as in the game; when it stands, only the last piece has one. */
    #clear(): ClearWords | null {
        const since = this.time - NAMED_FOR * this.speed;
        for (let index = this.done - 1; index >= 0; index--) {
            const placed = this.placed[index];
            if (!placed || placed.at < since) return null;
            const words = clearWords(placed);
            if (words || !this.playing) return words;
        }
        return null;
    }
}
