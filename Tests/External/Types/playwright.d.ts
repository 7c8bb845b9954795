// The part of Playwright Test that the fixture and its example use, as its documentation declares it.
declare module "@playwright/test" {
  export interface Locator { click(): Promise<void> }
  export interface Page { goto(url: string): Promise<unknown>; locator(selector: string): Locator }
  export interface BrowserContext {
    addInitScript<Argument>(script: (argument: Argument) => unknown, argument?: Argument): Promise<void>;
  }
  export interface TestInfo {
    readonly status?: "passed" | "failed" | "timedOut" | "skipped" | "interrupted";
    readonly expectedStatus: "passed" | "failed" | "timedOut" | "skipped" | "interrupted";
    attach(name: string, options?: { body?: string | Uint8Array; contentType?: string; path?: string }): Promise<void>;
  }
  type Fixture<Value, Others> =
    (others: Others, use: (value: Value) => Promise<void>, testInfo: TestInfo) => Promise<void>;
  export interface TestType<Fixtures> {
    (title: string, body: (fixtures: Fixtures, testInfo: TestInfo) => Promise<void> | void): void;
    extend<Added>(added: { [Name in keyof Added]: Fixture<Added[Name], Fixtures & Added> }): TestType<Fixtures & Added>;
  }
  export const test: TestType<{ page: Page; context: BrowserContext }>;
  export function expect(actual: Locator): { toHaveText(text: string): Promise<void> };
  export function expect(actual: unknown): { toEqual(expected: unknown): void };
}
declare const process: { env: Record<string, string | undefined> };
