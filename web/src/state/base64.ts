// Bytes as text.

export function toBase64(bytes: Uint8Array): string {
    // In parts: a function takes only so many arguments.
    const parts: string[] = [];
    for (let at = 0; at < bytes.length; at += 8192)
        parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
    return btoa(parts.join(""));
}

/** Throws if the text is not Base64. */
export function fromBase64(text: string): Uint8Array {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
