// Who meets in a race or a match: you or an agent on the left, an agent on the right. The address keeps the choice.
import type { Strength } from "../engine";
import type { AgentSource } from "../engine/thinker";
import type { Contestant } from "../game/round.svelte";
import { agentName, agentSource, agentTitle, isAgent } from "./roster.svelte";
import type { Query } from "./route.svelte";
import { playerName, settings } from "./settings.svelte";

/** Two names; an agent against itself has a number on each side. */
function toldApart(own: string, other: string): [string, string] {
    return own === other ? [`${own} 1`, `${other} 2`] : [own, other];
}

export class Pairing {
    left = $state<"you" | "agent">("you");
    first = $state("");
    firstStrength = $state<Strength>(settings.agentStrength);
    second = $state("");
    secondStrength = $state<Strength>(settings.agentStrength);

    /** Whether a person plays, always on the left. */
    readonly person = $derived(this.left === "you");
    readonly names = $derived(
        toldApart(
            this.person ? playerName("You") : agentTitle(agentName(this.first)),
            agentTitle(agentName(this.second)),
        ),
    );

    /** What the address says; agents that it does not name are these. */
    constructor(query: URLSearchParams, first: string, second: string) {
        const agentIn = (side: string) => query.getAll(side).find(isAgent);
        this.left = query.has("left") ? "agent" : "you";
        this.first = agentIn("left") ?? first;
        this.second = agentIn("agent") ?? second;
    }

    /** What the address is to say. */
    get query(): Query {
        return { agent: this.second, left: this.person ? null : this.first };
    }

    /** Both sides; a person has no agent. */
    get players(): [left: Contestant, right: Contestant & { agent: AgentSource }] {
        const left: Contestant = this.person
            ? { name: playerName("You"), agent: null }
            : { name: agentName(this.first), agent: agentSource(this.first, this.firstStrength) };
        const right = { name: agentName(this.second), agent: agentSource(this.second, this.secondStrength) };
        return [left, right];
    }
}
