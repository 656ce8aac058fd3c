// Writes src/lib/messages.ts from schema.json: a type for each message, command and part of them.
// Run before every build and check; the file is not kept in git, so that it cannot be out of date.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const here = (path) => new URL(path, import.meta.url);
const parts = JSON.parse(readFileSync(here("schema.json"), "utf8")).$defs;
const refs = (node) =>
  node && typeof node === "object"
    ? Object.entries(node).flatMap(([key, value]) =>
        key === "$ref" ? [value.split("/").pop()] : refs(value),
      )
    : [];

/** What a browser sends may leave out what has a default; the server writes every field. */
const sent = new Set(refs(parts.Command.anyOf));

const member = (type) => (type.includes(" | ") ? `(${type})` : type);
function type(node, name) {
  if (node.$ref) return node.$ref.split("/").pop();
  if (node.anyOf) return node.anyOf.map((one) => type(one, name)).join(" | ");
  if (node.enum) return node.enum.map((one) => JSON.stringify(one)).join(" | ");
  switch (node.type) {
    case "string":
    case "boolean":
    case "null":
      return node.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      if (node.prefixItems) return `[${node.prefixItems.map((one) => type(one, name)).join(", ")}]`;
      return `${node.items ? member(type(node.items, name)) : "unknown"}[]`;
    case "object":
      if (!node.properties)
        return `Record<string, ${node.additionalProperties ? type(node.additionalProperties, name) : "unknown"}>`;
      return `{\n${Object.entries(node.properties)
        .map(([key, value]) => {
          const left = sent.has(name) && !node.required?.includes(key) ? "?" : "";
          return `  ${key}${left}: ${type(value, name)};`;
        })
        .join("\n")}\n}`;
    case undefined:
      return "unknown";
    default:
      throw new Error(`schema.json, ${name}: no TypeScript for ${JSON.stringify(node)}`);
  }
}

const comment = (text) => (text ? `/** ${text.replace(/\s*\n\s*/g, " ")} */\n` : "");
const made =
  "// Made from schema.json by write_types.js: not edited by hand.\n\n" +
  Object.entries(parts)
    .map(([name, node]) => `${comment(node.description)}export type ${name} = ${type(node, name)};\n`)
    .join("\n");

const target = here("src/lib/messages.ts");
if (!existsSync(target) || readFileSync(target, "utf8") !== made) writeFileSync(target, made);
