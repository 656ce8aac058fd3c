// Setting a table for friends: what was chosen last holds again, without a form.
import * as api from "../lib/api";
import type { VariantForm } from "../lib/messages";
import { saveSettings, settings } from "../lib/settings.svelte";

/** A new table of a game, for people to come to; its id. */
export async function createTable(game: VariantForm): Promise<string> {
  const last = settings.last?.variant === game.variant ? settings.last : null;
  const wanted = {
    variant: game.variant,
    players: last?.players ?? game.usual,
    options: last?.options ?? {},
  };
  const bots = api.botOf(await api.bots(), settings.last?.bots);
  const { id } = await api.createTable({ ...wanted, public: false, clock: null, bots, start: false });
  saveSettings({ last: { ...settings.last, ...wanted } });
  return id;
}
