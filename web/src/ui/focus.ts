// What appears over a game takes the keys.
export function focus(element: HTMLElement): void {
    element.focus();
}

/** A screen's heading is where a screen reader begins. */
export function arrive(heading: HTMLElement): void {
    heading.focus({ preventScroll: true });
}
