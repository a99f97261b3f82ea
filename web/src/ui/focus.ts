// What appears over a game takes the keys.
export function focus(element: HTMLElement): void {
    element.focus();
}
