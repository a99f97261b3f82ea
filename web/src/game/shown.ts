// What a board and its keys need to know of a game under way: a single game, or one side of a match.
import type { Button, GameView } from "../engine";
import type { Flash } from "./clear";
import type { Marks } from "./painter";
import type { Pointed } from "./pointing";

export type Phase = "countdown" | "playing" | "paused" | "over";

/** A game that is drawn while it goes on. */
export interface ShownGame {
    readonly view: GameView;
    readonly phase: Phase;
    /** What is left to count before it begins. */
    readonly count: number;
    /** Whether a pause hides the pieces until a person ends it: nobody plans while the time stands still. */
    readonly hidesInPause: boolean;
    readonly flash: Flash | null;
    /** What an explanation points at. */
    readonly pointed: Pointed | null;
    /** Called for each frame that differs from the one before. */
    onFrame: ((marks: Marks) => void) | null;
}

/** A game that a person plays. */
export interface PlayedGame extends ShownGame {
    readonly halfTurns: boolean;
    /** Whether placements can be taken back; unless it says so, they can't. */
    readonly travels?: boolean;
    /** Whether a button has a use now, or will have when the game goes on. */
    takes(button: Button): boolean;
    press(button: Button, timeStamp: number): void;
    release(button: Button, timeStamp: number): void;
    releaseAll(timeStamp: number): void;
}

/** What acts for as long as it is held: after a countdown or a pause too. */
export const DIRECTIONS: readonly Button[] = ["left", "right", "softDrop"];

/** Counted before a game begins. */
export const COUNTS = 3;

/**
 * How long the work for each of the last frames of games under way took, in milliseconds: what the page's speed is judged by.
 */
export const frameWork: number[] = [];

export function noteFrame(millis: number): void {
    frameWork.push(millis);
    if (frameWork.length > 3600) frameWork.shift();
}
