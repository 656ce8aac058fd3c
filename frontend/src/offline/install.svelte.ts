// Being installed as an app: browsers that can offer it say so once, early, and only where secure.
interface Offer extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

export const installing = $state<{ offer: Offer | null }>({ offer: null });

/** Keep the browser's offer until somebody asks for it. */
export function awaitOffer(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installing.offer = event as Offer;
  });
  addEventListener("appinstalled", () => (installing.offer = null));
}

export async function install(): Promise<void> {
  const { offer } = installing;
  installing.offer = null; // it is good for once
  await offer?.prompt();
}

/** Have the service worker start the page without a network; where it is not secure there is none. */
export function keepOffline(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  addEventListener("load", () => {
    navigator.serviceWorker.register("/worker.js").catch(() => undefined); // the page does without
  });
}
