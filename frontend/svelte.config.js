import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  // Short names of style scopes: they stand at every element, a kilobyte of the page in all.
  compilerOptions: { cssHash: ({ hash, css }) => `s${hash(css).slice(0, 5)}` },
};
