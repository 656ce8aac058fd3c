// Whether the server can be reached, as far as this page has noticed.
export const connectivity = $state({
  lost: !navigator.onLine,
  offline: !navigator.onLine, // there is no network at all
  reconnectCount: 0, // a change makes parts that failed to load try again
});

/** Records whether the server answered a request. */
export function reportReachability(answered: boolean): void {
  if (answered && connectivity.lost) connectivity.reconnectCount++;
  connectivity.lost = !answered;
  connectivity.offline = connectivity.lost && !navigator.onLine;
}

/** Listens to the browser's events about its network. */
export function watchConnectivity(): void {
  addEventListener("offline", () => reportReachability(false));
  addEventListener("online", () => {
    if (connectivity.lost) reportReachability(true);
  });
}
