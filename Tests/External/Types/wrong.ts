// Uses of the fixture that the types must refuse: a line without an error is one for the compiler.

import { test } from "./presentment-playwright";

test("what the phone does not do", async ({ phone }) => {
  // @ts-expect-error: a fault has a name.
  await phone.setFaults(7);
  // @ts-expect-error: there is no such function.
  await phone.sendsNothing();
  const [call] = await phone.calls();
  // @ts-expect-error: a call has no such outcome.
  const outcome: "refused" = call.outcome;
  // @ts-expect-error: an element has no value, which stays between the app and the server.
  call.elements.map(({ value }) => value);
  // @ts-expect-error: in a page, a behavior says what it does.
  await window.presentment.setVirtualWalletBehavior({ "presentment:app": "Wallet", outcome });
  await window.presentment.setVirtualWalletBehavior({ action: "decline" });
});
