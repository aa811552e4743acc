import init from "./page.js";

await init({ module_or_path: "./page_bg.wasm" });

// What is kept for the next visit must not slow this one: the first repository is read before.
const KEEP_AFTER_MS = 30_000;
const isKept = navigator.serviceWorker?.controller != null;
setTimeout(
  // Where the browser forbids it, the page needs its network.
  () => navigator.serviceWorker?.register("offline.js").catch((why) => console.warn("not kept for offline use:", why)),
  isKept ? 0 : KEEP_AFTER_MS,
);
