// What an explanation points at on the board: a move with its path, or the cells that a term counts.
import type { Cell, PieceView } from "../engine";

/** Where the piece is after a key. */
export interface PathStep {
    key: string;
    cells: readonly Cell[];
}

/** A move, drawn with the way that the piece takes. */
export interface PointedMove {
    piece: PieceView;
    path: readonly PathStep[];
    /** Whether the agent chose it: then it is solid, others are dashed. */
    chosen: boolean;
}

export interface Pointed {
    move: PointedMove;
    /** The cells of one term after that move; nothing if the move itself is meant. */
    term: { label: string; cells: readonly Cell[]; helps: boolean } | null;
}
