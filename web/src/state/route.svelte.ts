// The screen, from the part of the address after `#`, so that any static host works.
import { isPlayMode } from "./modes";

export interface Route {
    screen: string;
    rest: string;
    query: URLSearchParams;
}

/** What an address can say beside its screen; what is null is left out. */
export type Query = Record<string, string | number | boolean | null | undefined>;

/** The screens beside the games; the menu has no name. */
const SCREENS = [
    "",
    "watch",
    "race",
    "versus",
    "tiny",
    "replays",
    "replay",
    "scores",
    "progress",
    "train",
    "settings",
    "design",
];

/** Whether there is such a screen. */
export function isScreen(screen: string): boolean {
    return SCREENS.includes(screen) || isPlayMode(screen);
}

function read(): Route {
    const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
    const [screen = "", ...rest] = path.split("/");
    return { screen, rest: rest.join("/"), query: new URLSearchParams(query) };
}

export const route: { now: Route } = $state({ now: read() });

window.addEventListener("hashchange", () => {
    route.now = read();
    window.scrollTo(0, 0);
});

/** The address of a screen, for links. */
export function address(path: string, query: Query = {}): string {
    const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return `#/${path}${text ? `?${text}` : ""}`;
}

export function go(path: string): void {
    const target = `#/${path}`;
    if (location.hash === target) route.now = read();
    else location.hash = target;
}

/** Notes choices in the address of the shown screen: a reload and a shared link keep them, and Back does not step through them. */
export function noteInAddress(changes: Query): void {
    const { screen, rest, query } = route.now;
    const path = rest ? `${screen}/${rest}` : screen;
    history.replaceState(history.state, "", address(path, { ...Object.fromEntries(query), ...changes }));
    route.now = read();
}
