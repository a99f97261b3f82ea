// Training runs as the page follows them: the list, and one of them generation by generation.
import { jobEvents, jobs, recipes, wholeJob } from "./server";
import type { GenerationRow, Job, Recipe, WholeJob } from "./server";
import { words } from "./words";

const LIST_MILLIS = 3000;

/** All runs, looked at again and again until it is stopped; and what can be run. */
export class JobList {
    jobs = $state.raw<Job[] | null>(null);
    recipes = $state.raw<Recipe[] | null>(null);
    error = $state("");
    #timer: ReturnType<typeof setTimeout> | undefined;
    #stopped = false;

    constructor() {
        void this.refresh();
    }

    async refresh(): Promise<void> {
        clearTimeout(this.#timer);
        try {
            this.jobs = (await jobs()).reverse();
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

/**
 * One run, followed as it happens. A browser has few connections to a server for all its tabs: one is held only while the run
 * goes on and is seen.
 */
export class FollowedJob {
    readonly id: number;
    job = $state.raw<WholeJob | null>(null);
    error = $state("");
    /** Whether the server went away. */
    away = $state(false);
    #source: EventSource | null = null;
    /** What came since the last frame: a fast run has more generations than the screen has frames. */
    #rows: { row: GenerationRow; weights: number[] }[] = [];
    #frame = 0;

    constructor(id: number) {
        this.id = id;
        document.addEventListener("visibilitychange", this.#onVisible);
        this.follow();
    }

    /** Follows it from now on; all that happened comes first. */
    follow(): void {
        if (this.#source || document.hidden) return;
        const source = jobEvents(this.id);
        this.#source = source;
        source.addEventListener("state", ({ data }: MessageEvent<string>) => {
            this.#takeRows();
            this.#takeState(JSON.parse(data) as WholeJob | Job);
        });
        source.addEventListener("row", ({ data }: MessageEvent<string>) => {
            this.#rows.push(JSON.parse(data) as { row: GenerationRow; weights: number[] });
            this.#frame ||= requestAnimationFrame(() => this.#takeRows());
        });
        source.onopen = () => ([this.error, this.away] = ["", false]);
        source.onerror = () => {
            this.away = true;
            // It asks again by itself, unless the server refused.
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
        this.#takeRows();
        this.#source?.close();
        this.#source = null;
    }

    #onVisible = (): void => {
        if (document.hidden) this.#close();
        else if (!this.job || this.job.state === "running") this.follow();
    };

    #takeRows(): void {
        cancelAnimationFrame(this.#frame);
        this.#frame = 0;
        const [job, more] = [this.job, this.#rows];
        this.#rows = [];
        if (!job || more.length === 0) return;
        const rows = [...job.rows, ...more.map(({ row }) => row)];
        const values = [...job.weights.values, ...more.map(({ weights }) => weights)];
        const last = rows.at(-1) as GenerationRow;
        const best = Math.max(job.best ?? -Infinity, ...more.map(({ row }) => row.best));
        const { generation, games } = last;
        this.job = { ...job, generation, games, best, rows, weights: { ...job.weights, values } };
    }

    #takeState(news: WholeJob | Job): void {
        if ("rows" in news) this.job = news;
        else if (this.job) this.job = { ...this.job, ...news };
        if (news.state !== "running") this.#close();
        if (news.state === "finished" && !this.job?.judgement) void this.#look();
    }

    async #look(): Promise<void> {
        try {
            this.job = await wholeJob(this.id);
        } catch (error) {
            this.error = words(error);
        }
    }
}
