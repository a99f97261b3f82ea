// Where the ticks of an axis are, and how far it reaches.

export interface Axis {
    low: number;
    high: number;
    ticks: number[];
    /** The decimals that tell the ticks apart. */
    decimals: number;
}

/** A step of 1, 2 or 5 times a power of ten, so that at most `most` of them cover a length. */
function step(length: number, most: number, whole: boolean): number {
    const least = length / Math.max(1, most);
    const power = 10 ** Math.floor(Math.log10(least));
    const factor = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10;
    return whole ? Math.max(1, factor * power) : factor * power;
}

function axis(low: number, high: number, by: number): Axis {
    const first = Math.ceil(low / by - 1e-9);
    const count = Math.floor(high / by + 1e-9) - first + 1;
    const decimals = Math.max(0, -Math.floor(Math.log10(by) + 1e-9));
    // Not added up: 0.1 + 0.2 is no tick.
    const ticks = Array.from({ length: Math.max(0, count) }, (_, index) =>
        Number(((first + index) * by).toFixed(decimals)),
    );
    return { low, high, ticks, decimals };
}

/** An axis for values: from tick to tick, as far as the bounds let it; null follows the values. */
export function valueAxis(
    values: readonly number[],
    [least, most]: readonly [number | null, number | null],
    ticks: number,
): Axis {
    let low = least ?? Infinity;
    let high = most ?? -Infinity;
    for (const value of values) {
        if (least === null && value < low) low = value;
        if (most === null && value > high) high = value;
    }
    if (!Number.isFinite(low)) low = Number.isFinite(high) ? high - 1 : 0;
    if (!Number.isFinite(high) || high <= low) high = low + (Math.abs(low) || 1) * 0.1;
    // Lines don't run along the frame; but where nothing is below zero, no axis is either.
    const margin = (high - low) * 0.04;
    const by = step(high - low, ticks, false);
    low = least ?? Math.floor((low < 0 ? low - margin : Math.max(0, low - margin)) / by) * by;
    high = most ?? Math.ceil((high + margin) / by) * by;
    return axis(low, high, by);
}

/** An axis for whole numbers that begins and ends where they do. */
export function countAxis(low: number, high: number, ticks: number): Axis {
    const end = Math.max(high, low + 1);
    return axis(low, end, step(end - low, ticks, true));
}
