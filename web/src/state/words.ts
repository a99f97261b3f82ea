// What went wrong, in words.

export function words(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

/** The same as the end of a sentence. */
export function sentence(error: unknown): string {
    const said = words(error);
    return /[.!?…]$/.test(said) ? said : `${said}.`;
}
