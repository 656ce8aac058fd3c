// What people read stands in the files of strings: none of it in a component or a module.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "svelte/compiler";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../src");
const files = readdirSync(SRC, { recursive: true, encoding: "utf-8" });
const read = (file: string) => readFileSync(join(SRC, file), "utf-8");
const READ = ["aria-label", "aria-description", "title", "placeholder", "alt", "label"]; // attributes people meet

type Node = { type: string; [key: string]: unknown };
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;
const below = (node: Node) => Object.values(node).flat().filter(isNode);

/** Words that a component itself says. */
function words(source: string): string[] {
  const found: string[] = [];
  const say = (said: string) => /\p{L}{2}/u.test(said) && found.push(said.trim());
  /** A word in an expression whose value is shown. */
  function shown(node: Node): void {
    if (node.type === "Literal" && typeof node.value === "string") say(node.value);
    else if (node.type === "TemplateLiteral")
      for (const quasi of node.quasis as { value: { raw: string } }[]) say(quasi.value.raw);
    else if (node.type === "ConditionalExpression") below(node).slice(1).forEach(shown);
    else if (node.type === "LogicalExpression" || node.type === "BinaryExpression")
      below(node).forEach(shown);
  }
  function walk(node: Node): void {
    if (node.type === "Text") say(node.data as string);
    else if (node.type === "ExpressionTag") shown(node.expression as Node);
    else if (node.type === "Attribute") {
      if (!READ.includes(node.name as string)) return;
      below(node).forEach(walk);
    } else if (node.type !== "StyleDirective") below(node).forEach(walk);
  }
  walk(parse(source, { modern: true }).fragment as unknown as Node);
  return found;
}

/** Strings in code that read like a sentence: a capital, and more words. */
const sentences = (source: string) =>
  source
    .replace(/\/\/.*|\/\*[^]*?\*\/|<!--[^]*?-->|<style>[^]*<\/style>/g, "")
    .match(/(["'`])[A-Z][a-z’']*[ ,][^"'`\n]*[a-z][^"'`\n]*\1/g) ?? [];

test("words in a component are found", () => {
  expect(words('<p title="Score">{a ? "Your bid" : b} now <b class="main">{x}</b></p>')).toEqual([
    "Score",
    "Your bid",
    "now",
  ]);
  expect(words("<p class='wide row'>{text.title}: {n}%</p>")).toEqual([]);
  expect(sentences('const a = "It is your turn";')).toHaveLength(1);
});

test("no component has words of its own", () => {
  const svelte = files.filter((file) => file.endsWith(".svelte"));
  expect(svelte.length).toBeGreaterThan(30);
  const said = svelte.flatMap((file) => words(read(file)).map((one) => `${file}: ${one}`));
  expect(said).toEqual([]);
});

test("no code has sentences of its own", () => {
  const code = files.filter(
    (file) => /\.(svelte|ts)$/.test(file) && !/strings\.ts$|messages\.ts$/.test(file),
  );
  const said = code.flatMap((file) => sentences(read(file)).map((one) => `${file}: ${one}`));
  expect(said).toEqual([]);
});

test("nothing that is said is made by replacing words", () => {
  const speaking = files.filter((file) => /strings\.ts$|who\.ts$|telling\.ts$/.test(file));
  expect(speaking.length).toBeGreaterThan(3);
  for (const file of speaking) expect(read(file), file).not.toMatch(/\.replaceAll\(/);
});
