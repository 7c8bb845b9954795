// Calls the fixture for Playwright Test as its runner does, which Playwright's package for Python does not have.
//
// usage: playwright_fixture.mjs FIXTURE PAGE BIDI FOLDER. Writes the attachments of a test that fails to the folder.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const [fixture, address, bidi, folder] = process.argv.slice(2);
process.env.PRESENTMENT_BIDI = bidi;
const { chromium } = createRequire(import.meta.url)(join(dirname(process.execPath), "package"));
const RUNNER = "export const test = { extend: (fixtures) => fixtures }; export const expect = null;";
registerHooks({
  resolve: (name, context, next) => name === "@playwright/test"
    ? { url: `data:text/javascript,${encodeURIComponent(RUNNER)}`, shortCircuit: true } : next(name, context),
});
const { test } = await import(pathToFileURL(fixture));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM, chromiumSandbox: process.getuid() !== 0, args: ["--disable-dev-shm-usage"],
});

async function run(body, outcome = {}) {
  const attachments = [];
  const testInfo = { status: "passed", expectedStatus: "passed", ...outcome,
    attach: async (name, { body }) => { attachments.push([name, body]); } };
  const context = await browser.newContext();
  // The caller ends a program that waits without end.
  context.setDefaultTimeout(0);
  const use = async (phone) => {
    const page = await context.newPage();
    const verify = async () => {
      await page.goto(address);
      await page.locator("#verify").click();
      await page.waitForFunction(() => document.querySelector("#result").textContent !== "");
      return page.locator("#result").textContent();
    };
    await body(phone, verify);
    await page.close();
  };
  await test.phone({ context }, use, testInfo);
  await context.close();
  return attachments;
}

// Two tests at once.
const passed = await Promise.all([
  run(async (phone, verify) => {
    await phone.accept();
    assert.equal(await verify(), "Hello, Kelly");
    const [call] = await phone.calls();
    assert.deepEqual(call.elements.map(({ identifier, isRetained, isReleased }) => [identifier, isRetained, isReleased]),
      [["age_over_21", false, true], ["given_name", true, true]]);
  }),
  run(async (phone, verify) => {
    await phone.setFaults("wallet.value-changed");
    await phone.accept();
    assert.equal(await verify(), "Refused: element.digest");
    await phone.setFaults();
    await phone.perform({ person: { "switches-off": "Wallet" } });
    assert.equal(await verify(), "Your browser did not hand over an ID.");
    const [, call] = await phone.calls();
    assert.deepEqual([call.outcome, call.exception.name, call.offered], ["exception", "NotAllowedError", []]);
    await assert.rejects(phone.accept("Walet"), /invalid argument: .*did you mean 'Wallet'/);
  }),
]);
assert.deepEqual(passed, [[], []]);
const left = await run(async (phone, verify) => {
  await phone.accept();
  await verify();
}, { status: "failed" });
assert.deepEqual(left.map(([name]) => name), ["trace-1.html", "calls.har"]);
for (const [name, body] of left) writeFileSync(join(folder, name), body);
await browser.close();
