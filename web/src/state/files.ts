// Files and texts that leave the page, and files that come in.

/** Gives the player a file. */
export function download(name: string, contents: BlobPart, type = "application/octet-stream"): void {
    const url = URL.createObjectURL(new Blob([contents], { type }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    // The browser takes the file up after the click.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Copies a text; false where the browser does not let the page. */
export async function copyText(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false;
    }
}

/** The engine reads no replay that is larger, so nothing larger is read for it. */
const LARGEST_REPLAY = 16 << 20;

/** The bytes of a replay's file. */
export async function readReplayFile(file: File): Promise<Uint8Array> {
    if (file.size > LARGEST_REPLAY)
        throw new Error(`a file of ${file.size} bytes is too large to be a replay`);
    return new Uint8Array(await file.arrayBuffer());
}
