// A key presses the button that names it, so that no key does what no button does.

/** Whether a key was pressed for a table, so that there is a keyboard. */
export let typed = false;

/** Press the button of a key, the one nearest to the hand first; whether there is one. */
export function press(key: string): boolean {
  const named = `[aria-keyshortcuts="${CSS.escape(key)}"]:not(:disabled)`;
  const button =
    document.querySelector<HTMLButtonElement>(`.near ${named}`) ??
    document.querySelector<HTMLButtonElement>(named);
  button?.click();
  return button !== null;
}

/** Whether a key was meant for the table: not for a panel, a field or the browser. */
export function isForTable(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (document.querySelector("dialog[open]")) return false;
  const isFree = !(event.target as HTMLElement).closest("input, select, textarea");
  typed ||= isFree;
  return isFree;
}
