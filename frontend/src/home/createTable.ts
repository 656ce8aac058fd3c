// Creates a table for friends without a form, with the choices of the last table.
import * as api from "../lib/api";
import type { VariantForm } from "../lib/messages";
import { saveSettings, settings } from "../lib/settings.svelte";

/** Creates a table that waits for people. Returns its id. */
export async function createTable(game: VariantForm): Promise<string> {
  const last = settings.last?.variant === game.variant ? settings.last : null;
  const wanted = {
    variant: game.variant,
    players: last?.players ?? game.default_players,
    options: last?.options ?? {},
  };
  const bots = api.botOf(await api.bots(), settings.last?.bots);
  const { id } = await api.createTable({
    ...wanted,
    public: false,
    clock: null,
    bots,
    natural: !!last?.natural,
    start: false,
  });
  saveSettings({ last: { ...settings.last, ...wanted } });
  return id;
}
