// Values that last in this browser. Where nothing can be stored, they last as long as the page.

export function load<T>(key: string, fallback: T): T {
    try {
        const text = localStorage.getItem(`tetrion.${key}`);
        return text === null ? fallback : (JSON.parse(text) as T);
    } catch {
        return fallback;
    }
}

export function save(key: string, value: unknown): void {
    try {
        localStorage.setItem(`tetrion.${key}`, JSON.stringify(value));
    } catch {
        // Private windows and full stores refuse: the setting still holds until the page is left.
    }
}
