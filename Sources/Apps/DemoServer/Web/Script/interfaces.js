// The interfaces of results, each made in the realm of its window, and the profile that decides which of them exist.

import { makeName } from "./documents.js";
import { PROFILES, wantedBrowser } from "./settings.js";

const RESPONSE = "DigitalCredentialIssuanceResponse";

let profile = PROFILES[wantedBrowser] ?? Object.values(PROFILES)[0];

const credentials = new WeakMap();
/** The interfaces of each window, which a page can replace in the window. */
const interfaces = new WeakMap();
const installed = [];

/** A class of results without a constructor, with read-only attributes. */
function makeInterface(scope, title, base, attributes) {
  const slotsOf = (result) => {
    const slots = credentials.get(result);
    if (!slots) throw new scope.TypeError("Illegal invocation");
    return slots;
  };
  const made = { [title]: class extends base {
    constructor() {
      throw new scope.TypeError("Illegal constructor");
    }

    toJSON() {
      const { protocol, data } = slotsOf(this);
      return { protocol, data };
    }
  } }[title];
  for (const name of attributes) {
    const attribute = { get() { return slotsOf(this)[name]; }, enumerable: true, configurable: true };
    Object.defineProperty(made.prototype, name, attribute);
  }
  Object.defineProperty(made.prototype, Symbol.toStringTag, { value: title, configurable: true });
  return made;
}

function makeInterfaces(scope, issue) {
  const base = scope.Credential ?? scope.Object;
  const credential = makeInterface(scope, "DigitalCredential", base, ["id", "type", "protocol", "data"]);
  const response = makeInterface(scope, RESPONSE, scope.Object, ["protocol", "data"]);
  const { userAgentAllowsProtocol } = { userAgentAllowsProtocol(protocol) {
    if (arguments.length === 0) throw new scope.TypeError("1 argument required, but only 0 present.");
    return profile.protocols.includes(`${protocol}`);
  } };
  define(credential, "userAgentAllowsProtocol", userAgentAllowsProtocol, true);
  return { credential, response, issue };
}

const define = (owner, name, value, enumerable = false) =>
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable });

/** Gives a window its interfaces; `issue` is the function of DigitalCredential.issue. */
export function addInterfaces(scope, issue) {
  const made = makeInterfaces(scope, issue);
  interfaces.set(scope, made);
  installed.push(new WeakRef(scope));
  define(scope, "DigitalCredential", made.credential);
  expose(scope);
}

/** Adds the interfaces of issuance, or removes them, as the simulated browser has them. */
function expose(scope) {
  const { credential, response, issue } = interfaces.get(scope);
  if (profile.issue === "supported") {
    define(credential, "issue", issue, true);
    define(scope, RESPONSE, response);
  } else {
    if (credential.issue === issue) delete credential.issue;
    if (scope[RESPONSE] === response) delete scope[RESPONSE];
  }
}

export const currentProfile = () => profile;

export function setProfile(known) {
  if (!known || known === profile) return;
  profile = known;
  for (const reference of installed) {
    const scope = reference.deref();
    if (scope) expose(scope);
  }
}

export function makeCredential(scope, method, { protocol, data }) {
  const { credential, response } = interfaces.get(scope);
  const result = Object.create((method === "issue" ? response : credential).prototype);
  const own = scope.JSON.parse(JSON.stringify(data));
  credentials.set(result, { id: makeName(), type: "digital", protocol, data: own });
  return result;
}

export function makeException(scope, { name, message }) {
  const isOfScript = ["TypeError", "SyntaxError"].includes(name);
  return isOfScript ? new scope[name](message) : new scope.DOMException(message, name);
}
