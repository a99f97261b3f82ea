// The keys of a move: the button that each stands for, and its sign as a path.
import type { Button } from "../engine";

interface Press {
    button: Button;
    /** Whether it is held until the piece stops. */
    held: boolean;
    /** Strokes on a square of eight units. */
    sign: string;
    /** What the touch key says, if the engine says something else. */
    words?: string;
}

const PRESSES: Record<string, Press> = {
    hold: { button: "hold", held: false, sign: "M2 3H6M4.8 1.8L6 3M6 5H2M3.2 6.2L2 5" },
    left: { button: "left", held: false, sign: "M6 4H2M3.6 2.4L2 4L3.6 5.6" },
    right: { button: "right", held: false, sign: "M2 4H6M4.4 2.4L6 4L4.4 5.6" },
    "far left": { button: "left", held: true, sign: "M6.4 4H2.6M4.2 2.4L2.6 4L4.2 5.6M1.6 2.2V5.8" },
    "far right": { button: "right", held: true, sign: "M1.6 4H5.4M3.8 2.4L5.4 4L3.8 5.6M6.4 2.2V5.8" },
    clockwise: {
        button: "clockwise",
        held: false,
        sign: "M2.2 5.4A2.2 2.2 0 1 1 6 4.6M7 3.6L6 4.8L4.8 4",
        words: "rotate right",
    },
    "counter-clockwise": {
        button: "counterClockwise",
        held: false,
        sign: "M5.8 5.4A2.2 2.2 0 1 0 2 4.6M1 3.6L2 4.8L3.2 4",
        words: "rotate left",
    },
    "half turn": {
        button: "halfTurn",
        held: false,
        sign: "M2.4 2.6A2.2 2.2 0 0 1 6.1 4M5 3.2L6.1 4.2L7 3.2M5.6 5.4A2.2 2.2 0 0 1 1.9 4M3 4.8L1.9 3.8L1 4.8",
    },
    "hard drop": { button: "hardDrop", held: false, sign: "M4 1.4V5.2M2.6 3.8L4 5.2L5.4 3.8M2 6.6H6" },
};

const SOFT_DROP: Press = { button: "softDrop", held: true, sign: "M4 1.8V6M2.4 4.4L4 6L5.6 4.4" };

/** What a key of the engine presses. Only soft drops have more than one name: they say how far. */
export function pressOf(key: string): Press {
    return PRESSES[key] ?? SOFT_DROP;
}
