// Short synthesised sounds. Off by default.
import { settings } from "../state/settings.svelte";

export type Sound = "move" | "turn" | "hold" | "lock" | "clear" | "tetris" | "count" | "end";

/** Frequencies in hertz, the length of each in seconds, the shape of the wave, the loudness. */
const SOUNDS: Record<Sound, { notes: number[]; length: number; wave: OscillatorType; gain: number }> = {
    move: { notes: [220], length: 0.03, wave: "triangle", gain: 0.12 },
    turn: { notes: [330], length: 0.04, wave: "triangle", gain: 0.14 },
    hold: { notes: [440, 330], length: 0.05, wave: "sine", gain: 0.16 },
    lock: { notes: [110], length: 0.06, wave: "sine", gain: 0.3 },
    clear: { notes: [392, 523], length: 0.07, wave: "triangle", gain: 0.25 },
    tetris: { notes: [392, 523, 659, 784], length: 0.08, wave: "triangle", gain: 0.3 },
    count: { notes: [523], length: 0.08, wave: "sine", gain: 0.25 },
    end: { notes: [523, 392, 262], length: 0.14, wave: "triangle", gain: 0.3 },
};

let audio: AudioContext | null = null;

export function sound(name: Sound): void {
    if (!settings.sounds) return;
    const context = (audio ??= new AudioContext());
    const { notes, length, wave, gain } = SOUNDS[name];
    notes.forEach((frequency, index) => {
        const start = context.currentTime + index * length;
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
