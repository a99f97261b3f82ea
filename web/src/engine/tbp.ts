// The bot for other front ends: a Web Worker module that speaks the Tetris Bot Protocol, with messages as objects.
// `new Worker("tbp.js", { type: "module" })` plays the usual agent; `tbp.js?agent=lee` another one.
import init, { TbpBot } from "./wasm/tetrion_wasm.js";
import wasmUrl from "./wasm/tetrion_wasm_bg.wasm?url";

const agent = new URLSearchParams(self.location.search).get("agent");
/** Whether it thinks, between messages. */
let thinking = false;

const ready = init({ module_or_path: wasmUrl }).then(() => {
    const bot = new TbpBot(agent);
    send(bot.greeting());
    return bot;
});

function send(message: string): void {
    self.postMessage(JSON.parse(message));
}

/** Thinks for a moment, then lets messages in. */
function think(bot: TbpBot): void {
    thinking = bot.think();
    if (thinking) setTimeout(think, 0, bot);
}

self.onmessage = async ({ data }: MessageEvent<unknown>) => {
    const bot = await ready;
    try {
        const answer = bot.hear(JSON.stringify(data));
        if (answer !== undefined) send(answer);
    } catch (error) {
        console.warn(`ignored: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (bot.hasQuit) self.close();
    else if (!thinking) {
        thinking = true;
        setTimeout(think, 0, bot);
    }
};
