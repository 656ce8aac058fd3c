// The service worker: starts the page without a network, and keeps the rules to be read then.
//
// A page is always asked of the server first, so a new build is never hidden by an old worker; only
// where no answer comes is the kept one shown. Of the rest only files with their content's hash in
// the name are kept, and the rules of the games. What the server says of people and tables is not.
/// <reference lib="webworker" />
declare const self: ServiceWorkerGlobalScope;
declare const __VERSION__: string; // of the build, and its files: written when it is built
declare const __FILES__: string[];
export {};

const PREFIX = "acesaround ";
const CACHE = PREFIX + __VERSION__;
const PAGE_PATH = "/";
const RULES_PATH = "/rules.json";
const PAGE_PATHS = /^\/$|^\/[twr]\//; // the addresses that show the page

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) =>
        cache.addAll(
          [PAGE_PATH, RULES_PATH, ...__FILES__].map((path) => new Request(path, { cache: "reload" })),
        ),
      )
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteOldCaches().then(() => self.clients.claim()));
});

/** Deletes the caches of earlier builds except the last one: one of its pages may still be open. */
async function deleteOldCaches(): Promise<void> {
  const earlier = (await caches.keys()).filter((key) => key.startsWith(PREFIX) && key !== CACHE);
  await Promise.all(earlier.slice(0, -1).map((key) => caches.delete(key)));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (PAGE_PATHS.test(pathname))
      event.respondWith(fetch(request).catch((lost) => cachedResponse(PAGE_PATH, lost)));
  } else if (pathname === RULES_PATH) {
    event.respondWith(fetchRules(request));
  } else if (pathname.startsWith("/assets/")) {
    event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
  }
});

async function cachedResponse(path: string, lost: unknown): Promise<Response> {
  const found = await (await caches.open(CACHE)).match(path);
  if (!found) throw lost;
  return found;
}

async function fetchRules(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(CACHE)).put(RULES_PATH, answer.clone());
    return answer;
  } catch (lost) {
    return cachedResponse(RULES_PATH, lost);
  }
}
