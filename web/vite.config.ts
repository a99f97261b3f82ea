import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// Paths are relative, so that the page works from any folder of any static host.
export default defineConfig({
    base: "./",
    plugins: [svelte()],
    build: {
        target: "es2022",
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rollupOptions: {
            input: { index: "index.html", tbp: "src/engine/tbp.ts" },
            output: {
                // Front ends load the bot by its name.
                entryFileNames: ({ name }) => (name === "tbp" ? "tbp.js" : "assets/[name]-[hash].js"),
            },
        },
    },
    worker: { format: "es" },
});
