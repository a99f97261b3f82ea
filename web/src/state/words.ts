// Error messages.

export function words(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

/** An error message as a sentence of its own. */
export function statement(error: unknown): string {
    const said = sentence(error);
    return said.charAt(0).toUpperCase() + said.slice(1);
}

/** An error message that ends a sentence. */
export function sentence(error: unknown): string {
    const said = words(error);
    return /[.!?…]$/.test(said) ? said : `${said}.`;
}
