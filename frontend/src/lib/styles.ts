// Styles that come with a part of the page, and may not come: the connection was lost just then.

const missing = new Set<HTMLLinkElement>();
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") missing.add(target);
  },
  true, // it does not rise
);

/** Ask again for each style that did not come. Nobody else does: Vite asks once for each. */
export function again(): void {
  for (const link of missing) link.replaceWith(link.cloneNode());
  missing.clear();
}
