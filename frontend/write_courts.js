// Writes the twelve court figures of the traditional deck to src/cards/courts, from Adrian Kennard's designs
// (CC0) as they are packed in @letele/playing-cards. They are kept in git, so this runs only if the drawing
// is to change:
//
//   npm install --no-save @letele/playing-cards@0.1.0 svgo@4
//   node write_courts.js
//
// Taken is the figure within its frame. Index and pips are the page's own (src/cards/TraditionalFace.svelte), which
// are larger and follow the colours chosen; the corners where the index stands are left out.
import { readFileSync, writeFileSync } from "node:fs";
import { optimize } from "svgo";

const FRAME = { w: 164.8, h: 260.8 }; // as in the designs, whose cards are 240 by 336
const CORNER = { w: 35, h: 102 }; // kept free for the index
const COLOURS = { red: "#c4202f", "#44F": "#2a4d9b", "#FC4": "#f0b63a", "#000": "#14171c" };

// The package's components are called with an element that only remembers what it was made of.
const source = readFileSync(
  new URL("node_modules/@letele/playing-cards/dist/index.esm.js", import.meta.url),
  "utf8",
)
  .replace(/^import .*$/gm, "")
  .replace(/^export \{[\s\S]*$/m, "");
const React = {
  createElement: (tag, props, ...inner) => ({ tag, props: props ?? {}, inner: inner.flat().filter(Boolean) }),
};
const component = (name) =>
  new Function("React", "_extends", `${source}; return Svg${name}`)(React, Object.assign);

const KEPT = new Set(["viewBox", "preserveAspectRatio"]);
const attribute = (name) =>
  name === "xlinkHref"
    ? "href"
    : KEPT.has(name)
      ? name
      : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const written = ({ tag, props, inner }) =>
  `<${tag}${Object.entries(props)
    .map(([name, value]) => ` ${attribute(name)}="${COLOURS[value] ?? value}"`)
    .join("")}>${inner.map(written).join("")}</${tag}>`;

function court(name) {
  const { inner } = component(name)({});
  const defs = inner.find((one) => one.tag === "defs");
  const figure = inner.filter((one) => one.tag === "use" && one.props.width === FRAME.w);
  if (figure.length < 8) throw new Error(`${name}: its figure is not found`);
  const [x, y] = [-FRAME.w / 2, -FRAME.h / 2];
  const outline = (edge) =>
    `M${x + CORNER.w} ${y + edge}H${-x - edge}V${-y - CORNER.h}H${-x - CORNER.w}V${-y - edge}H${x + edge}V${y + CORNER.h}H${x + CORNER.w}z`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${FRAME.w} ${FRAME.h}">${written(defs)}` +
    `<clipPath id="outline"><path d="${outline(0)}"/></clipPath>` +
    `<g clip-path="url(#outline)">${figure.map(written).join("")}</g>` +
    `<path d="${outline(0.6)}" fill="none" stroke="${COLOURS["#44F"]}" stroke-width="1.2"/></svg>`;
  const { data } = optimize(svg, {
    multipass: true,
    floatPrecision: 1,
    plugins: [
      {
        name: "preset-default",
        params: {
          overrides: {
            convertPathData: { floatPrecision: 0 },
            cleanupNumericValues: { floatPrecision: 3 },
            convertTransform: { floatPrecision: 4 },
          },
        },
      },
    ],
  });
  return data;
}

for (const suit of "SHDC")
  for (const rank of "KQJ")
    writeFileSync(new URL(`src/cards/courts/${rank}${suit}.svg`, import.meta.url), court(suit + rank) + "\n");
