// The program beside the page: it serves the page, and plays the same games natively.
import { execFileSync } from "node:child_process";

export const PROGRAM = process.env["TETRION"] ?? "../target/release/tetrion";

/** What a command of the program prints. */
export function output(...command: string[]): string {
    return execFileSync(PROGRAM, command, { encoding: "utf8" });
}
