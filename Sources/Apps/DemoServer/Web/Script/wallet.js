// The virtual wallet of WebDriver BiDi, which a test gives a behavior.

import { context, nameOf } from "./documents.js";
import { post, refusal, whenJoined, whereJoined } from "./server.js";
import { device } from "./settings.js";
import { atTop } from "./top.js";

export async function setWallet({ context: target = context, ...behavior }) {
  await whenJoined();
  const named = target === null ? {} : { context: typeof target === "string" ? target : await nameOf(target) };
  const plain = Object.entries({ ...behavior, ...named, device }).filter(([, value]) => value != null);
  await whereJoined(async () => {
    const response = await post("/virtual-wallet", Object.fromEntries(plain));
    if (response.ok) return;
    const { message, code } = await response.json();
    throw refusal(Object.assign(new Error(message), { name: code }), code);
  });
}

export async function setVirtualWalletBehavior(behavior) {
  const port = await atTop;
  if (!port) return setWallet(behavior);
  const { port1, port2 } = new MessageChannel();
  const told = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
  const { context: target = context } = behavior;
  port.postMessage({ wallet: { ...behavior, context: target } }, [port2]);
  const { error } = await told;
  if (error) throw Object.assign(new Error(error.message), { name: error.name });
  return undefined;
}
