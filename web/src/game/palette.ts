// The colours of cells, as design tokens, by the engine's number: pieces in table order (I J L O S T Z) from 1, then grey.
import { pieceTable, type Piece } from "../engine";

export function pieceToken(piece: Piece): string {
    return `--piece-${piece.toLowerCase()}`;
}

export function cellToken(cell: number): string {
    const entry = pieceTable()[cell - 1];
    return entry ? pieceToken(entry.piece) : "--garbage";
}
