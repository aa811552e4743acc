// Runs Footnote's encoder and onnxruntime-web on the same model file and the same texts, in turns, so
// that both see the same machine; each in a worker of its own, on one thread, one at a time.
//
// The result is written into the page as JSON.

import { FootnoteEncoder } from "./footnote_encoder.mjs";

const base = new URL(".", location.href).href;
const model = `${base}models/all-MiniLM-L6-v2-int8/`;
const rounds = Number(new URLSearchParams(location.search).get("rounds") ?? 15);
const encoders = ["encoder", "encoder_relaxed"];

async function ask(worker, message) {
  const answer = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
  worker.postMessage(message);
  const data = await answer;
  if (data.error) throw new Error(data.error);
  return data;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const cosine = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** A text of exactly 128 tokens, then stored texts of other lengths, alone and eight at once. */
async function cases() {
  const stored = (await (await fetch("vectors.json")).json()).cases;
  const the = 1996;
  const even = { text: Array(126).fill("the").join(" "), ids: [101, ...Array(126).fill(the), 102] };
  const lengths = [14, 87, 172, 256].map((length) => stored.find((one) => one.ids.length === length));
  return [even, ...lengths].flatMap((one) => [1, 8].map((count) => ({ ...one, count })));
}

async function exists(name) {
  return (await fetch(`${base}${name}.js`, { method: "GET" })).ok;
}

/** The share of time that the relaxed one of the two loops takes by which the page picks a build. */
async function share() {
  const bytes = await (await fetch("simd.wasm")).arrayBuffer();
  if (!WebAssembly.validate(bytes)) return null;
  const { relaxed, plain } = (await WebAssembly.instantiate(bytes)).instance.exports;
  const least = [Infinity, Infinity];
  for (let run = 0; run < 7; run++) {
    for (const [at, loop] of [relaxed, plain].entries()) {
      const start = performance.now();
      loop(600_000);
      least[at] = Math.min(least[at], performance.now() - start);
    }
  }
  return least[0] / least[1];
}

/** Products of the model's layers and its attention for a text. */
function products(tokens) {
  const [layers, hidden, inner] = [6, 384, 1536];
  return layers * tokens * (4 * hidden * hidden + 2 * hidden * inner + 2 * tokens * hidden);
}

/** The milliseconds that a product takes at least, with the instructions of each build. */
async function leastPerProduct() {
  const bytes = await (await fetch("floor.wasm")).arrayBuffer();
  if (!WebAssembly.validate(bytes)) return {};
  const { relaxed, plain } = (await WebAssembly.instantiate(bytes)).instance.exports;
  const [rounds, each] = [4_000_000, 64];
  const least = { encoder: plain, encoder_relaxed: relaxed };
  for (const [name, loop] of Object.entries(least)) {
    let ms = Infinity;
    for (let run = 0; run < 60; run++) {
      const start = performance.now();
      loop(rounds);
      ms = Math.min(ms, performance.now() - start);
    }
    least[name] = ms / (rounds * each);
  }
  return least;
}

async function main() {
  const least = await leastPerProduct();
  const result = { share: await share(), load_ms: {}, cases: [] };
  const runners = {};
  for (const name of encoders) {
    if (!(await exists(name))) continue;
    const encoder = await FootnoteEncoder.start(name, base);
    result.load_ms[name] = await encoder.load(model);
    runners[name] = (one) => encoder.encode(Array(one.count).fill(one.text));
  }
  const worker = new Worker("ort_worker.mjs", { type: "module" });
  result.load_ms.onnxruntime_web = (await ask(worker, { model: `${model}model.onnx` })).ms;
  runners.onnxruntime_web = (one) => ask(worker, { ids: one.ids, count: one.count });

  for (const one of await cases()) {
    const times = Object.fromEntries(Object.keys(runners).map((name) => [name, []]));
    const vectors = {};
    for (let round = 0; round < rounds + 2; round++) {
      for (const [name, run] of Object.entries(runners)) {
        const { ms, vector, tokens } = await run(one);
        if (tokens !== undefined && tokens !== one.ids.length * one.count) {
          throw new Error(`${name} counts ${tokens} tokens, not ${one.ids.length * one.count}`);
        }
        vectors[name] = vector;
        if (round >= 2) times[name].push(ms);
      }
    }
    const entry = { tokens: one.ids.length, count: one.count, ms: {}, least_ms: {}, cosine: {} };
    const n = one.count * products(one.ids.length);
    entry.floor_ms = Object.fromEntries(Object.entries(least).map(([name, ms]) => [name, ms * n]));
    for (const name of Object.keys(runners)) {
      entry.ms[name] = median(times[name]);
      entry.least_ms[name] = Math.min(...times[name]);
      if (one.vector) entry.cosine[name] = cosine(vectors[name], one.vector);
    }
    result.cases.push(entry);
  }
  return result;
}

main()
  .catch((error) => ({ error: String(error) }))
  .then((result) => {
    document.getElementById("result").textContent = JSON.stringify(result);
    document.title = "done";
  });
