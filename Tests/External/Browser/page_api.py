"""The API that presentment.js gives to pages and frames, in a real browser, with the facts of real documents."""

import http.server
import json
import threading

# Functions for the scripts below. `outcome` is the name of an exception, or the data of a credential.
HELPERS = """
const MDOC = { protocol: "org-iso-mdoc", data: { deviceRequest: "AAAA", encryptionInfo: "AAAA" } };
const options = (...requests) => ({ digital: { requests } });
const outcome = async (call, scope = window) => {
  try {
    const credential = await call();
    if (!(credential instanceof scope.DigitalCredential)) return "not a credential";
    return credential.toJSON().data;
  } catch (error) {
    const classes = [scope.DOMException, scope.TypeError, scope.Error];
    return classes.some((one) => error instanceof one) ? error.name : `${error.name} of another realm`;
  }
};
const frame = (attributes) => new Promise((resolve) => {
  const made = Object.assign(document.createElement("iframe"), { onload: () => resolve(made) });
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  document.body.append(made);
});
/** Calls in a frame of another origin by message. */
const callIn = (made) => new Promise((resolve) => {
  addEventListener("message", function listen(event) {
    if (event.source !== made.contentWindow) return;
    removeEventListener("message", listen);
    resolve(event.data);
  });
  made.contentWindow.postMessage({ options: options(MDOC) }, "*");
});
const wallet = (behavior) => presentment.setVirtualWalletBehavior(behavior);
const get = () => navigator.credentials.get(options(MDOC));
await presentment.ready;
"""

