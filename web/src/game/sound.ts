// Short synthesised sounds, like wooden blocks and a small bell. Off by default.
import type { Button, PlacementView } from "../engine";
import { settings } from "../state/settings.svelte";

export type Sound = "move" | "turn" | "hold" | "lock" | "count" | "go" | "done" | "lost" | "best";

interface Voice {
    /** Frequencies in hertz, one after the other. */
    notes: readonly number[];
    /** Seconds from one note to the next; each rings for about twice as long. */
    length: number;
    wave: OscillatorType;
    gain: number;
}

/** A pentatonic scale from G4: whatever is played together sounds well. */
const SCALE = [392, 440, 523, 587, 659, 784, 880, 1047] as const;
const [G, , C, D, E, G5, A5, C6] = SCALE;

const VOICES: Record<Sound, Voice> = {
    move: { notes: [196], length: 0.022, wave: "triangle", gain: 0.12 },
    turn: { notes: [294], length: 0.03, wave: "triangle", gain: 0.14 },
    hold: { notes: [D, G], length: 0.045, wave: "sine", gain: 0.16 },
    lock: { notes: [98], length: 0.05, wave: "sine", gain: 0.32 },
    count: { notes: [C], length: 0.07, wave: "sine", gain: 0.22 },
    go: { notes: [C6], length: 0.12, wave: "sine", gain: 0.22 },
    done: { notes: [C, E, G5], length: 0.1, wave: "triangle", gain: 0.28 },
    lost: { notes: [G, 330, 262], length: 0.14, wave: "triangle", gain: 0.26 },
    best: { notes: [G5, A5, C6, 1319], length: 0.09, wave: "sine", gain: 0.26 },
};

const CUES: Partial<Record<Button, Sound>> = {
    left: "move",
    right: "move",
    clockwise: "turn",
    counterClockwise: "turn",
    halfTurn: "turn",
    hold: "hold",
};

let audio: AudioContext | null = null;

function ring({ notes, length, wave, gain }: Voice, delay = 0): void {
    if (!settings.sounds) return;
    const context = (audio ??= new AudioContext());
    notes.forEach((frequency, index) => {
        const start = context.currentTime + delay + index * length;
        const tone = new OscillatorNode(context, { type: wave, frequency });
        const volume = new GainNode(context);
        // A ramp begins where the last value was set: with its own note, not with the first.
        volume.gain.setValueAtTime(gain * settings.volume, start);
        volume.gain.exponentialRampToValueAtTime(0.001, start + length * 1.8);
        tone.connect(volume).connect(context.destination);
        tone.start(start);
        tone.stop(start + length * 2);
    });
}

export function sound(name: Sound): void {
    ring(VOICES[name]);
}

/** A lock is a knock. A clear has a note for each row, a spin turns them round, a back-to-back adds a bell, an all clear plays the scale. */
export function placementSound({ cleared, name, backToBack, perfectClear }: PlacementView): void {
    sound("lock");
    const spin = name?.includes("Spin") ?? false;
    if (perfectClear) return ring({ notes: SCALE, length: 0.06, wave: "triangle", gain: 0.28 });
    if (cleared === 0 && !spin) return;
    const rows = [G, C, E, G5].slice(0, Math.max(1, cleared));
    ring({ notes: spin ? [...rows].reverse() : rows, length: 0.065, wave: "triangle", gain: 0.26 });
    if (backToBack) ring({ notes: [C6], length: 0.16, wave: "sine", gain: 0.18 }, 0.065 * rows.length);
}

/** The sound of a button, if it has one. */
export function buttonSound(button: Button): void {
    const cue = CUES[button];
    if (cue) sound(cue);
}
