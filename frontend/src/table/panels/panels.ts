// The panels that lie over a table, one at a time. What is seldom needed is fetched when it is wanted.
import type { Component } from "svelte";
import type { TableStore } from "../../lib/tableStore.svelte";
import Claim from "./Claim.svelte";
import Concede from "./Concede.svelte";
import LayMeld from "./LayMeld.svelte";
import Leave from "./Leave.svelte";
import Melds from "./Melds.svelte";
import Menu from "./Menu.svelte";

export interface PanelProps {
  play: TableStore;
  show: (panel: Panel) => void; // instead of this one
  close: () => void;
  go: (path: string) => void;
}

const here = {
  menu: Menu,
  melds: Melds,
  claim: Claim,
  concede: Concede,
  lay: LayMeld,
  leave: Leave,
};
const fetched = {
  devices: () => import("./Devices.svelte"),
  keys: () => import("./KeyboardHelp.svelte"),
  records: () => import("./Games.svelte"),
  rules: () => import("./Rules.svelte"),
  scores: () => import("./Scores.svelte"),
  seats: () => import("./Seating.svelte"),
  settings: () => import("./Settings.svelte"),
  stand: () => import("./LeaveSeat.svelte"),
  talk: () => import("./Talk.svelte"),
};
/** The sheet that tells how a deal went: no panel that is asked for by name. */
// A function of its own: what is said to a promise of `import(…)` itself, Vite moves to where it does
// not hear of a style that did not come.
export const result = () => import("./Result.svelte");
export type Panel = keyof typeof here | keyof typeof fetched;

/** A panel, or the promise of one. */
export function panelOf(name: Panel): Component<PanelProps> | Promise<Component<PanelProps>> {
  return name in fetched
    ? fetched[name as keyof typeof fetched]().then((module) => module.default)
    : here[name as keyof typeof here];
}
