// Stylesheets of parts that are loaded later. Loading one fails if the connection is lost.

const failedLinks = new Set<HTMLLinkElement>();
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") failedLinks.add(target);
  },
  true, // this event does not bubble
);

/** Loads each stylesheet that failed again. Vite tries only once. */
export function retryFailedStylesheets(): void {
  for (const link of failedLinks) link.replaceWith(link.cloneNode());
  failedLinks.clear();
}
