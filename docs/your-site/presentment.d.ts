// The types of `window.presentment` in a page with presentment.js, and of the calls that tests see.

/** A call of a page: what was asked and released, and who noticed what. */
export interface PresentmentCall {
  number: number;
  origin: string;
  outcome: "pending" | "credential" | "exception";
  /** What the page got in place of a credential. */
  exception?: { name: string; message: string };
  /** The requester and the elements as the app showed them, if one asked the person. */
  requester?: string;
  app?: string;
  elements: {
    documentType: string; nameSpace: string; identifier: string; isRetained: boolean; isReleased: boolean;
  }[];
  /** The apps that the selector offered and hid. */
  offered: string[];
  hidden: { app: string; code: string; message: string }[];
  /** The faults that acted since the call before, and the checks that failed or found a deviation. */
  faults: { fault: string; title: string; reasonNotApplied?: string }[];
  findings: { party: string; code: string; status: "failed" | "deviates"; message: string }[];
  conclusion?: { title: string; text: string; tone: "good" | "bad" | "warning" | "calm"; code?: string };
}

/** What the virtual wallet does with calls; `context` is a window, its name, or null for all of the browser. */
export type VirtualWalletBehavior = { context?: Window | string | null } & (
  | { action: "respond"; "presentment:app": string; "presentment:decision"?: "authorize" | "decline" }
  | { action: "respond"; protocol: string; response: object }
  | { action: "decline" | "wait" | "clear" });

/** What presentment.js gives to tests in a page. */
export interface Presentment {
  readonly context: string;
  readonly ready: Promise<void>;
  readonly test: string | null;
  setVirtualWalletBehavior(behavior: VirtualWalletBehavior): Promise<void>;
  simulateActivation(): Promise<void>;
  setFaults(names: string[]): Promise<void>;
  perform(step: string | object): Promise<void>;
  getCalls(): Promise<PresentmentCall[]>;
  getTrace(): Promise<string>;
  getArchive(): Promise<object>;
  reset(): Promise<void>;
}

declare global {
  interface Window { readonly presentment: Presentment }
}
