// A frame, which calls through the page at the top.

import { consume } from "./activation.js";
import { startCall } from "./calls.js";
import { context } from "./documents.js";
import { setProfile } from "./interfaces.js";
import { shownAddress } from "./server.js";
import { isFramed } from "./settings.js";

/** The time in which the page at the top answers if it has the script, in milliseconds. */
const GREETING = 2_000;

let portToTop = null;

/** The port to the page at the top, also of one that has answered late. */
export const currentPort = () => portToTop;

/** Greets the page at the top. It resolves to a port, or to null if that page does not have the script. */
function greet() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const late = setTimeout(() => resolve(null), GREETING);
    port1.onmessage = ({ data }) => {
      if (data.consume) consume();
      if (!data.welcome) return;
      setProfile(data.profile);
      clearTimeout(late);
      portToTop = port1;
      resolve(port1);
    };
    const address = shownAddress(location.href);
    window.top.postMessage({ presentment: "greeting", context, url: address }, "*", [port2]);
  });
}

/** The port to the page at the top, or null without such a page. */
export const atTop = isFramed ? greet() : Promise.resolve(null);

function startCallThrough(port, body, abortion) {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
  port.postMessage({ call: body, abort: abortion }, [port2]);
  return { answer, abort: (message) => port1.postMessage({ abort: message }) };
}

/** Starts a call before it is known whether there is a page at the top to call through. */
export function start(body) {
  if (!isFramed) return startCall(body);
  let abortion = null;
  let call = null;
  const answer = atTop.then((port) => {
    call = port ? startCallThrough(port, body, abortion) : startCall(body);
    if (abortion !== null && !port) call.abort(abortion);
    return call.answer;
  });
  return {
    answer,
    abort(message, isLeaving) {
      abortion = message;
      call?.abort(message, isLeaving);
    },
  };
}
