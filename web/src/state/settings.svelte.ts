// The player's settings, kept in this browser.
import { nameOf, nameProblem, type Button, type HandlingSettings, type Strength } from "../engine";
import { load, onStored, save } from "./stored";

/** What keys make the page do. */
export const COMMANDS = ["pause", "restart", "samePieces", "hint", "agent", "explain"] as const;
export type Command = (typeof COMMANDS)[number];
/** What a key can do: press a button of the game, or give the page a command. */
export type Action = Button | Command;

export const ACTIONS: readonly { action: Action; label: string }[] = [
    { action: "left", label: "Move left" },
    { action: "right", label: "Move right" },
    { action: "softDrop", label: "Soft drop" },
    { action: "hardDrop", label: "Hard drop" },
    { action: "clockwise", label: "Rotate right" },
    { action: "counterClockwise", label: "Rotate left" },
    { action: "halfTurn", label: "Rotate 180°" },
    { action: "hold", label: "Hold" },
    { action: "undo", label: "Undo (Practice)" },
    { action: "redo", label: "Redo (Practice)" },
    { action: "pause", label: "Pause" },
    { action: "restart", label: "Restart" },
    { action: "samePieces", label: "Same pieces again" },
    { action: "hint", label: "Hint" },
    { action: "agent", label: "Let the agent play" },
    { action: "explain", label: "Explain" },
];

/** Keys by the place on the keyboard (`KeyboardEvent.code`), so that layouts don't matter. */
export type Bindings = Record<Action, string[]>;

const COMMON = {
    undo: ["KeyU"],
    redo: ["KeyY"],
    pause: ["Escape", "KeyP"],
    restart: ["KeyR"],
    samePieces: ["KeyT"],
    hint: ["KeyH"],
    agent: ["KeyG"],
    explain: ["KeyE"],
};

export const PRESETS: Record<string, Bindings> = {
    Guideline: {
        left: ["ArrowLeft"],
        right: ["ArrowRight"],
        softDrop: ["ArrowDown"],
        hardDrop: ["Space"],
        clockwise: ["ArrowUp", "KeyX"],
        counterClockwise: ["KeyZ", "ControlLeft"],
        halfTurn: ["KeyA"],
        hold: ["KeyC", "ShiftLeft"],
        ...COMMON,
    },
    Capstone: {
        left: ["KeyA"],
        right: ["KeyD"],
        softDrop: ["KeyS"],
        hardDrop: ["KeyW"],
        clockwise: ["ArrowRight"],
        counterClockwise: ["ArrowLeft"],
        halfTurn: ["ArrowUp"],
        hold: ["ShiftLeft"],
        ...COMMON,
    },
};

const CHOICES = {
    theme: ["system", "dark", "light", "contrast"],
    skin: ["classic", "paper", "marks"],
    agentStrength: ["fast", "normal", "strong"] satisfies Strength[],
} as const;
export type Theme = (typeof CHOICES.theme)[number];
export type Skin = (typeof CHOICES.skin)[number];

export interface Settings {
    name: string;
    bindings: Bindings;
    /** Milliseconds from a press to the first auto-repeat (DAS). */
    repeatDelay: number;
    /** Milliseconds between auto-repeats (ARR). */
    repeatInterval: number;
    /** A multiple of gravity; 0 is instant. */
    softDropFactor: number;
    halfTurns: boolean;
    /** The checkbox of the menu: instant auto-repeat. */
    advancedControls: boolean;
    theme: Theme;
    skin: Skin;
    reducedMotion: boolean;
    ghost: boolean;
    sounds: boolean;
    volume: number;
    agent: string;
    /** Placements per second; 0 is unlimited. */
    agentSpeed: number;
    agentStrength: Strength;
}

const DEFAULTS: Settings = {
    name: "",
    bindings: structuredClone(PRESETS["Guideline"] as Bindings),
    repeatDelay: 167,
    repeatInterval: 33,
    softDropFactor: 20,
    halfTurns: false,
    advancedControls: false,
    theme: "system",
    skin: "classic",
    reducedMotion: false,
    ghost: true,
    sounds: false,
    volume: 0.5,
    agent: "finesse",
    agentSpeed: 3,
    agentStrength: "normal",
};

/** The stored values where they fit, and defaults elsewhere: they may come from another version, or be damaged. */
function fitting<T extends object>(
    stored: unknown,
    defaults: T,
    fits: (value: unknown, name: keyof T) => boolean,
): T {
    const values = Object(stored) as Partial<T>;
    const taken = { ...defaults };
    for (const name of Object.keys(defaults) as (keyof T)[]) {
        if (fits(values[name], name)) taken[name] = values[name] as T[keyof T];
    }
    return taken;
}

