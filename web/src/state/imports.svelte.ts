// Replays that come in as files, chosen or dropped on the page.
import { readReplayFile } from "./files";
import { saveReplay } from "./replays";
import { go } from "./route.svelte";
import { sentence } from "./words";

/** What came of the last files: the Replays screen tells. */
export const imported = $state({ note: "", troubles: [] as string[] });

/** Keeps the replays, and shows the one, or where they all are. */
export async function importReplays(files: readonly File[]): Promise<void> {
    const ids: number[] = [];
    const troubles: string[] = [];
    for (const file of files) {
        try {
            ids.push((await saveReplay(await readReplayFile(file), false)).id);
        } catch (error) {
            troubles.push(`${file.name}: ${sentence(error)}`);
        }
    }
    const note = ids.length === 1 ? "One replay imported." : `${ids.length} replays imported.`;
    const shown = files.length === 1 && ids.length === 1;
    Object.assign(imported, { note: ids.length && !shown ? note : "", troubles });
    go(shown ? `replay/${ids[0]}` : "replays");
}
