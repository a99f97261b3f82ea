// Draws a board on a canvas, in the theme's colours and the skin's blocks.
import { pieceTable, type Cell, type GameView, type PieceView } from "../engine";
import { MARKS, edges } from "./shape";
import { cellToken } from "./palette";

/** Rows shown above the board, without a grid: pieces spawn there. */
export const ROWS_ABOVE = 2;

/** What the last placement did, for as long as that is shown. */
export interface Settling {
    /** The cells that locked. */
    locked: readonly Cell[];
    /** The stack before its full rows were cleared, and those rows; nothing if there were none. */
    clear: { stack: Uint8Array; rows: readonly number[] } | null;
    spin: boolean;
    backToBack: boolean;
    /** From 0 to 1. */
    done: number;
}

export interface Marks {
    /** Where an agent will go. */
    chosen: PieceView | null;
    /** The hint. */
    hint: PieceView | null;
    settling: Settling | null;
}

export const NO_MARKS: Marks = { chosen: null, hint: null, settling: null };

/** Everything that the drawing of a board depends on beside the game. */
export interface Look {
    ghost: boolean;
    hidden: boolean;
    /** A colour or a number of the theme and skin. */
    token: (name: string) => string;
    /** The blocks, as large as they were last drawn. */
    blocks: { size: number; sheet: HTMLCanvasElement } | null;
}

/** The look of the page as it is now. */
export function readLook(ghost: boolean, hidden: boolean): Look {
    const style = getComputedStyle(document.documentElement);
    const values = new Map<string, string>();
    const token = (name: string) => {
        const value = values.get(name) ?? style.getPropertyValue(name).trim();
        values.set(name, value);
        return value;
    };
    return { ghost, hidden, token, blocks: null };
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
    look: Look;
    size: number;
    columns: number;
    rows: number;
}

export function paint(canvas: HTMLCanvasElement, view: GameView, look: Look, marks: Marks): void {
    const context = canvas.getContext("2d");
    if (!context) return;
    const rows = view.height + ROWS_ABOVE;
    const sheet = { context, look, size: canvas.width / view.width, columns: view.width, rows };
    context.clearRect(0, 0, canvas.width, canvas.height);
    paintGrid(sheet);
    if (look.hidden) return;
    const { settling } = marks;
    const lift = settling?.clear ? rising(settling.clear.rows, settling.done) : (y: number) => y;
    if (settling?.clear) paintClear(sheet, settling.clear, settling);
    else paintStack(sheet, view.cells);
    if (settling) paintLock(sheet, settling);
    // Where an agent will go, not where the piece would fall.
    paintPiece(sheet, marks.chosen ? { ...view, ghost: null } : view, lift);
    if (marks.chosen) {
        for (const cell of marks.chosen.cells) block(sheet, cell, numberOf(marks.chosen.piece), 0.4);
        outline(sheet, marks.chosen.cells, look.token("--accent"), Math.max(1.5, sheet.size / 10));
    }
    if (marks.hint) outline(sheet, marks.hint.cells, look.token("--accent"), Math.max(2, sheet.size / 9));
}

/** The number of a piece among cells. */
function numberOf(piece: string): number {
    return pieceTable().findIndex((entry) => entry.piece === piece) + 1;
}

