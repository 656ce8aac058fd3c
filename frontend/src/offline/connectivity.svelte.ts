// Whether the server can be reached, as far as this page has noticed.
export const net = $state({
  lost: !navigator.onLine,
  offline: !navigator.onLine, // there is no network at all
  back: 0, // how often it has come back: what could not be loaded is asked for again
});

/** A question was answered, or not. */
export function reportReachability(answered: boolean): void {
  if (answered && net.lost) net.back++;
  net.lost = !answered;
  net.offline = net.lost && !navigator.onLine;
}

/** Follow what the browser says of its network. */
export function watchConnectivity(): void {
  addEventListener("offline", () => reportReachability(false));
  addEventListener("online", () => {
    if (net.lost) reportReachability(true);
  });
}
