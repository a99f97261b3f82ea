// Replays imported from files, chosen or dropped on the page.
import { verifiedReplay } from "../engine";
import { counted } from "../game/format";
import { readReplayFile } from "./files";
import { saveReplay } from "./replays";
import { go } from "./route.svelte";
import { sentence } from "./words";

/** What became of the last files, for the Replays screen. */
export const imported = $state({ note: "", troubles: [] as string[] });

/** Keeps the replays, and opens the only one or the list. */
export async function importReplays(files: readonly File[]): Promise<void> {
    const ids: number[] = [];
    const troubles: string[] = [];
    for (const file of files) {
        try {
            const bytes = await readReplayFile(file);
            ids.push(
                (await saveReplay({ bytes, about: verifiedReplay(bytes), ranked: false, imported: true })).id,
            );
        } catch (error) {
            troubles.push(`${file.name}: ${sentence(error)}`);
        }
    }
    const note = `${counted(ids.length, "replay")} imported.`;
    const shown = files.length === 1 && ids.length === 1;
    Object.assign(imported, { note: ids.length && !shown ? note : "", troubles });
    go(shown ? `replay/${ids[0]}` : "replays");
}
