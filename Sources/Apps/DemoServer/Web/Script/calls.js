// Calls that go to the server from the page at the top.

import { makeName } from "./documents.js";
import { Overlay } from "./overlay.js";
import { ask, post, whereJoined } from "./server.js";
import { device, wantsOverlay } from "./settings.js";

/** The time that a call has to reach the server before the next one is sent, in milliseconds. */
const HEAD_START = 250;
/** A call that ends sooner, as with a virtual wallet, does not show the phone. */
const SOON = 120;

/** Whether the call before has reached the server: requests on connections of their own can overtake each other. */
let reached = Promise.resolve();

function takeTurn() {
  const before = reached;
  let pass;
  reached = new Promise((resolve) => { pass = resolve; });
  return { before, pass };
}

/** A call of the page or of a frame: `answer` is the server's, or a failure as an exception; `abort` aborts it. */
export function startCall(body) {
  const name = makeName();
  const connection = new AbortController();
  let isSent = false;
  let isOver = false;
  let abortion = null;
  let overlay = null;
  let timer = null;
  let giveUp;
  const given = new Promise((resolve) => { giveUp = (exception) => resolve({ exception }); });
  const aborted = () => ({ name: "AbortError", message: abortion });
  const showPhone = () => {
    overlay = new Overlay(() => {
      giveUp({ name: "NotAllowedError", message: "The person cancelled." });
      connection.abort();
    });
  };
  const hidePhone = () => {
    clearTimeout(timer);
    overlay?.close();
    overlay = null;
  };
  const turn = takeTurn();
  const send = async () => {
    await turn.before;
    isSent = true;
    setTimeout(turn.pass, HEAD_START);
    if (wantsOverlay && abortion === null) timer = setTimeout(showPhone, SOON);
    const more = { ...(device && { device }), ...(abortion !== null && { abort: abortion }) };
    try {
      return await ask("/calls", { ...body, ...more },
        { headers: { "X-Presentment-Call": name }, signal: connection.signal });
    } finally {
      hidePhone();
    }
  };
  const sent = whereJoined(send).catch((exception) => ({ exception })).finally(turn.pass);
  const answer = Promise.race([sent, given]).finally(() => { isOver = true; hidePhone(); });
  return {
    answer,
    abort(message, isLeaving = false) {
      if (abortion !== null) return;
      abortion = message;
      if (!isSent) return;
      // Closing the connection also ends the call, if the server does not know the call or is out of reach.
      const end = () => { connection.abort(); giveUp(aborted()); };
      const tell = async (left) => {
        const { ok } = await post(`/calls/${name}/abort`, { message }, { keepalive: true });
        if (ok || isOver) return;
        // The call may be on its way to the server still, or its answer on the way back.
        if (left === 0) end();
        else setTimeout(() => isOver || tell(left - 1).catch(end), 50);
      };
      tell(20).catch(end);
      if (isLeaving) connection.abort();
    },
  };
}
