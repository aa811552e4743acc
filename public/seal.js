// Runs before anything else. From here on, this page and the workers that it starts from blob: URLs
// can connect only to the server that the page came from, and to the one address of a language
// model that the user connected, whatever code or text they later handle. Connecting and
// disconnecting reload the page: a policy can be narrowed while a page lives, but never widened.
//
// The browser enforces the policy: fetches, sockets, events, beacons, images, fonts, styles,
// frames, forms. A policy has no switch for three more ways out, so the second half of this file
// shuts them as far as a script can: this tab going elsewhere, new windows, and WebRTC. Not covered
// are what the user does (typing an address, opening a link that was shown in full), extensions,
// and the browser itself. A page cannot forbid either that the browser looks up a name or opens a
// connection ahead of time (rel=preconnect); nothing here asks for that. frame-ancestors counts
// only as a header, so the server has to send it. docs/language-models.md lists all of this.
(() => {
  // One origin: scheme, host and port, nothing that could end the directive or name a second
  // address.
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
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    // Part of the standard; Chromium 156 does not know it yet and says so in the console.
    "webrtc 'block'",
    // Text becomes HTML or the address of a script through the policy `default` alone, of which
    // there is one here and one in each worker (app/src/platform/workers.rs).
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");
  document.head.prepend(policy);

  const isElsewhere = (address) => {
    try {
      return new URL(address, location.href).origin !== location.origin;
    } catch {
      return true;
    }
  };

  // Leptos and the views of the trace give HTML, in which all text of a repository is escaped: no
  // such element can be in it.
  const LOADING = /<(?:script|iframe|frame|frameset|object|embed|base|meta|link)[\s/>]/i;
  globalThis.trustedTypes?.createPolicy("default", {
    createHTML: (html) => (LOADING.test(html) ? null : html),
    createScriptURL: (address) => (isElsewhere(address) ? null : address),
  });

  // This tab goes nowhere else by itself. What the user types into the address bar is not heard of
  // here.
  globalThis.navigation?.addEventListener("navigate", (event) => {
    if (event.cancelable && isElsewhere(event.destination.url)) event.preventDefault();
  });
  // No click leads elsewhere but that on the link which is shown with its whole address
  // (app/src/ui/leave.rs).
  const keep = (event) => {
    const link = event.target.closest?.("a[href], area[href]");
    if (link && isElsewhere(link.href) && !link.hasAttribute("data-leave")) event.preventDefault();
  };
  addEventListener("click", keep, true);
  addEventListener("auxclick", keep, true);
  const open = window.open.bind(window);
  window.open = (address = "", ...rest) => (isElsewhere(address) ? null : open(address, ...rest));
  // Packets of WebRTC pass every policy.
  delete window.RTCPeerConnection;
  delete window.webkitRTCPeerConnection;
})();
