// Values that last in this browser. Where nothing can be stored, they last as long as the page.

/** What was stored: anything at all, since it may be from another version, or damaged. */
export function load(key: string): unknown {
    try {
        return JSON.parse(localStorage.getItem(`tetrion.${key}`) ?? "null");
    } catch {
        return null;
    }
}

export function save(key: string, value: unknown): void {
    try {
        localStorage.setItem(`tetrion.${key}`, JSON.stringify(value));
    } catch {
        // Private windows and full stores refuse: the setting still holds until the page is left.
    }
}
