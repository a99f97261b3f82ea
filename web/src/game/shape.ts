// Cells as they are drawn: the marks of the colour-blind-safe skin, and outlines of sets of cells.
import type { Cell, Piece } from "../engine";

/** The mark of each piece on a cell of 20 units; it follows the letter. */
export const MARKS: Record<Piece, string> = {
    I: "M10 4.5V15.5",
    O: "M6.5 6.5H13.5V13.5H6.5Z",
    T: "M5 7H15M10 7V15",
    S: "M6 14.5L14 5.5",
    Z: "M6 5.5L14 14.5",
    J: "M13 5V14H6",
    L: "M7 5V14H14",
};

/** The edges of a set of cells that no other of them shares, each as two corners in cells. */
export function edges(cells: readonly Cell[]): [Cell, Cell][] {
    const filled = new Set(cells.map(([x, y]) => `${x},${y}`));
    const free = (x: number, y: number) => !filled.has(`${x},${y}`);
    return cells.flatMap(([x, y]): [Cell, Cell][] => [
        ...(free(x - 1, y)
            ? [
                  [
                      [x, y],
                      [x, y + 1],
                  ] as [Cell, Cell],
              ]
            : []),
        ...(free(x + 1, y)
            ? [
                  [
                      [x + 1, y],
                      [x + 1, y + 1],
                  ] as [Cell, Cell],
              ]
            : []),
        ...(free(x, y - 1)
            ? [
                  [
                      [x, y],
                      [x + 1, y],
                  ] as [Cell, Cell],
              ]
            : []),
        ...(free(x, y + 1)
            ? [
                  [
                      [x, y + 1],
                      [x + 1, y + 1],
                  ] as [Cell, Cell],
              ]
            : []),
    ]);
}
