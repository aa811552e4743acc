// Talks to Footnote's encoder worker as the engine does: postcard messages, see
// app/src/worker/encoder_protocol.rs.

const utf8 = new TextEncoder();

function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

function string(text) {
  const bytes = utf8.encode(text);
  return [...varint(bytes.length), ...bytes];
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  varint() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
  f64() {
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, 8);
    this.at += 8;
    return view.getFloat64(0, true);
  }
  take() {
    const length = this.varint();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** A quantised vector (four bytes of scale, then int8 values) as a unit vector. */
function unit(bytes) {
  const values = Float32Array.from(new Int8Array(bytes.slice(4).buffer));
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
}

export class FootnoteEncoder {
  /** Starts the worker whose files are `{name}.js` and `{name}_bg.wasm` beside the page. */
  static async start(name, base) {
    const body = `self.footnoteBase = ${JSON.stringify(base)};
      importScripts(${JSON.stringify(`${base}${name}.js`)});
      wasm_bindgen({ module_or_path: ${JSON.stringify(`${base}${name}_bg.wasm`)} });`;
    const encoder = new FootnoteEncoder();
    encoder.worker = new Worker(URL.createObjectURL(new Blob([body], { type: "text/javascript" })));
    await encoder.answer();
    return encoder;
  }

  answer() {
    return new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => resolve(new Reader(data));
      this.worker.onerror = (event) => reject(new Error(event.message));
    });
  }

  async ask(bytes, expected) {
    const answer = this.answer();
    this.worker.postMessage(new Uint8Array(bytes));
    const reader = await answer;
    const variant = reader.varint();
    if (variant !== expected) throw new Error(`the encoder answered ${variant} instead of ${expected}`);
    return reader;
  }

  /** Loads the model; returns the milliseconds that the worker took. */
  async load(folder) {
    // The last byte: on the processor.
    const reader = await this.ask([0, ...string(folder), 0], 1);
    reader.take();
    reader.varint();
    reader.varint();
    return reader.f64();
  }

  /** Milliseconds, tokens and the first vector of a batch. */
  async encode(texts) {
    const reader = await this.ask([2, ...varint(1), ...varint(texts.length), ...texts.flatMap(string)], 2);
    reader.varint();
    const vectors = Array.from({ length: reader.varint() }, () => reader.take());
    const tokens = reader.varint();
    return { ms: reader.f64(), tokens, vector: unit(vectors[0]) };
  }
}
