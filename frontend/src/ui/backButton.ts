// What Back does on a page: it closes what lies over it, the topmost first, and only then leaves. While
// anything is open, one entry of the history stands above that of the page; Back takes it away.

type Close = () => void;
const open: Close[] = []; // the topmost last
let above: boolean = marked(); // whether the entry of the history is the one above the page's
let path = location.pathname; // where that entry was made
let under = location.href; // the address of the page's own entry, to which Back leads
let going = false; // it is being taken away by the page itself
let address: string | null = null; // what the page's address is to be once it is away

function marked(): boolean {
  return (history.state as { above?: boolean } | null)?.above === true;
}

/** Have Back close something, or do it when nothing else is open; the answer is called when that is over. */
export function onBackButton(close: Close, last = false): () => void {
  if (last) open.unshift(close);
  else open.push(close);
  settle();
  return () => {
    const at = open.lastIndexOf(close);
    if (at >= 0) open.splice(at, 1);
    setTimeout(settle); // a panel may open in place of this one
  };
}

/** Go to another page of the table: what lies above this one is given up. */
export function navigate(to: string): void {
  const state = { from: location.pathname };
  if (above) history.replaceState(state, "", to);
  else history.pushState(state, "", to);
  above = false;
}

/** Name what the page shows in its address, which leads nowhere else. */
export function replaceUrl(to: string, state: object): void {
  history.replaceState(above ? { ...state, above } : state, "", to);
  if (above) address = to;
}

/** Leave the page as Back would: to where this person came from, or else to another page. */
export function goBack(otherwise: () => void): void {
  open.length = 0;
  const from = (history.state as { from?: string } | null)?.from;
  if (from === undefined) otherwise();
  else history.go(above ? -2 : -1);
}

function settle(): void {
  if (going || above === open.length > 0) return;
  if (!above) {
    // Browsers pass over entries that a page makes before anybody has touched it.
    if (navigator.userActivation?.hasBeenActive === false) {
      addEventListener("pointerup", settle, { once: true });
      addEventListener("keyup", settle, { once: true });
      return;
    }
    path = location.pathname;
    under = location.href;
    above = true;
    history.pushState({ ...history.state, above }, "");
  } else if (location.pathname === path) {
    going = true;
    history.back();
  }
}

addEventListener("popstate", () => {
  const was = above;
  above = marked();
  // A link that only changes what follows the # is told like Back, and leads elsewhere.
  if (was && !above && location.href === under) {
    if (address !== null) history.replaceState(history.state, "", address);
    if (!going) open.at(-1)?.();
  }
  going = false;
  address = null;
  setTimeout(settle);
});
