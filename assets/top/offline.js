// A service worker: what a reader has opened is kept, and shown where there is no network or where the
// host does not answer. Where it answers, its answer is shown, so nobody reads an old page.
const ROOT = registration.scope;
const KEPT = `the-worked-transformer:${new URL(ROOT).pathname}`; // each book of a host has its own
const EARLIER = "the-worked-transformer"; // what all books of a host shared once
const LIST = "files.json";
const INSTEAD = "chapters/device.html"; // in place of a page that is not here
const PATIENCE = 5000; // milliseconds in which a host answers, else the kept copy is shown
const REST = 60_000; // milliseconds for which a host that did not answer is not waited for again

addEventListener("install", (event) => event.waitUntil(skipWaiting()));
addEventListener("activate", (event) => event.waitUntil(Promise.all([clients.claim(), takeOver()])));

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (!url.startsWith(ROOT) || url.includes("/vendor/published/")) return; // the model has a store of its own
  if (method === "GET") event.respondWith(answer(event));
});

// A page asks for files to be kept, such as those that it had loaded before this worker was there.
addEventListener("message", (event) => event.waitUntil(
  Promise.all(event.data.keep.map((address) => ensure(address).catch(() => false)))
    .then((found) => event.ports[0]?.postMessage(found))));

let rests = 0; // until when the host is not waited for

async function answer(event) {
  const { request } = event;
  const asked = fetch(request);
  event.waitUntil(asked.then((found) => save(request.url, found.clone())).catch(() => {}));
  const before = await match(request.url);
  const isPage = request.mode === "navigate";
  if (!before) return isPage ? asked.catch((error) => instead(request.url, error)) : asked;
  try {
    const found = await inTime(asked);
    rests = 0;
    return found;
  } catch (error) {
    return isPage ? marked(before, error === "late" ? "late" : "gone") : before;
  }
}

function inTime(asked) {
  const late = new Promise((_, failed) => {
    setTimeout(() => failed("late"), Date.now() < rests ? 0 : PATIENCE);
  });
  late.catch(() => { rests = Date.now() + REST; });
  return Promise.race([asked, late]);
}

// The page says that it is a kept one, and why it is shown.
async function marked(before, why) {
  const text = (await before.text()).replace("<body ", `<body data-kept="${why}" `);
  return new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

async function instead(address, error) {
  if (!await match(ROOT + INSTEAD)) throw error;
  return Response.redirect(`${ROOT}${INSTEAD}?lost=${encodeURIComponent(address.slice(ROOT.length))}`);
}

async function match(address) {
  return (await caches.open(KEPT)).match(ROOT + pathOf(address, await listed()));
}

async function save(address, found) {
  if (found.status !== 200) return false;
  return keep(pathOf(address, await listed()), found);
}

/** Keep a file, unless it is there as the build has listed it; whether it is there then. */
async function ensure(address) {
  const before = await match(address);
  if (before && await isListed(pathOf(address, await listed()), before)) return true;
  return save(address, await fetch(address, { cache: "no-cache" }));
}

/** Keep an answer if it is what the build has listed, and not a page to log in; whether it is kept. */
async function keep(path, found) {
  if (!await isListed(path, found.clone())) return false;
  // The answer to a page may not be one that was led elsewhere.
  const own = found.redirected ? new Response(await found.blob(), { headers: found.headers }) : found;
  const kept = await caches.open(KEPT);
  return kept.put(ROOT + path, own).then(() => true, () => false); // a browser may have no more room
}

async function isListed(path, found) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await found.arrayBuffer()));
  const digits = [...hash].map((each) => each.toString(16).padStart(2, "0")).join("");
  const isIn = (files) => path in files && digits.startsWith(files[path][1]);
  return isIn(await listed()) || isIn(await listedNow());
}

// What the build has listed: as it is kept, until a file does not fit.
let list;

async function listed() {
  const kept = list ? undefined : await (await caches.open(KEPT)).match(ROOT + LIST);
  if (kept) list = await kept.json();
  return list ?? listedNow();
}

async function listedNow() {
  const found = await fetch(ROOT + LIST, { cache: "no-cache" }).catch(() => undefined);
  const read = found?.ok ? await found.clone().json().catch(() => undefined) : undefined;
  if (!read) return {};
  list = read;
  await (await caches.open(KEPT)).put(ROOT + LIST, found).catch(() => {});
  return read;
}

// A host may leave the ending of a page out of its address.
function pathOf(address, files) {
  const path = address.replace(/[?#].*/, "").slice(ROOT.length);
  return [path, `${path}.html`, `${path}index.html`].find((each) => each in files) ?? path;
}

// Only what this build has listed is taken from the store that all books of a host shared.
async function takeOver() {
  if (!await caches.has(EARLIER)) return;
  const earlier = await caches.open(EARLIER);
  for (const { url } of await earlier.keys()) {
    const path = url.startsWith(ROOT) ? pathOf(url, await listed()) : "";
    if (!(path in await listed())) continue;
    await keep(path, await earlier.match(url));
    await earlier.delete(url);
  }
}
