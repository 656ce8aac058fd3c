// Builds the page into the Python package, which serves it from `static`.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const server = "http://127.0.0.1:8000"; // for `npm run dev` beside `acesaround serve`

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/acesaround/static",
    emptyOutDir: true,
    target: "es2022",
    reportCompressedSize: true,
  },
  server: {
    proxy: {
      "/api": server,
      "/ws": { target: server, ws: true },
    },
  },
});
