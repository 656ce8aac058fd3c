const EDGE_PX = 6; // pixels that stay free beside it

/** Move what has just appeared so far to the side that all of it can be read. */
export function onScreen(node: HTMLElement): void {
  const { left, right } = node.getBoundingClientRect();
  const room = document.documentElement.clientWidth - EDGE_PX;
  node.style.translate = `${Math.max(EDGE_PX - left, Math.min(0, room - right))}px`;
}
