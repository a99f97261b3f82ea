// A replay in a link: compressed, then in the letters that an address can hold.

async function through(
    bytes: Uint8Array,
    stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
    const piped = new Blob([bytes as BlobPart]).stream().pipeThrough(stream);
    return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function toLink(bytes: Uint8Array): Promise<string> {
    const packed = await through(bytes, new CompressionStream("deflate-raw"));
    const letters = btoa(String.fromCharCode(...packed));
    const data = letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    return `${location.href.split("#", 1)[0]}#/replay/shared?game=${data}`;
}

/** The bytes of the replay in a link. Throws if they were cut off. */
export async function fromLink(data: string): Promise<Uint8Array> {
    try {
        const letters = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
        return await through(
            Uint8Array.from(letters, (letter) => letter.charCodeAt(0)),
            new DecompressionStream("deflate-raw"),
        );
    } catch {
        throw new Error("the link is damaged: it was cut off, or changed on its way");
    }
}
