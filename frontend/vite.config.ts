// Builds the page into the Python package, which serves it from `static`.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin, type Rolldown } from "vite";

const server = "http://127.0.0.1:8000"; // for `npm run dev` beside `acesaround serve`

/** Tells the service worker which files start the page without a network, and its build's name. */
const told: Plugin = {
  name: "tell-the-worker",
  enforce: "post",
  async generateBundle(_, bundle) {
    const worker = bundle["worker.js"];
    if (worker?.type !== "chunk") return;
    const files = new Set<string>();
    function add(name: string) {
      const chunk = bundle[name];
      if (chunk?.type !== "chunk" || files.has(name)) return;
      files.add(name);
      for (const style of styles(chunk)) files.add(style);
      for (const other of chunk.imports) add(other);
    }
    for (const chunk of Object.values(bundle))
      if (chunk.type === "chunk" && chunk !== worker)
        if (chunk.isEntry || chunk.facadeModuleId?.includes("/src/offline/")) add(chunk.fileName);
    const page = bundle["index.html"];
    const all = [
      ...Object.keys(bundle).sort(),
      page?.type === "asset" ? String(page.source) : "",
      worker.code,
    ];
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(all.join("\n")));
    const version = Array.from(new Uint8Array(digest).slice(0, 6), (byte) =>
      byte.toString(16).padStart(2, "0"),
    );
    worker.code = worker.code
      .replace("__FILES__", JSON.stringify([...files].sort().map((name) => `/${name}`)))
      .replace("__VERSION__", JSON.stringify(version.join("")));
  },
};

const styles = (chunk: Rolldown.OutputChunk): Iterable<string> => chunk.viteMetadata?.importedCss ?? [];

export default defineConfig({
  plugins: [svelte(), told],
  build: {
    outDir: "../src/acesaround/static",
    emptyOutDir: true,
    target: "es2022",
    reportCompressedSize: true,
    rolldownOptions: {
      input: { index: "index.html", worker: "src/offline/serviceWorker.ts" },
      output: {
        entryFileNames: ({ name }) => (name === "worker" ? "worker.js" : "assets/[name]-[hash].js"),
      },
    },
  },
  server: {
    fs: { allow: [".."] }, // the glossary is the package's
    proxy: {
      "/api": server,
      "/rules.json": server,
      "/ws": { target: server, ws: true },
    },
  },
});
