// The API in a window, and in those of its frames that do not load the script.

import { activation, isActivated } from "./activation.js";
import { makeName, sides } from "./documents.js";
import { addInterfaces } from "./interfaces.js";
import { makeCall } from "./methods.js";

/** The windows of frames that do not load the script get the API when they load. */
function adopt(element) {
  let scope = null;
  try { scope = element.contentWindow?.document && element.contentWindow; } catch { /* Another origin. */ }
  if (!scope || scope.presentment || sides.has(scope)) return;
  sides.set(scope, { context: makeName() });
  install(scope);
}

/** Replaces the methods of a window, and gives it the interfaces of their results. */
export function install(scope) {
  if (!scope.navigator.credentials) {
    const none = { get: () => Promise.resolve(null), create: () => Promise.resolve(null) };
    Object.defineProperty(scope.navigator, "credentials", { value: none, configurable: true });
  }
  const container = scope.navigator.credentials;
  const owner = typeof scope.CredentialsContainer === "function" ? scope.CredentialsContainer.prototype : container;
  for (const name of ["get", "create"]) {
    const original = owner[name];
    const replaced = { [name](options) {
      if (options?.digital !== undefined) return makeCall(scope, name, options);
      return Reflect.apply(original, this, arguments);
    } }[name];
    Object.defineProperty(replaced, "length", { value: original.length, configurable: true });
    Object.defineProperty(owner, name, { value: replaced, writable: true, enumerable: true, configurable: true });
  }
  const { issue } = { issue(options) { return makeCall(scope, "issue", options); } };
  addInterfaces(scope, issue);
  scope.document.addEventListener("load", ({ target }) => {
    if (target instanceof scope.HTMLIFrameElement) adopt(target);
  }, true);
  if (!activation || !scope.UserActivation) return;
  Object.defineProperty(
    scope.UserActivation.prototype, "isActive", { get: isActivated, enumerable: true, configurable: true });
}
