// Everything that this browser keeps of a player as one file: settings, bests, history and replays.
import { verifiedReplay } from "../engine";
import { fromBase64, toBase64 } from "./base64";
import { dayOf } from "./modes";
import { allProgress, changeProgress, mergeProgress, readProgress } from "./progress.svelte";
import { addReplays, listReplays, standingOf, type SavedReplay } from "./replays";
import { settings, takeSettings } from "./settings.svelte";
import { STANDINGS, type Standing } from "./standing";
import { sentence } from "./words";

/** How the file says what it is. Raise the version when a reader of the old one would misread the new one. */
const KIND = "tetrion-backup";
const VERSION = 1;
/** More than the largest backup: 300 replays of the usual size take some 3 MB. */
const MAX_BYTES = 128 << 20;

/** A replay in the file. */
interface BackupReplay {
    bytes: string;
    savedAt: number;
    ranked: boolean;
    /** Older backups have neither. */
    standing?: Standing;
    imported?: boolean;
}

interface Backup {
    kind: typeof KIND;
    version: number;
    /** Milliseconds since 1970. */
    writtenAt: number;
    settings: unknown;
    progress: unknown;
    replays: BackupReplay[];
}

/** What an import did. */
export interface Imported {
    /** Replays that this browser did not have yet. */
    replays: number;
    /** Games in the history that it did not have yet. */
    games: number;
}

/** The file, and a name for it. */
export async function exportAll(): Promise<{ name: string; text: string }> {
    const now = Date.now();
    const replay = (saved: SavedReplay): BackupReplay => ({
        bytes: toBase64(saved.bytes),
        savedAt: saved.savedAt,
        ranked: saved.ranked,
        standing: standingOf(saved),
        imported: saved.imported === true,
    });
    const backup: Backup = {
        kind: KIND,
        version: VERSION,
        writtenAt: now,
        settings,
        progress: allProgress(),
        replays: (await listReplays()).map(replay),
    };
    return { name: `tetrion-${dayOf(now)}.json`, text: JSON.stringify(backup) };
}

/** The parts of a file. Throws an error for the player if it is not a whole backup. */
function read(text: string): Backup {
    let found: Partial<Backup>;
    try {
        found = Object(JSON.parse(text)) as Partial<Backup>;
    } catch {
        throw new Error("it is not a backup, or it was cut off");
    }
    if (found.kind !== KIND) throw new Error("it is not a backup of Tetrion");
    if (!Number.isSafeInteger(found.version) || Number(found.version) < 1)
        throw new Error("the backup is damaged: it has no version");
    if (Number(found.version) > VERSION)
        throw new Error(
            `the backup has version ${found.version}, but this page reads only up to ${VERSION}: reload the page`,
        );
    const whole = [found.settings, found.progress].every((part) => typeof part === "object" && part !== null);
    if (!whole || !Array.isArray(found.replays))
        throw new Error("the backup is damaged: a part of it is missing");
    return found as Backup;
}

/** The replay of an entry; every one must verify. */
function readReplay(entry: unknown, index: number): Omit<SavedReplay, "id"> {
    try {
        const { bytes: text, savedAt, ranked, standing, imported } = Object(entry) as Partial<BackupReplay>;
        if (typeof text !== "string" || typeof savedAt !== "number") throw new Error("it is incomplete");
        const bytes = fromBase64(text);
        // It is not sent to a server: the browser that it comes from does that.
        return {
            bytes,
            about: verifiedReplay(bytes),
            savedAt,
            ranked: ranked === true,
            sent: true,
            ...(standing !== undefined && standing in STANDINGS ? { standing } : {}),
            imported: imported === true,
        };
    } catch (error) {
        throw new Error(`the backup is damaged in replay ${index + 1}: ${sentence(error)}`);
    }
}

/** Adds everything in a file, or nothing if something is wrong with it. Of two bests the better one stays. */
export async function importAll(file: File): Promise<Imported> {
    if (file.size > MAX_BYTES) throw new Error("the file is too large for a backup");
    const backup = read(await file.text());
    const replays = backup.replays.map(readReplay);
    const progress = readProgress(backup.progress);
    const before = allProgress();
    // The only step that can fail comes first: it stores all replays, or none.
    const added = await addReplays(replays);
    changeProgress((now) => mergeProgress(now, progress));
    takeSettings(backup.settings);
    const games = (all: ReturnType<typeof allProgress>) =>
        Object.values(all).reduce((total, { games }) => total + games.length, 0);
    return { replays: added, games: games(allProgress()) - games(before) };
}
