// The little Markdown that the rules page uses, as blocks: no HTML is ever made from text.
export type Span = { kind: "text" | "strong" | "em" | "code"; text: string };
export type Block =
  | { kind: "h"; level: number; spans: Span[] }
  | { kind: "p"; spans: Span[] }
  | { kind: "ul" | "ol"; items: Span[][] }
  | { kind: "table"; head: Span[][]; rows: Span[][][] };

export function spans(line: string): Span[] {
  const made: Span[] = [];
  for (const part of line.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/)) {
    if (!part) continue;
    if (part.length > 4 && part.startsWith("**")) made.push({ kind: "strong", text: part.slice(2, -2) });
    else if (part.length > 2 && part.startsWith("*") && part.endsWith("*"))
      made.push({ kind: "em", text: part.slice(1, -1) });
    else if (part.length > 2 && part.startsWith("`")) made.push({ kind: "code", text: part.slice(1, -1) });
    else made.push({ kind: "text", text: part });
  }
  return made;
}

const cells = (line: string) =>
  line
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => spans(cell.trim()));

export function blocks(source: string): Block[] {
  const made: Block[] = [];
  for (const chunk of source.split(/\n{2,}/)) {
    const lines = chunk.split("\n").filter((line) => line.trim());
    const head = lines[0];
    if (!head) continue;
    const title = /^(#+) (.*)$/.exec(head);
    if (title) {
      made.push({ kind: "h", level: title[1]!.length, spans: spans(title[2]!) });
      if (lines.length > 1) made.push(...blocks(lines.slice(1).join("\n")));
    } else if (head.startsWith("|")) {
      made.push({ kind: "table", head: cells(head), rows: lines.slice(2).map(cells) });
    } else if (/^([*-]|\d+\.) /.test(head)) {
      const items: string[] = [];
      for (const line of lines) {
        if (/^([*-]|\d+\.) /.test(line)) items.push(line.replace(/^([*-]|\d+\.) /, ""));
        else items[items.length - 1] += " " + line.trim();
      }
      made.push({ kind: /^\d/.test(head) ? "ol" : "ul", items: items.map(spans) });
    } else made.push({ kind: "p", spans: spans(lines.join(" ")) });
  }
  return made;
}
