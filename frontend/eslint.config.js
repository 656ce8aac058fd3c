// What the linter holds the page to: mistakes, not taste (prettier has the format).
import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import globals from "globals";
import typescript from "typescript-eslint";
import config from "./svelte.config.js";

export default defineConfig(
  { ignores: ["node_modules"] },
  js.configs.recommended,
  ...typescript.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  { files: ["*.js", "*.ts"], languageOptions: { globals: globals.node } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: typescript.parser, svelteConfig: config } },
  },
  {
    rules: {
      // An index into a list whose length is known: TypeScript checks each without `!`.
      "@typescript-eslint/no-non-null-assertion": "off",
      // What is left out of an object by name.
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_$" }],
      // They are made whole each time and changed never.
      "svelte/prefer-svelte-reactivity": "off",
      // It does not know what svelte-check warns of.
      "svelte/no-unused-svelte-ignore": "off",
    },
  },
  {
    files: ["**/*.svelte"],
    rules: {
      // Without `{:catch}` a lost connection is an error that nobody handles, and nothing is shown.
      "no-restricted-syntax": [
        "error",
        { selector: "SvelteAwaitBlock[catch=null]", message: "Say what is shown when it fails: {:catch}." },
      ],
    },
  },
);
