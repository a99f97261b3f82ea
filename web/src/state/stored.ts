// Values in local storage. Where storage is blocked, they last as long as the page.

/** The stored value: of any type, since it may come from another version or be damaged. */
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
