// What an explanation points at on the board: a move with its path, or the cells that a term counts.
import type { Cell, MovePath, PieceView } from "../engine";

export interface Pointed {
    piece: PieceView;
    path: MovePath;
    /** Whether the agent chose the move: then it is solid, others are dashed. */
    chosen: boolean;
    /** The term that is meant; nothing if it is the move itself. */
    term: { label: string; cells: readonly Cell[]; helps: boolean } | null;
}