# What a script returns, and what is expected.
STEPS = [
    ("no activation", "return outcome(get);", "NotAllowedError"),
    ("the wallet responds, with any data", """
      await wallet({ action: "respond", protocol: "openid4vp-v1-signed", response: { a: [1, null] } });
      await presentment.simulateActivation();
      const before = navigator.userActivation.isActive;
      return [before, await outcome(get), navigator.userActivation.isActive];
     """, [True, {"a": [1, None]}, False]),
    ("the credential has the standard's members", """
      await presentment.simulateActivation();
      const credential = await get();
      return [credential.type, credential.protocol, Object.keys(credential.toJSON()),
              credential.data === credential.data, String(credential), typeof credential.id];
     """, ["digital", "openid4vp-v1-signed", ["protocol", "data"], True, "[object DigitalCredential]", "string"]),
    ("an activation is kept by a call without a known protocol", """
      await presentment.simulateActivation();
      const unknown = () => navigator.credentials.get(options({ protocol: "unknown", data: {} }));
      return [await outcome(unknown), navigator.userActivation.isActive];
     """, ["TypeError", True]),
    ("values that JSON cannot have, after the activation", """
      const cycle = {};
      cycle.self = cycle;
      const reason = new RangeError("the page's own");
      const throwing = { toJSON() { throw reason; } };
      const bad = (data, protocol = "org-iso-mdoc") => navigator.credentials.get(options({ protocol, data }));
      const found = [];
      for (const data of [{ one: 1n }, cycle, () => 1, throwing]) {
        await presentment.simulateActivation();
        const error = await bad(data).catch((error) => error);
        found.push(error === reason || error instanceof TypeError, navigator.userActivation.isActive);
      }
      const first = await outcome(() => bad({ one: 1n }));
      const early = [await outcome(() => bad(1n)), await outcome(() => bad(Symbol("x"))),
                     await outcome(() => bad(throwing, "unknown"))];
      return [first, found, early];
     """, ["NotAllowedError", [True, False] * 4, ["TypeError"] * 3]),
    ("the argument is converted as Web IDL does", """
      const call = (argument) => outcome(() => navigator.credentials.get(argument));
      const getter = { get data() { throw new RangeError(); }, protocol: "org-iso-mdoc" };
      const error = await navigator.credentials.get(options(getter)).catch((error) => error.name);
      return [await call({ digital: null }), await call({ digital: { requests: 5 } }),
              await call({ ...options(MDOC), signal: {} }), await call({ digital: { requests: new Set([MDOC]) } }),
              await call(options({ protocol: { toString: () => "org-iso-mdoc" }, data: MDOC.data })), error];
     """, ["TypeError", "TypeError", "TypeError", "NotAllowedError", "NotAllowedError", "RangeError"]),
    ("the person declines", """
      await wallet({ action: "decline" });
      await presentment.simulateActivation();
      return outcome(get);
     """, "NotAllowedError"),
    ("an abort has its own reason, ten times", """
      await wallet({ action: "wait" });
      const found = new Set();
      for (let round = 0; round < 10; round += 1) {
        await presentment.simulateActivation();
        const controller = new AbortController();
        const call = navigator.credentials.get({ ...options(MDOC), signal: controller.signal });
        const reason = new RangeError(`round ${round}`);
        if (round % 2) await new Promise((resolve) => { setTimeout(resolve, 60); });
        controller.abort(reason);
        found.add(await call.catch((error) => error === reason));
      }
      return [...found];
     """, [True]),
    ("an aborted signal comes before the list of requests", """
      return outcome(() => navigator.credentials.get({ ...options(), signal: AbortSignal.abort() }));
     """, "AbortError"),
    ("one call is pending at a time", """
      await presentment.simulateActivation();
      const controller = new AbortController();
      const first = outcome(() => navigator.credentials.get({ ...options(MDOC), signal: controller.signal }));
      await new Promise((resolve) => { setTimeout(resolve, 100); });
      await presentment.simulateActivation();
      const second = await outcome(get);
      controller.abort();
      return [second, await first];
     """, ["NotAllowedError", "AbortError"]),
    ("a frame of the page's origin that loads no script", """
      const made = await frame({ src: "about:blank" });
      const scope = made.contentWindow;
      await wallet({ action: "decline", context: scope });
      await presentment.simulateActivation();
      const call = () => scope.navigator.credentials.get(options(MDOC));
      const first = await outcome(call, scope);
      await wallet({ action: "respond", protocol: "org-iso-mdoc", response: { of: "frame" }, context: scope });
      await presentment.simulateActivation();
      const second = await outcome(call, scope);
      const { credentials } = scope.navigator;
      const [DOMException, TypeError, Error] = [scope.DOMException, scope.TypeError, scope.Error];
      made.remove();
      const removed = await outcome(() => credentials.get(options(MDOC)), { DOMException, TypeError, Error });
      return [first, second, removed];
     """, ["NotAllowedError", {"of": "frame"}, "InvalidStateError"]),
    ("a frame that is removed while its call is pending", """
      const made = await frame({ src: "/frame.html" });
      await wallet({ action: "wait", context: made.contentWindow });
      const scope = made.contentWindow;
      const realm = { DOMException: scope.DOMException, TypeError: scope.TypeError, Error: scope.Error };
      await scope.presentment.simulateActivation();
      const call = outcome(() => scope.navigator.credentials.get(options(MDOC)), realm);
      await new Promise((resolve) => { setTimeout(resolve, 150); });
      made.remove();
      const first = await call;
      // The browser is free again.
      await wallet({ action: "respond", protocol: "org-iso-mdoc", response: {} });
      let second = null;
      while (JSON.stringify(second) !== "{}") {
        await presentment.simulateActivation();
        second = await outcome(get);
      }
      return [first, second];
     """, ["AbortError", {}]),
    ("frames of another origin, by their policy, and their own behavior", """
      await wallet({ action: "decline" });
      const found = [];
      for (const allow of [null, "digital-credentials-get", "digital-credentials-get 'none'"]) {
        const made = await frame({ src: "OTHER/frame.html", ...(allow !== null && { allow }) });
        const context = made.contentWindow;
        await wallet({ action: "respond", protocol: "org-iso-mdoc", response: { of: "frame" }, context });
        found.push(await callIn(made));
        made.remove();
      }
      return found;
     """, ["NotAllowedError", {"of": "frame"}, "NotAllowedError"]),
    ("a frame with an opaque origin", """
      const made = await frame({ src: "/frame.html", sandbox: "allow-scripts", allow: "digital-credentials-get *" });
      return callIn(made);
     """, "SecurityError"),
    ("the behavior of the session, and none", """
      await wallet({ action: "clear" });
      await wallet({ action: "respond", protocol: "org-iso-mdoc", response: { of: "session" }, context: null });
      await presentment.simulateActivation();
      const first = await outcome(get);
      await wallet({ action: "clear", context: null });
      const refused = await wallet({ action: "respond" }).catch((error) => error.name);
      return [first, refused];
     """, [{"of": "session"}, "invalid argument"]),
    ("calls reach the browser in their order", """
      await wallet({ action: "wait" });
      const controller = new AbortController();
      await presentment.simulateActivation();
      const first = outcome(() => navigator.credentials.get({ ...options(MDOC), signal: controller.signal }));
      await presentment.simulateActivation();
      const second = await outcome(get);
      controller.abort();
      return [await first, second];
     """, ["AbortError", "NotAllowedError"]),
    ("the methods of an issuance, without an issuer's app", """
      await wallet({ action: "clear" });
      const requests = [{ protocol: "openid4vci-v1", data: {} }];
      const create = (signal) => navigator.credentials.create({ digital: { requests }, signal });
      const issue = (signal) => DigitalCredential.issue({ requests, signal });
      const found = [];
      for (const call of [create, issue]) {
        found.push(await outcome(call));
        await presentment.simulateActivation();
        const refused = await call().catch((error) => [error.name, error.message.includes("openid4vci-v1")]);
        await presentment.simulateActivation();
        const controller = new AbortController();
        const late = outcome(() => call(controller.signal));
        controller.abort();
        found.push(...refused, await late, navigator.userActivation.isActive);
      }
      const empty = [await outcome(() => navigator.credentials.create(options())),
                     await outcome(() => DigitalCredential.issue({ requests: [] })),
                     await outcome(() => DigitalCredential.issue())];
      return [found, empty];
     """, [["NotAllowedError", "NotAllowedError", True, "AbortError", False] * 2,
           ["TypeError", "NotAllowedError", "TypeError"]]),
    ("the methods of an issuance, with a virtual wallet", """
      await wallet({ action: "respond", protocol: "openid4vci-v1", response: { state: "offered" } });
      const requests = [{ protocol: "openid4vci-v1", data: {} }];
      await presentment.simulateActivation();
      const created = await navigator.credentials.create({ digital: { requests } });
      await presentment.simulateActivation();
      const issued = await DigitalCredential.issue({ requests });
      await wallet({ action: "clear" });
      return [created instanceof DigitalCredential, created.data, issued instanceof DigitalCredential,
              issued instanceof DigitalCredentialIssuanceResponse, issued.protocol, issued.data];
     """, [True, {"state": "offered"}, False, True, "openid4vci-v1", {"state": "offered"}]),
    ("a policy that the real browser does not know", """
      const found = [];
      for (const allow of ["", "digital-credentials-issue", "digital-credentials-issue 'none'"]) {
        const { contentWindow } = await frame({ src: "/frame.html", allow });
        await contentWindow.presentment.simulateActivation();
        const { TypeError, DOMException, Error } = contentWindow;
        const call = () => contentWindow.DigitalCredential.issue({ requests: [] });
        found.push(await outcome(call, { TypeError, DOMException, Error }));
      }
      return found;
     """, ["TypeError", "TypeError", "NotAllowedError"]),
    ("the interface", """
      const made = () => { try { new DigitalCredential(); } catch (error) { return error.name; } };
      return [DigitalCredential.userAgentAllowsProtocol("org-iso-mdoc"),
              DigitalCredential.userAgentAllowsProtocol("protocol.banana"), made()];
     """, [True, False, "TypeError"]),
]

