// A service worker: what a reader has opened is kept, and shown where there is no network. Where there
// is one, it is asked first, so nobody reads an old page.
const KEPT = "the-worked-transformer";

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (url.includes("/vendor/published/")) return; // the published model has a store of its own
  if (method === "GET" && new URL(url).origin === location.origin) event.respondWith(answer(event));
});

// A page tells what it had loaded before this worker was there.
addEventListener("message", (event) => event.waitUntil(
  caches.open(KEPT).then((kept) => Promise.allSettled(event.data.map((url) => kept.add(url))))));

async function answer(event) {
  const kept = await caches.open(KEPT);
  try {
    const found = await fetch(event.request);
    // A browser that has no more room for it refuses, and the page is shown all the same.
    if (found.status === 200) event.waitUntil(kept.put(event.request, found.clone()).catch(() => {}));
    return found;
  } catch (error) {
    const before = await kept.match(event.request);
    if (before) return before;
    throw error;
  }
}
