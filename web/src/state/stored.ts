// Values in local storage. Where storage is blocked, they last as long as the page.

const PREFIX = "tetrion.";

/** The stored value: of any type, since it may come from another version or be damaged. */
export function load(key: string): unknown {
    try {
        return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
    } catch {
        return null;
    }
}

export function save(key: string, value: unknown): void {
    try {
        localStorage.setItem(PREFIX + key, JSON.stringify(value));
    } catch {
        // Private windows and full stores refuse: the setting still holds until the page is left.
    }
}

export function remove(key: string): void {
    try {
        localStorage.removeItem(PREFIX + key);
    } catch {
        // What could not be stored need not be removed.
    }
}

/** Calls back when another tab of this page has stored a value. */
export function onStored(key: string, take: (value: unknown) => void): void {
    window.addEventListener("storage", (event) => {
        // Without a key, everything was removed.
        if (event.key === PREFIX + key || event.key === null) take(load(key));
    });
}
