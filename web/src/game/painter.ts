// Draws a board on a canvas.
import type { Cell, GameView, PieceView } from "../engine";
import type { Palette } from "../state/settings.svelte";
import { cellColour, pieceColour } from "./palette";

/** Rows shown above the board, without a grid: pieces spawn there. */
export const ROWS_ABOVE = 2;

export interface Marks {
    /** Where an agent thinks of going, faintly. */
    candidates: readonly PieceView[];
    /** Where it will go, brightly. */
    chosen: PieceView | null;
    /** The hint. */
    hint: PieceView | null;
    /** Rows that were just cleared, and how far their light has faded: 0 to 1. */
    cleared: { rows: readonly number[]; faded: number } | null;
}

export const NO_MARKS: Marks = { candidates: [], chosen: null, hint: null, cleared: null };

export interface Look {
    palette: Palette;
    ghost: boolean;
    hidden: boolean;
    grid: string;
    background: string;
    light: string;
}

/** Fits the canvas into a box on the screen, with the pixels that the screen has. */
export function fit(
    canvas: HTMLCanvasElement,
    box: { width: number; height: number },
    columns: number,
    rows: number,
): void {
    const scale = window.devicePixelRatio || 1;
    const cell = Math.max(4, Math.floor(Math.min(box.width / columns, box.height / rows) * scale));
    canvas.width = cell * columns;
    canvas.height = cell * rows;
    canvas.style.width = `${canvas.width / scale}px`;
    canvas.style.height = `${canvas.height / scale}px`;
}

/** What is painted on: cells of a size, in columns and rows that are seen. */
interface Sheet {
    context: CanvasRenderingContext2D;
    size: number;
    columns: number;
    rows: number;
}

export function paint(canvas: HTMLCanvasElement, view: GameView, look: Look, marks: Marks): void {
    const context = canvas.getContext("2d");
    if (!context) return;
    const rows = view.height + ROWS_ABOVE;
    const sheet = { context, size: canvas.width / view.width, columns: view.width, rows };
    context.clearRect(0, 0, canvas.width, canvas.height);
    paintGrid(sheet, look);
    if (look.hidden) return;
    paintStack(sheet, view, look);
    for (const { piece, cells } of marks.candidates) {
        for (const cell of cells) block(sheet, cell, pieceColour(piece, look.palette), 0.09);
    }
    paintPiece(sheet, view, look);
    paintMarks(sheet, marks, look);
}

function paintGrid({ context, size, columns, rows }: Sheet, look: Look): void {
    const [top, right, bottom] = [ROWS_ABOVE * size, columns * size, rows * size];
    context.fillStyle = look.background;
    context.fillRect(0, top, right, bottom - top);
    context.strokeStyle = look.grid;
    context.lineWidth = Math.max(1, size / 32);
    context.beginPath();
    for (let x = 1; x < columns; x++) {
        context.moveTo(Math.round(x * size) + 0.5, top);
        context.lineTo(Math.round(x * size) + 0.5, bottom);
    }
    for (let y = ROWS_ABOVE + 1; y < rows; y++) {
        context.moveTo(0, Math.round(y * size) + 0.5);
        context.lineTo(right, Math.round(y * size) + 0.5);
    }
    context.stroke();
}

function paintStack(sheet: Sheet, view: GameView, look: Look): void {
    for (let y = 0; y < sheet.rows; y++) {
        for (let x = 0; x < sheet.columns; x++) {
            const cell = view.cells[y * sheet.columns + x] ?? 0;
            if (cell) block(sheet, [x, y], cellColour(cell, look.palette), 1);
        }
    }
}

/** The piece that falls, and where it would land. */
function paintPiece(sheet: Sheet, view: GameView, look: Look): void {
    if (!view.active) return;
    const colour = pieceColour(view.active.piece, look.palette);
    if (view.ghost && look.ghost) {
        const width = Math.max(1.5, sheet.size / 14);
        for (const cell of view.ghost) block(sheet, cell, colour, 0.2);
        outline(sheet, view.ghost, colour, 1, width);
        // Bright colours are lost on a light board, and dark ones on a dark board.
        outline(sheet, view.ghost, look.light, 0.45, width);
    }
    for (const cell of view.active.cells) block(sheet, cell, colour, 1);
}

function paintMarks(sheet: Sheet, { chosen, hint, cleared }: Marks, look: Look): void {
    const { context, size, columns } = sheet;
    if (chosen) {
        for (const cell of chosen.cells) block(sheet, cell, pieceColour(chosen.piece, look.palette), 0.35);
        outline(sheet, chosen.cells, look.light, 0.95, Math.max(1.5, size / 12));
    }
    if (hint) outline(sheet, hint.cells, look.light, 1, Math.max(2, size / 9));
    if (cleared) {
        context.globalAlpha = 0.5 * (1 - cleared.faded);
        context.fillStyle = look.light;
        for (const y of cleared.rows) context.fillRect(0, upperEdge(sheet, y), columns * size, size);
        context.globalAlpha = 1;
    }
}

function upperEdge({ rows, size }: Sheet, y: number): number {
    return (rows - 1 - y) * size;
}

function block(sheet: Sheet, [x, y]: Cell, colour: string, alpha: number): void {
    const { context, size, rows } = sheet;
    if (y >= rows) return;
    const gap = Math.max(0.5, size * 0.03);
    const [left, upper, side] = [x * size + gap, upperEdge(sheet, y) + gap, size - 2 * gap];
    context.globalAlpha = alpha;
    context.fillStyle = colour;
    context.fillRect(left, upper, side, side);
    // A thin light on the upper edge is all the relief there is.
    context.globalAlpha = alpha * 0.22;
    context.fillStyle = "#ffffff";
    context.fillRect(left, upper, side, size * 0.1);
    context.globalAlpha = 1;
}

function outline(sheet: Sheet, cells: readonly Cell[], colour: string, alpha: number, width: number): void {
    const { context, size } = sheet;
    const filled = new Set(cells.map(([x, y]) => `${x},${y}`));
    context.globalAlpha = alpha;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.lineCap = "square";
    context.beginPath();
    for (const [x, y] of cells) {
        const [left, upper] = [x * size, upperEdge(sheet, y)];
        const [right, lower] = [left + size, upper + size];
        const edge = (dx: number, dy: number, line: [number, number, number, number]) => {
            if (filled.has(`${x + dx},${y + dy}`)) return;
            context.moveTo(line[0], line[1]);
            context.lineTo(line[2], line[3]);
        };
        edge(-1, 0, [left, upper, left, lower]);
        edge(1, 0, [right, upper, right, lower]);
        edge(0, 1, [left, upper, right, upper]);
        edge(0, -1, [left, lower, right, lower]);
    }
    context.stroke();
    context.globalAlpha = 1;
}
