// onnxruntime-web on one thread: token ids in, milliseconds and mean vector out.
import * as ort from "./ort/ort.wasm.min.mjs";

ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = new URL("./ort/", import.meta.url).href;
let session;

async function load(model) {
  const start = performance.now();
  const bytes = new Uint8Array(await (await fetch(model)).arrayBuffer());
  session = await ort.InferenceSession.create(bytes, {
    executionProviders: ["wasm"],
    graphOptimizationLevel: "all",
  });
  return { ms: performance.now() - start };
}

async function encode(ids, count) {
  const start = performance.now();
  const all = new BigInt64Array(ids.length * count);
  for (let i = 0; i < all.length; i++) all[i] = BigInt(ids[i % ids.length]);
  const dims = [count, ids.length];
  const outputs = await session.run({
    input_ids: new ort.Tensor("int64", all, dims),
    attention_mask: new ort.Tensor("int64", new BigInt64Array(all.length).fill(1n), dims),
  });
  const hidden = outputs.last_hidden_state.data;
  const width = hidden.length / all.length;
  const mean = new Float32Array(width);
  for (let t = 0; t < ids.length; t++) for (let i = 0; i < width; i++) mean[i] += hidden[t * width + i];
  const norm = Math.hypot(...mean);
  return { ms: performance.now() - start, vector: mean.map((value) => value / norm) };
}

onmessage = async ({ data }) => {
  try {
    postMessage(await (data.model ? load(data.model) : encode(data.ids, data.count)));
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
