// The colours of cells, by the engine's number: pieces in table order (I J L O S T Z) from 1, then grey.
import { pieceTable, type Piece } from "../engine";
import type { Palette } from "../state/settings.svelte";

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
    return cellColour(pieceTable().findIndex((entry) => entry.piece === piece) + 1, palette);
}
