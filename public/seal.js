// Runs before anything else. From here on, this page and the workers that it starts from blob: URLs
// can reach only the server that the page came from, and the one address of a language model that the
// user connected, whatever code or text they later handle. Connecting and disconnecting reload the page:
// a policy can be narrowed while a page lives, but never widened.
(() => {
  // One origin: scheme, host and port, nothing that could end the directive or name a second address.
  const isOrigin = (text) => {
    try {
      return /^https?:\/\/[a-z0-9.:-]+$/.test(text) && new URL(text).origin === text;
    } catch {
      return false;
    }
  };
  let connected = "";
  try {
    const origin = localStorage.getItem("footnote.service.origin") ?? "";
    connected = isOrigin(origin) ? ` ${origin}` : "";
  } catch {
    // The browser forbids storage: nothing can have been connected.
  }
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval' blob:",
    "worker-src 'self' blob:",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${connected}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  document.head.prepend(policy);
})();
