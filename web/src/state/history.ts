// The history of a training run, thinned as the server does: it takes the same memory however long the run is.
import type { RowEvent } from "./api";

/** The most generations that are kept at equal distances. */
const MOST_EVEN = 1_000;

/** The first generation, the best, the last, and others at equal distances. As long as there are few, all. */
export function thin(generations: RowEvent[]): RowEvent[] {
    const last = generations.at(-1);
    if (!last) return [];
    const best = generations.reduce((best, one) => (one.row.best > best.row.best ? one : best));
    let stride = 1;
    while (last.row.generation > MOST_EVEN * stride) stride *= 2;
    const isEven = ({ row }: RowEvent) => (row.generation - 1) % stride === 0;
    return generations.filter((one) => isEven(one) || one === best || one === last);
}
