// The traditional deck, fetched when it is chosen: until then, and where it cannot be had, cards are plain.
import type { Component } from "svelte";
import type { Card } from "../lib/types";

type Faces = Component<{ card: Card }>;

let faces = $state.raw<Faces | null>(null);
let deckImport: Promise<typeof import("./traditional")> | null = null;

async function importDeck() {
  deckImport ??= import("./traditional");
  try {
    const deck = await deckImport;
    faces = deck.Traditional;
    return deck;
  } catch {
    deckImport = null; // there may be a connection later
    return null;
  }
}

/** How the faces of the traditional deck are drawn, if it has come. */
export const traditional = () => faces;

/** Fetch what draws the traditional deck, and each figure as it is shown. */
export const peek = () => void importDeck();

/** Fetch the traditional deck with all its figures, so that none comes late. */
export const fetchDeck = async () => (await importDeck())?.fetchFigures();
