// Offline use. `cargo xtask finish` fills in the next two lines.
const BUILD = "development";
const FILES = [];

// Every file but the page itself is named by its content. So builds cannot mix: a page asks for
// the files of its own build by name, and a new build can take over at once while older tabs find
// theirs in the older caches.
const PREFIX = `crawlscope ${self.registration.scope} `;
const CACHE = PREFIX + BUILD;
const KEPT_BUILDS = 3;
const PAGE = new URL("./", self.registration.scope).href;

async function install() {
  const cache = await caches.open(CACHE);
  // All or nothing: if one file does not come, this build is not installed.
  await cache.addAll([
    new Request(PAGE, { cache: "reload" }),
    ...FILES.map((name) => new URL(name, PAGE).href),
  ]);
  await self.skipWaiting();
}

async function ownCaches() {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX));
}

async function activate() {
  // Oldest first; the build that is now in force is always kept.
  const older = (await ownCaches()).filter((name) => name !== CACHE);
  const gone = older.slice(0, Math.max(0, older.length - (KEPT_BUILDS - 1)));
  await Promise.all(gone.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function page(request) {
  const cached = await caches.match(PAGE, { cacheName: CACHE, ignoreVary: true });
  return cached ?? fetch(request);
}

async function file(request) {
  const newestFirst = (await ownCaches()).reverse();
  for (const cacheName of [CACHE, ...newestFirst]) {
    const cached = await caches.match(request, { cacheName, ignoreVary: true });
    if (cached) return cached;
  }
  return fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  url.hash = "";
  if (request.method !== "GET" || !url.href.startsWith(PAGE)) return;
  if (request.mode === "navigate") {
    url.search = "";
    if (url.href === PAGE || url.href === `${PAGE}index.html`) event.respondWith(page(request));
  } else if (/-[0-9a-f]{16}\.\w+$/.test(url.href)) {
    event.respondWith(file(request));
  }
});
