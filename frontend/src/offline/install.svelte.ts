// Installing the page as an app. A browser that can do so sends one event, early, and only on HTTPS.
interface InstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

export const installPrompt = $state<{ event: InstallPromptEvent | null }>({ event: null });

/** Stores the browser's install prompt until somebody asks for it. */
export function captureInstallPrompt(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installPrompt.event = event as InstallPromptEvent;
  });
  addEventListener("appinstalled", () => (installPrompt.event = null));
}

export async function install(): Promise<void> {
  const { event } = installPrompt;
  installPrompt.event = null; // a browser shows each prompt only once
  await event?.prompt();
}

/** Registers the service worker, which starts the page without a network. It needs HTTPS. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  addEventListener("load", () => {
    navigator.serviceWorker.register("/worker.js").catch(() => undefined); // the page works without it
  });
}
