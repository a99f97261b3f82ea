// A match of versus: rounds until one side has won enough of them. The replay of each round is kept.
import type { Side } from "../engine";
import { saveReplay } from "../state/replays";
import { sentence } from "../state/words";
import { Round, type RoundPlan } from "./round.svelte";

export class VersusMatch {
    readonly plan: RoundPlan;
    /** The rounds that win it. */
    readonly firstTo: number;
    round = $state.raw() as Round;
    /** Rounds won by each side. */
    score = $state.raw<readonly [number, number]>([0, 0]);
    /** Where the replays of its rounds are kept. */
    replays = $state.raw<readonly { round: number; id: number }[]>([]);
    /** Why a replay was not kept. */
    trouble = $state("");
    /** The number of the round, from 1. */
    number = $state(0);

    constructor(plan: RoundPlan, firstTo: number) {
        this.plan = plan;
        this.firstTo = firstTo;
        this.next();
    }

    /** The side that has won it. */
    get winner(): Side | null {
        if (this.score[0] >= this.firstTo) return 0;
        return this.score[1] >= this.firstTo ? 1 : null;
    }

    /** Begins the next round. */
    next(): void {
        this.stop();
        this.number++;
        this.round = new Round(this.plan);
        this.round.onEnd = (round) => this.#end(round, this.number);
    }

    stop(): void {
        this.round?.stop();
    }

    #end(round: Round, number: number): void {
        if (round.winner === 0) this.score = [this.score[0] + 1, this.score[1]];
        if (round.winner === 1) this.score = [this.score[0], this.score[1] + 1];
        void this.#keep(round, number);
        // Nobody has to be asked whether two agents may go on.
        if (!round.byHand && this.winner === null) this.next();
    }

    async #keep(round: Round, number: number): Promise<void> {
        try {
            const { id } = await saveReplay({ ...round.recorded(), standing: "unranked" });
            this.replays = [...this.replays, { round: number, id }];
        } catch (error) {
            this.trouble = `The replay was not saved: ${sentence(error)}`;
        }
    }
}
