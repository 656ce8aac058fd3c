// Unit tests of what the page reckons with: no browser, no server.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ["browser"] },
  // A busy machine may be slow: a test that hangs is stopped after a minute.
  test: { include: ["tests/**/*.test.ts"], testTimeout: 60_000 },
});
