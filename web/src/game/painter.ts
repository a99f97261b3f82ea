// Draws a board on a canvas.
import type { Cell, GameView, PieceView } from "../engine";
import type { Palette } from "../state/settings.svelte";
import { cellColour, pieceColour } from "./palette";

/** Rows above the board that are seen, without a grid: pieces enter there. */
export const ROWS_ABOVE = 2;

export interface Marks {
    /** Where an agent thinks of going, faintly. */
    candidates: readonly PieceView[];
    /** Where it will go, brightly. */
    chosen: PieceView | null;
    /** What was asked for. */
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

/** Fits the canvas to its place on the screen, with the pixels that the screen has. */
export function fit(canvas: HTMLCanvasElement, columns: number, rows: number): void {
    const box = canvas.parentElement?.getBoundingClientRect();
    if (!box || box.width < 10 || box.height < 10) return;
    const scale = window.devicePixelRatio || 1;
    const cell = Math.max(
        4,
        Math.floor(Math.min((box.width / columns) * scale, (box.height / rows) * scale)),
    );
    const [width, height] = [cell * columns, cell * rows];
    if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
        canvas.style.width = `${width / scale}px`;
        canvas.style.height = `${height / scale}px`;
    }
}

export function paint(canvas: HTMLCanvasElement, view: GameView, look: Look, marks: Marks = NO_MARKS): void {
    const context = canvas.getContext("2d");
    if (!context) return;
    const rows = view.height + ROWS_ABOVE;
    const size = canvas.width / view.width;
    const at = (x: number, y: number): [number, number] => [x * size, (rows - 1 - y) * size];

    context.clearRect(0, 0, canvas.width, canvas.height);
    const top = ROWS_ABOVE * size;
    context.fillStyle = look.background;
    context.fillRect(0, top, canvas.width, canvas.height - top);
    context.strokeStyle = look.grid;
    context.lineWidth = Math.max(1, size / 32);
    context.beginPath();
    for (let x = 1; x < view.width; x++) {
        context.moveTo(Math.round(x * size) + 0.5, top);
        context.lineTo(Math.round(x * size) + 0.5, canvas.height);
    }
    for (let y = 1; y < view.height; y++) {
        context.moveTo(0, Math.round(top + y * size) + 0.5);
        context.lineTo(canvas.width, Math.round(top + y * size) + 0.5);
    }
    context.stroke();
    if (look.hidden) return;

    const block = ([x, y]: Cell, colour: string, alpha: number) => {
        if (y >= rows) return;
        const [left, upper] = at(x, y);
        const gap = Math.max(0.5, size * 0.03);
        context.globalAlpha = alpha;
        context.fillStyle = colour;
        context.fillRect(left + gap, upper + gap, size - 2 * gap, size - 2 * gap);
        // A thin light on the upper edge is all the relief there is.
        context.globalAlpha = alpha * 0.22;
        context.fillStyle = "#ffffff";
        context.fillRect(left + gap, upper + gap, size - 2 * gap, size * 0.1);
        context.globalAlpha = 1;
    };
    const outline = (cells: readonly Cell[], colour: string, alpha: number, width: number) => {
        const filled = new Set(cells.map(([x, y]) => `${x},${y}`));
        context.globalAlpha = alpha;
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.beginPath();
        for (const [x, y] of cells) {
            const [left, upper] = at(x, y);
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
    };

    for (let y = 0; y < rows; y++) {
        for (let x = 0; x < view.width; x++) {
            const cell = view.cells[y * view.width + x] ?? 0;
            if (cell) block([x, y], cellColour(cell, look.palette), 1);
        }
    }
    for (const { piece, cells } of marks.candidates) {
        for (const cell of cells) block(cell, pieceColour(piece, look.palette), 0.09);
    }
    if (view.active) {
        const colour = pieceColour(view.active.piece, look.palette);
        if (view.ghost && look.ghost) {
            for (const cell of view.ghost) block(cell, colour, 0.16);
            outline(view.ghost, colour, 0.7, Math.max(1, size / 22));
        }
        for (const cell of view.active.cells) block(cell, colour, 1);
    }
    if (marks.chosen) {
        for (const cell of marks.chosen.cells)
            block(cell, pieceColour(marks.chosen.piece, look.palette), 0.35);
        outline(marks.chosen.cells, look.light, 0.95, Math.max(1.5, size / 12));
    }
    if (marks.hint) outline(marks.hint.cells, look.light, 1, Math.max(2, size / 9));
    if (marks.cleared && marks.cleared.faded < 1) {
        context.globalAlpha = 0.5 * (1 - marks.cleared.faded);
        context.fillStyle = look.light;
        for (const y of marks.cleared.rows) context.fillRect(0, at(0, y)[1], canvas.width, size);
        context.globalAlpha = 1;
    }
}