function paintGrid({ context, look, size, columns, rows }: Sheet): void {
    const [top, right, bottom] = [ROWS_ABOVE * size, columns * size, rows * size];
    context.fillStyle = look.token("--well");
    context.fillRect(0, top, right, bottom - top);
    context.strokeStyle = look.token("--grid");
    context.lineWidth = Math.max(1, Math.round(size / 32));
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

function paintStack(sheet: Sheet, cells: Uint8Array, height: (y: number) => number = (y) => y): void {
    for (let y = 0; y < sheet.rows; y++) {
        for (let x = 0; x < sheet.columns; x++) {
            const cell = cells[y * sheet.columns + x] ?? 0;
            if (cell) block(sheet, [x, height(y)], cell, 1);
        }
    }
}

/** The share of a clear in which its rows dissolve; then the stack falls. */
const DISSOLVED = 0.7;

/** How far the stack has fallen: from 0 to 1, ever faster. */
function fallen(done: number): number {
    return Math.max(0, (done - DISSOLVED) / (1 - DISSOLVED)) ** 2;
}

/** Where a row of the stack after a clear is still seen: above the rows that dissolve, until it has fallen. */
function rising(cleared: readonly number[], done: number): (y: number) => number {
    const left = 1 - fallen(done);
    const ordered = [...cleared].sort((a, b) => a - b);
    return (y) => {
        let before = y;
        for (const row of ordered) if (row <= before) before++;
        // As whole thousandths, so that cells side by side stay side by side.
        return Math.round((y + (before - y) * left) * 1000) / 1000;
    };
}

/** The rows of a clear dissolve from the middle, and then what is above them falls. */
function paintClear(sheet: Sheet, { stack, rows }: NonNullable<Settling["clear"]>, settling: Settling): void {
    const { context, look, size, columns } = sheet;
    const fall = fallen(settling.done);
    const gone = new Set(rows);
    const kept = stack.map((cell, at) => (gone.has(Math.floor(at / columns)) ? 0 : cell));
    paintStack(sheet, kept, (y) => y - rows.filter((row) => row < y).length * fall);
    const dissolved = Math.min(1, settling.done / DISSOLVED);
    const middle = (columns - 1) / 2;
    context.fillStyle = look.token(settling.backToBack ? "--accent" : "--frame");
    for (const y of rows) {
        for (let x = 0; x < columns; x++) {
            const started = (0.45 * Math.abs(x - middle)) / middle;
            const left = 1 - Math.max(0, Math.min(1, (dissolved - started) / (1 - 0.45)));
            if (left <= 0) continue;
            block(sheet, [x, y], stack[y * columns + x] ?? 0, left, left);
            const side = size * left;
            context.globalAlpha = 0.8 * left;
            context.fillRect(
                x * size + (size - side) / 2,
                upperEdge(sheet, y) + (size - side) / 2,
                side,
                side,
            );
            context.globalAlpha = 1;
        }
    }
}

/** A piece that locks gleams for a moment; one that was spun in has an edge that widens. */
function paintLock(sheet: Sheet, { locked, clear, spin, backToBack, done }: Settling): void {
    const { context, look, size } = sheet;
    const tone = look.token(backToBack ? "--accent" : "--frame");
    if (!clear) {
        context.fillStyle = tone;
        context.globalAlpha = 0.34 * (1 - done) ** 2;
        for (const cell of locked) context.fillRect(cell[0] * size, upperEdge(sheet, cell[1]), size, size);
        context.globalAlpha = 1;
    }
    if (spin) {
        context.globalAlpha = 1 - done;
        outline(sheet, locked, tone, Math.max(2, (size / 7) * (1 + 2 * done)));
        context.globalAlpha = 1;
    }
}

/** The piece that falls, and where it would land on the stack as it is seen. */
function paintPiece(sheet: Sheet, view: GameView, height: (y: number) => number): void {
    if (!view.active) return;
    const { context, look, size } = sheet;
    const number = numberOf(view.active.piece);
    if (view.ghost && look.ghost) {
        const ghost = view.ghost.map(([x, y]): Cell => [x, height(y)]);
        const colour = look.token(cellToken(number));
        context.fillStyle = colour;
        context.globalAlpha = 0.14;
        for (const [x, y] of ghost) context.fillRect(x * size, upperEdge(sheet, y), size, size);
        context.globalAlpha = 1;
        const mixed = `color-mix(in oklab, ${colour}, ${look.token("--ghost")} 25%)`;
        outline(sheet, ghost, mixed, Math.max(1.5, size / 11));
    }
    for (const cell of view.active.cells) block(sheet, cell, number, 1);
}

function upperEdge({ rows, size }: Sheet, y: number): number {
    return (rows - 1 - y) * size;
}

/** Copies a block of the skin onto the board, smaller if asked. */
function block(sheet: Sheet, [x, y]: Cell, cell: number, alpha: number, scale = 1): void {
    const { context, size, rows } = sheet;
    if (y >= rows) return;
    const inset = (size * (1 - scale)) / 2;
    context.globalAlpha = alpha;
    context.drawImage(
        blocks(sheet),
        cell * size,
        0,
        size,
        size,
        x * size + inset,
        upperEdge(sheet, y) + inset,
        size - 2 * inset,
        size - 2 * inset,
    );
    context.globalAlpha = 1;
}

const GREY = 8;

/** All blocks side by side, drawn once for each size. */
function blocks({ look, size }: Sheet): HTMLCanvasElement {
    if (look.blocks?.size === size) return look.blocks.sheet;
    const sheet = document.createElement("canvas");
    sheet.width = size * (GREY + 1);
    sheet.height = size;
    const context = sheet.getContext("2d");
    for (let cell = 1; context && cell <= GREY; cell++) {
        context.setTransform(size / 20, 0, 0, size / 20, cell * size, 0);
        drawBlock(context, look, cell);
    }
    look.blocks = { size, sheet };
    return sheet;
}

/** A block on a square of 20 units. */
function drawBlock(context: CanvasRenderingContext2D, { token }: Look, cell: number): void {
    const colour = token(cellToken(cell));
    const mixed = (other: string, share: string) => `color-mix(in oklab, ${colour}, ${other} ${share})`;
    const round = Number(token("--piece-round")) * 20;
    context.fillStyle = colour;
    context.strokeStyle = mixed("black", token("--piece-edge"));
    context.lineWidth = 1.2;
    context.beginPath();
    context.roundRect(0.6, 0.6, 18.8, 18.8, round);
    context.fill();
    context.stroke();
    if (cell !== GREY && Number.parseFloat(token("--piece-lift")) > 0) {
        context.fillStyle = mixed("white", token("--piece-lift"));
        context.beginPath();
        context.roundRect(1.3, 1.3, 17.4, 3.2, round * 0.6);
        context.fill();
    }
    const piece = pieceTable()[cell - 1]?.piece;
    context.globalAlpha = piece ? Number(token("--piece-mark")) : 1;
    context.strokeStyle = mixed("black", piece ? "72%" : "26%");
    context.lineWidth = piece ? 2.2 : 1.4;
    if (context.globalAlpha > 0) context.stroke(new Path2D(piece ? MARKS[piece] : "M5 15L15 5"));
    context.globalAlpha = 1;
}

/** The edge of a set of cells, drawn inside them. */
function outline(sheet: Sheet, cells: readonly Cell[], colour: string, width: number): void {
    const { context, size } = sheet;
    context.save();
    context.beginPath();
    for (const [x, y] of cells) context.rect(x * size, upperEdge(sheet, y), size, size);
    context.clip();
    context.strokeStyle = colour;
    context.lineWidth = 2 * width;
    context.lineCap = "square";
    context.beginPath();
    for (const [[x1, y1], [x2, y2]] of edges(cells)) {
        context.moveTo(x1 * size, upperEdge(sheet, y1) + size);
        context.lineTo(x2 * size, upperEdge(sheet, y2) + size);
    }
    context.stroke();
    context.restore();
}
