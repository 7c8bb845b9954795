// The page at the top, through which its frames call.

import { activate, consumeEverywhere } from "./activation.js";
import { startCall } from "./calls.js";
import { context, frames } from "./documents.js";
import { currentProfile } from "./interfaces.js";
import { feature, isAllowed } from "./policy.js";
import { joinFor, leave, whenJoined } from "./server.js";
import { setWallet } from "./wallet.js";

/** Answers the greeting of a frame. */
export function welcome(event) {
  const { context: name, url } = event.data;
  const [port] = event.ports;
  for (const source of frames.keys()) if (source.closed) frames.delete(source);
  const parent = frames.get(event.source.parent)?.name ?? context;
  const frame = { name, parent, url, port };
  frames.set(event.source, frame);
  whenJoined().then(() => joinFor(frame)).catch(() => {});
  port.onmessage = ({ data, ports }) => {
    if (data.activate) activate();
    if (data.left) { leave(name); frames.delete(event.source); }
    if (data.wallet) setWallet(data.wallet).then(() => ports[0].postMessage({}), (error) =>
      ports[0].postMessage({ error: { name: error.name, message: error.message } }));
    if (data.call) callFor(event, data.call, data.abort, ports[0]);
  };
  const reply = (profile) => port.postMessage({ welcome: true, profile });
  whenJoined().then(() => reply(currentProfile()), () => reply());
}

/** Makes a call of a frame. The browser vouches for the frame's origin, and this page for its attention. */
function callFor({ source, origin }, { caller, ...body }, abortion, port) {
  const element = [...document.querySelectorAll("iframe")].find((one) => one.contentWindow === source);
  const isGranted = element ? isAllowed(element, feature(body.method), origin) : origin === location.origin;
  const call = startCall({
    ...body,
    caller: {
      isAllowedByPolicy: isGranted, ...caller, frameOrigin: origin,
      hasUserAttention: caller.hasUserAttention && document.hasFocus(),
    },
  });
  if (abortion !== null) call.abort(abortion);
  port.onmessage = ({ data }) => call.abort(data.abort);
  // A frame that was removed cannot tell it in every browser.
  const watch = setInterval(() => { if (source.closed) call.abort("The frame was removed."); }, 500);
  call.answer.then((answer) => {
    clearInterval(watch);
    port.postMessage(answer);
    if (answer.consumesActivation) consumeEverywhere();
  });
}