function fitsSetting(value: unknown, name: keyof Settings): boolean {
    if (name === "theme" || name === "skin" || name === "agentStrength")
        return CHOICES[name].some((choice) => choice === value);
    return typeof value === typeof DEFAULTS[name] && !(Number(value) < 0);
}

function isKeys(value: unknown): boolean {
    return Array.isArray(value) && value.every((code) => typeof code === "string");
}

const KEY = "settings";

function stored(found: unknown = load(KEY)): Settings {
    const { bindings, palette } = Object(found) as Partial<Settings> & { palette?: unknown };
    // Settings of an earlier version name a palette: those who need safe colours keep them.
    const skin = palette === "colour-blind" ? { skin: "marks" } : {};
    return {
        ...fitting({ ...skin, ...Object(found) }, DEFAULTS, fitsSetting),
        bindings: fitting(bindings, DEFAULTS.bindings, isKeys),
    };
}

export const settings: Settings = $state(stored());

/** The settings as this tab last knew them to be stored, each as text. */
let known = asTexts(settings);

function asTexts(values: Settings): Record<string, string> {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
}

/** Saves the settings that were changed in this tab, and leaves the others as other tabs have stored them; an effect calls it. */
export function saveSettings(): void {
    const [now, texts] = [$state.snapshot(settings), asTexts(settings)];
    const changed = Object.entries(now).filter(([name]) => texts[name] !== known[name]);
    known = texts;
    if (changed.length > 0) save(KEY, { ...Object(load(KEY)), ...Object.fromEntries(changed) });
}

/** Takes over settings, such as those that another tab has stored. What stays the same is not touched. */
export function takeSettings(found: unknown): void {
    const taken = stored(found);
    const texts = asTexts(taken);
    const changed = Object.entries(taken).filter(
        ([name]) => texts[name] !== JSON.stringify(settings[name as keyof Settings]),
    );
    Object.assign(settings, Object.fromEntries(changed));
}

onStored(KEY, (found) => {
    known = asTexts(stored(found));
    takeSettings(found);
});

export function resetSettings(): void {
    Object.assign(settings, structuredClone(DEFAULTS));
}

/** Chooses the default agent if the chosen one no longer exists. */
export function chooseAmong(exists: (agent: string) => boolean): void {
    if (!exists(settings.agent)) settings.agent = DEFAULTS.agent;
}

/** The name of a player who has not chosen one. */
export const UNNAMED = "Player";

/** The player's name; a name that no leaderboard accepts is not used. */
export function playerName(unnamed = UNNAMED): string {
    return nameOf(settings.name) ?? unnamed;
}

/** Whether the player has chosen a name. */
export function hasName(): boolean {
    return nameOf(settings.name) !== undefined;
}

/** Takes a name as it was typed, or none. A name that no leaderboard accepts is not taken: its problem is returned. */
export function chooseName(typed: string): string | undefined {
    const problem = typed.trim() === "" ? undefined : nameProblem(typed);
    if (problem === undefined) settings.name = nameOf(typed) ?? "";
    return problem;
}

/** The handling, as the engine takes it. */
export function handling(): HandlingSettings {
    return {
        repeatDelay: Math.round(settings.repeatDelay * 1000),
        repeatInterval: settings.advancedControls ? 0 : Math.round(settings.repeatInterval * 1000),
        softDropFactor: settings.softDropFactor,
    };
}

/** The action that a key is bound to. */
export function actionOf(code: string): Action | null {
    for (const { action } of ACTIONS) {
        if (settings.bindings[action].includes(code)) return action;
    }
    return null;
}

/** The keys that are bound to more than one action, with those actions: the first one works. */
export function conflicts(): Map<string, [Action, ...Action[]]> {
    const uses = new Map<string, [Action, ...Action[]]>();
    for (const { action } of ACTIONS) {
        for (const code of settings.bindings[action]) {
            const known = uses.get(code);
            if (known) known.push(action);
            else uses.set(code, [action]);
        }
    }
    return new Map([...uses].filter(([, actions]) => actions.length > 1));
}

const KEY_NAMES: Record<string, string> = {
    ArrowLeft: "←",
    ArrowRight: "→",
    ArrowUp: "↑",
    ArrowDown: "↓",
    Space: "Space",
    Escape: "Esc",
    ShiftLeft: "Left Shift",
    ShiftRight: "Right Shift",
    ControlLeft: "Left Ctrl",
    ControlRight: "Right Ctrl",
};

/** The label of a key. */
export function keyName(code: string): string {
    return KEY_NAMES[code] ?? code.replace(/^Key|^Digit/, "").replace(/^Numpad/, "Num ");
}
