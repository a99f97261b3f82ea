import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
    preprocess: vitePreprocess(),
    // Every rule and element has it: the shorter, the smaller the page.
    compilerOptions: { cssHash: ({ hash, css }) => `s${hash(css)}` },
};
