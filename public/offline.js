// Keeps the page's own files, so that an installed page opens without a network, and the models are not fetched
// again. The build puts the list before this text: FILES, the path and the SHA-256 of each file. A file that does
// not have its hash is not kept, and without all of them nothing changes.
const CACHE = "footnote-files";
// These carry their version in their name; everything else is asked of the server first, so that a new version
// is seen at once.
const IS_LASTING = /^(models|samples)\//;

// There are two builds of the encoder. A browser without relaxed vector instructions can run one of them; another may
// take either, and another one after an update, so it keeps both: see app/src/platform/simd.rs. This is a module with
// one such instruction.
const RELAXED = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0, 65, 0, 253, 15, 65, 0, 253, 15, 65,
  0, 253, 15, 253, 147, 2, 11,
]);
const CAN_RELAX = WebAssembly.validate(RELAXED);

const keyOf = (path) => `${new URL(path, registration.scope)}?${encodeURIComponent(FILES[path])}`;

async function keep() {
  const cache = await caches.open(CACHE);
  // One after the other: each is held whole while its hash is checked.
  for (const path of Object.keys(FILES)) {
    if (!CAN_RELAX && path.startsWith("encoder_relaxed")) continue;
    if (await cache.match(keyOf(path))) continue;
    const response = await fetch(path, { integrity: FILES[path], cache: "no-cache" });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    await cache.put(keyOf(path), response);
  }
}

async function dropOthers() {
  const cache = await caches.open(CACHE);
  const known = new Set(Object.keys(FILES).map(keyOf));
  for (const { url } of await cache.keys()) {
    if (!known.has(url)) await cache.delete(url);
  }
}

async function answer(request, path) {
  const kept = async () => (await caches.open(CACHE)).match(keyOf(path));
  if (IS_LASTING.test(path)) return (await kept()) ?? fetch(request);
  try {
    return await fetch(request);
  } catch (offline) {
    const response = await kept();
    if (response) return response;
    throw offline;
  }
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(dropOthers().then(() => clients.claim())));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { href } = new URL(request.url);
  if (request.method !== "GET" || !href.startsWith(registration.scope)) return;
  const path = href.slice(registration.scope.length).replace(/[?#].*$/, "") || "index.html";
  if (path in FILES) event.respondWith(answer(request, path));
});