# The same with another browser.
SAFARI = [
    ("the person declines in Safari 26.0", """
      await wallet({ action: "decline" });
      await presentment.simulateActivation();
      return outcome(get);
     """, "AbortError"),
    ("Safari 26.0 does not issue", """
      const create = (signal) => navigator.credentials.create({ ...options(MDOC), signal });
      return [typeof DigitalCredential.issue, "issue" in DigitalCredential,
              typeof DigitalCredentialIssuanceResponse, await outcome(create),
              await outcome(() => create(AbortSignal.abort()))];
     """, ["undefined", False, "undefined", "NotSupportedError", "AbortError"]),
    ("Safari 26.0 allows one protocol", """
      return ["org-iso-mdoc", "openid4vp-v1-signed"].map((name) => DigitalCredential.userAgentAllowsProtocol(name));
     """, [True, False]),
]

FRAME = """
<script type="module">
  addEventListener("message", async ({ data, source }) => {
    if (!data.options) return;
    let result;
    try {
      await presentment.simulateActivation();
      result = (await navigator.credentials.get(data.options)).toJSON().data;
    } catch (error) {
      result = error.name;
    }
    source.postMessage(result, "*");
  });
</script>
"""


def serve(pages):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            page = pages.get(self.path)
            content = (page or "").encode()
            self.send_response(200 if page else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def check(demo):
    """Runs the steps in pages of the server."""
    world = demo.api("/api/worlds", {"world": "any-site"})["id"]

    def page(body, more=""):
        source = f"http://demo.localhost:{demo.port}/presentment.js"
        return (f'<!doctype html><title>A page</title><link rel="icon" href="data:,"><script src="{source}" '
                f'data-world="{world}" data-overlay="none" {more}></script><body>{body}</body>')

    safari = 'data-browser="safari-26.0"'
    server = serve({"/": page(""), "/frame.html": page(FRAME), "/safari": page("", safari)})
    port = server.server_address[1]
    try:
        for path, steps in [("/", STEPS), ("/safari", SAFARI)]:
            demo.page.goto(f"http://site.localhost:{port}{path}")
            for name, script, expected in steps:
                found = demo.run(HELPERS + script.replace("OTHER", f"http://other.localhost:{port}"))
                assert found == expected, f"{name}: {json.dumps(found)} instead of {json.dumps(expected)}"
    finally:
        server.shutdown()
        server.server_close()
