// A fixture for Playwright Test: the simulated phone of a test of your site. It needs Node.js 22 or later.
//
//   import { expect, test } from "./presentment-playwright";
//
//   test("a person shares what the site asks for", async ({ page, phone }) => {
//     await phone.accept();
//     await page.goto("http://localhost:9000/with-presentment-js.html");
//     await page.locator("#verify").click();
//     await expect(page.locator("#result")).toHaveText("Hello, Kelly");
//     const [call] = await phone.calls();
//     expect(call.elements.map(({ identifier }) => identifier)).toEqual(["age_over_21", "given_name"]);
//   });
//
// All workers use one `presentment serve --bidi 8081`, or the one that PRESENTMENT_BIDI names. A test that fails gets a
// trace of each page and the calls as an HTTP Archive as its attachments.

import { test as base } from "@playwright/test";
import type { PresentmentCall, VirtualWalletBehavior } from "./presentment.js";

export { expect } from "@playwright/test";

const SERVER = process.env.PRESENTMENT_BIDI ?? "ws://127.0.0.1:8081/session";

/** The simulated phone of a test. Its worlds end with it. */
export class Phone {
  private readonly socket: WebSocket;
  private readonly pending = new Map<number, (answer: any) => void>();
  private number = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.onmessage = ({ data }) => {
      const answer = JSON.parse(data);
      this.pending.get(answer.id)?.(answer);
      this.pending.delete(answer.id);
    };
  }

  static async begin(test: string): Promise<Phone> {
    const socket = new WebSocket(SERVER);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = () => reject(new Error(`${SERVER} does not answer: start presentment serve --bidi`));
    });
    const phone = new Phone(socket);
    await phone.command("session.new", { capabilities: { alwaysMatch: { "presentment:test": test } } });
    return phone;
  }

  async end(): Promise<void> {
    await this.command("session.end", {});
    this.socket.close();
  }

  /** The person picks an app and agrees. */
  accept(app = "Wallet") { return this.behave({ action: "respond", "presentment:app": app }); }
  /** The person declines. */
  decline() { return this.behave({ action: "decline" }); }
  /** The person does nothing. */
  wait() { return this.behave({ action: "wait" }); }

  /** Replaces the faults for the next calls, for example "wallet.value-changed". */
  async setFaults(...faults: string[]): Promise<void> { await this.command("presentment:test.setFaults", { faults }); }
  /** Does a step of the scenario language, for example { person: { "switches-off": "Wallet" } }. */
  async perform(step: string | object): Promise<void> { await this.command("presentment:test.perform", { step }); }

  /** The calls so far: what was asked and released, and who noticed what. */
  async calls(): Promise<PresentmentCall[]> { return (await this.command("presentment:test.getCalls", {})).calls; }
  /** Everything that happened, as a page of HTML for each page of the test. */
  async traces(): Promise<{ origin: string; page: string }[]> {
    return (await this.command("presentment:test.getTrace", {})).traces;
  }
  /** The calls so far as an HTTP Archive. */
  async archive(): Promise<object> { return (await this.command("presentment:test.getArchive", {})).archive; }

  private async behave(behavior: VirtualWalletBehavior): Promise<void> {
    await this.command("digitalCredentials.setVirtualWalletBehavior", behavior);
  }

  private async command(method: string, params: object): Promise<any> {
    this.number += 1;
    const { number } = this;
    const answered = new Promise<any>((resolve) => { this.pending.set(number, resolve); });
    this.socket.send(JSON.stringify({ id: number, method, params }));
    const answer = await answered;
    if (answer.type === "error") throw new Error(`${method}: ${answer.error}: ${answer.message}`);
    return answer.result;
  }
}

export const test = base.extend<{ phone: Phone }>({
  phone: async ({ context }, use, testInfo) => {
    const name = crypto.randomUUID();
    await context.addInitScript((name) => {
      // Sandboxed frames have no session storage.
      try { sessionStorage.setItem("presentment-test", name); } catch {}
    }, name);
    const phone = await Phone.begin(name);
    await use(phone);
    if (testInfo.status !== testInfo.expectedStatus) {
      for (const [index, { page }] of (await phone.traces()).entries()) {
        await testInfo.attach(`trace-${index + 1}.html`, { body: page, contentType: "text/html" });
      }
      const body = JSON.stringify(await phone.archive());
      await testInfo.attach("calls.har", { body, contentType: "application/json" });
    }
    await phone.end();
  },
});
