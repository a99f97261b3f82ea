// The screen, from the part of the address after `#`, so that any static host works.

export interface Route {
    screen: string;
    rest: string;
    query: URLSearchParams;
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

export function go(path: string): void {
    const target = `#/${path}`;
    if (location.hash === target) route.now = read();
    else location.hash = target;
}
