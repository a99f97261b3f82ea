// Training runs as the page follows them: the list, and one run generation by generation.
import type { RecipeInfo, RowEvent, RunDetails, RunSummary } from "./api";
import { thin } from "./history";
import { recipes, runDetails, runEvents, runs } from "./server";
import { words } from "./words";

const LIST_MILLIS = 3000;

/** All runs, polled until it is stopped, and the recipes. */
export class RunList {
    /** The newest first. */
    runs = $state.raw<RunSummary[] | null>(null);
    recipes = $state.raw<RecipeInfo[] | null>(null);
    error = $state("");
    #timer: ReturnType<typeof setTimeout> | undefined;
    #stopped = false;

    constructor() {
        void this.refresh();
    }

    async refresh(): Promise<void> {
        clearTimeout(this.#timer);
        try {
            this.runs = (await runs()).reverse();
            this.recipes ??= await recipes();
            this.error = "";
        } catch (error) {
            this.error = words(error);
        }
        clearTimeout(this.#timer);
        if (!this.#stopped) this.#timer = setTimeout(() => void this.refresh(), LIST_MILLIS);
    }

    stop(): void {
        this.#stopped = true;
        clearTimeout(this.#timer);
    }
}

/** A fast run has more generations than anybody can see: they are shown together. */
const ROWS_MILLIS = 200;
const MOST_ROWS = 1000;

/**
 * One run, followed live. A browser has few connections to a server for all its tabs: one is held only while the run is
 * running and visible.
 */
export class FollowedRun {
    readonly id: number;
    run = $state.raw<RunDetails | null>(null);
    error = $state("");
    /** Whether the server stopped responding. */
    away = $state(false);
    #source: EventSource | null = null;
    /** What arrived and is not shown yet. */
    #rows: RowEvent[] = [];
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(id: number) {
        this.id = id;
        document.addEventListener("visibilitychange", this.#onVisible);
        this.follow();
    }

    /** Follows it from now on; everything so far comes first. */
    follow(): void {
        if (this.#source || document.hidden) return;
        const source = runEvents(this.id);
        this.#source = source;
        source.addEventListener("state", ({ data }: MessageEvent<string>) => {
            this.#showRows();
            this.#takeState(JSON.parse(data) as RunDetails | RunSummary);
        });
        source.addEventListener("row", ({ data }: MessageEvent<string>) => {
            this.#rows.push(JSON.parse(data) as RowEvent);
            if (this.#rows.length >= MOST_ROWS) this.#showRows();
            else this.#timer ??= setTimeout(() => this.#showRows(), ROWS_MILLIS);
        });
        source.onopen = () => ([this.error, this.away] = ["", false]);
        source.onerror = () => {
            this.away = true;
            // The browser reconnects by itself, unless the server refused.
            if (source.readyState !== EventSource.CLOSED) return;
            this.#close();
            void this.#look();
        };
    }

    stop(): void {
        document.removeEventListener("visibilitychange", this.#onVisible);
        this.#close();
    }

    #close(): void {
        this.#showRows();
        this.#source?.close();
        this.#source = null;
    }

    #onVisible = (): void => {
        if (document.hidden) this.#close();
        else if (!this.run || this.run.state === "running") this.follow();
    };

    #showRows(): void {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        const [run, more] = [this.run, this.#rows];
        this.#rows = [];
        if (!run || more.length === 0) return;
        const earlier = run.rows.map((row, index) => ({ row, weights: run.weights.values[index] ?? [] }));
        const kept = thin([...earlier, ...more]);
        const rows = kept.map(({ row }) => row);
        const values = kept.map(({ weights }) => weights);
        const best = Math.max(run.best ?? -Infinity, ...more.map(({ row }) => row.best));
        const { generation, games, seconds } = rows.at(-1) ?? run;
        this.run = { ...run, generation, games, seconds, best, rows, weights: { ...run.weights, values } };
    }

    #takeState(news: RunDetails | RunSummary): void {
        if ("rows" in news) this.run = news;
        else if (this.run) this.run = { ...this.run, ...news };
        if (news.state !== "running") this.#close();
        if (news.state === "finished" && !this.run?.judgement) void this.#look();
    }

    async #look(): Promise<void> {
        try {
            this.run = await runDetails(this.id);
        } catch (error) {
            this.error = words(error);
        }
    }
}
