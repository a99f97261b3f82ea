// Replays in links: compressed, then encoded as URL-safe Base64.

import { fromBase64, toBase64 } from "./base64";
import { MAX_REPLAY_BYTES } from "./files";

async function through(
    bytes: Uint8Array,
    stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
    const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(stream).getReader();
    const parts: Uint8Array[] = [];
    let length = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
        parts.push(next.value);
        length += next.value.length;
        if (length > MAX_REPLAY_BYTES) throw new Error("too large");
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
        whole.set(part, at);
        at += part.length;
    }
    return whole;
}

export async function toLink(bytes: Uint8Array): Promise<string> {
    const packed = await through(bytes, new CompressionStream("deflate-raw"));
    const data = toBase64(packed).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    return `${location.href.split("#", 1)[0]}#/replay/shared?game=${data}`;
}

/** The bytes of the replay in a link. Throws if they were cut off. */
export async function fromLink(data: string): Promise<Uint8Array> {
    try {
        const packed = fromBase64(data.replaceAll("-", "+").replaceAll("_", "/"));
        return await through(packed, new DecompressionStream("deflate-raw"));
    } catch {
        throw new Error("the link is damaged: it was cut off or changed");
    }
}
