// Downloads, the clipboard, and files that are opened.
import { counted } from "../game/format";

/** Downloads a file. */
export function download(name: string, contents: BlobPart, type = "application/octet-stream"): void {
    const url = URL.createObjectURL(new Blob([contents], { type }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    // The browser takes the file up after the click.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Copies a text; false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false;
    }
}

/** The engine reads no larger replay. */
export const MAX_REPLAY_BYTES = 16 << 20;

/** The bytes of a replay's file. */
export async function readReplayFile(file: File): Promise<Uint8Array> {
    if (file.size > MAX_REPLAY_BYTES)
        throw new Error(`a file of ${counted(file.size, "byte")} is too large to be a replay`);
    return new Uint8Array(await file.arrayBuffer());
}
