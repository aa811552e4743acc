import init from "./page.js";

await init({ module_or_path: "./page_bg.wasm" });
