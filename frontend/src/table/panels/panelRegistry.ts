// The panels that lie over a table, one at a time. What is seldom needed is fetched when it is wanted.
import type { Component } from "svelte";
import type { TableStore } from "../../lib/tableStore.svelte";
import Menu from "./Menu.svelte";

export interface PanelProps {
  play: TableStore;
  show: (panel: Panel) => void; // instead of this one
  look: (deal: number) => void; // at it card by card
  close: () => void;
  go: (path: string) => void;
}

const here = { menu: Menu };
const later = () => import("./deferredPanels");
const fetched = {
  claim: () => later().then((panels) => panels.claim),
  concede: () => later().then((panels) => panels.concede),
  devices: () => import("./Devices.svelte").then((module) => module.default),
  keys: () => later().then((panels) => panels.keys),
  lay: () => later().then((panels) => panels.lay),
  leave: () => later().then((panels) => panels.leave),
  melds: () => later().then((panels) => panels.melds),
  records: () => later().then((panels) => panels.records),
  rules: () => later().then((panels) => panels.rules),
  scores: () => later().then((panels) => panels.scores),
  seats: () => import("./Seating.svelte").then((module) => module.default),
  settings: () => import("./Settings.svelte").then((module) => module.default),
  stand: () => later().then((panels) => panels.stand),
  talk: () => later().then((panels) => panels.talk),
};
/** The sheet that tells how a deal went: no panel that is asked for by name. */
// A function of its own: what is said to a promise of `import(…)` itself, Vite moves to where it does
// not hear of a style that did not come.
export const result = () => later().then((panels) => panels.result);
/** What can be done when a game is over. */
export const rematch = () => later().then((panels) => panels.rematch);
/** The sentence of a lesson. */
export const lessonPanel = () => import("../../lessons/LessonPanel.svelte").then((module) => module.default);
/** The buttons that leaf through earlier tricks. */
export const pastTrickBar = () => later().then((panels) => panels.history);
/** The auction so far. */
export const auctionTable = () => later().then((panels) => panels.auction);
/** Who plays for what, on a wide table. */
export const contractPlate = () => later().then((panels) => panels.plate);
/** The questions which cards are out. */
export const countingTrainer = () => later().then((panels) => panels.counting);
export type Panel = keyof typeof here | keyof typeof fetched;

/** A panel, or the promise of one. */
export function panelOf(name: Panel): Component<PanelProps> | Promise<Component<PanelProps>> {
  return name in fetched ? fetched[name as keyof typeof fetched]() : here[name as keyof typeof here];
}
