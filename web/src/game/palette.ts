// The colours of cells, by the engine's number: pieces in table order (I J L O S T Z) from 1, then grey.
import type { Piece } from "../engine";
import type { Palette } from "../state/settings.svelte";

const PIECES = "IJLOSTZ";

/** Close to the guideline's, a little muted; and the palette of Okabe and Ito, which colour-blind people can tell apart. */
const COLOURS: Record<Palette, readonly string[]> = {
    guideline: ["", "#3fc1d6", "#4c78d8", "#e8943a", "#e3c53d", "#5bb85c", "#a568d6", "#dc5252", "#7d8794"],
    "colour-blind": [
        "",
        "#56b4e9",
        "#0072b2",
        "#e69f00",
        "#f0e442",
        "#009e73",
        "#cc79a7",
        "#d55e00",
        "#8a8f98",
    ],
};

export function cellColour(cell: number, palette: Palette): string {
    return COLOURS[palette][cell] ?? "#7d8794";
}

export function pieceColour(piece: Piece, palette: Palette): string {
    return cellColour(PIECES.indexOf(piece) + 1, palette);
}

/** The cells of each piece as it enters, for hold and previews: column, and row from the bottom. */
export const SHAPES: Record<Piece, readonly (readonly [number, number])[]> = {
    I: [
        [0, 0],
        [1, 0],
        [2, 0],
        [3, 0],
    ],
    J: [
        [0, 0],
        [1, 0],
        [2, 0],
        [0, 1],
    ],
    L: [
        [0, 0],
        [1, 0],
        [2, 0],
        [2, 1],
    ],
    O: [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
    ],
    S: [
        [0, 0],
        [1, 0],
        [1, 1],
        [2, 1],
    ],
    T: [
        [0, 0],
        [1, 0],
        [2, 0],
        [1, 1],
    ],
    Z: [
        [1, 0],
        [2, 0],
        [0, 1],
        [1, 1],
    ],
};
