// The methods of the API in a window.

import { consume, consumeEverywhere, isActivated } from "./activation.js";
import { context, sides } from "./documents.js";
import { currentProfile, makeCredential, makeException } from "./interfaces.js";
import { isObject, readOptions } from "./options.js";
import { feature, isAllowed } from "./policy.js";
import { isFramed } from "./settings.js";
import { start } from "./top.js";

const isFullyActive = (scope) => scope === window ? Boolean(document.defaultView) : !scope.closed;
const reasonText = (reason) => String(reason?.message ?? reason ?? "").slice(0, 200);

/** What the window's document knows of itself at a call. */
function facts(scope, method, signal) {
  const policy = scope.document.permissionsPolicy ?? scope.document.featurePolicy;
  const name = feature(method);
  const isKnown = policy?.features?.().includes(name);
  const element = scope === window ? null : scope.frameElement;
  return {
    context: sides.get(scope)?.context ?? context,
    ...(scope !== window && { frameOrigin: scope.origin }),
    hasUserAttention: scope.document.visibilityState === "visible" && (isFramed || document.hasFocus()),
    hasTransientActivation: isActivated(),
    ...(isKnown && { isAllowedByPolicy: policy.allowsFeature(name) }),
    ...(!isKnown && element && { isAllowedByPolicy: isAllowed(element, name, scope.origin) }),
    ...(signal?.aborted && { aborted: { name: "AbortError", message: reasonText(signal.reason) } }),
  };
}

/** A call of a method of the API with the argument of the page. */
export function makeCall(scope, method, argument) {
  return new scope.Promise((resolve, reject) => {
    const options = argument ?? {};
    if (!isObject(options)) return reject(new scope.TypeError("The argument is not an object."));
    const { thrown, signal, ...read } = readOptions(method, options);
    if (!isFullyActive(scope)) return reject(makeException(scope, currentProfile().inactive));
    const caller = facts(scope, method, signal);
    const call = start({ method, ...read, gesture: caller.hasTransientActivation, caller });
    const abort = () => call.abort(reasonText(signal.reason));
    const leaving = () => {
      call.abort("The page was left.", true);
      finish();
      reject(makeException(scope, currentProfile().gone));
    };
    const finish = () => {
      signal?.removeEventListener("abort", abort);
      scope.removeEventListener("pagehide", leaving);
    };
    if (!signal?.aborted) signal?.addEventListener("abort", abort);
    scope.addEventListener("pagehide", leaving);
    call.answer.then(({ credential, exception, consumesActivation }) => {
      finish();
      if (consumesActivation) isFramed ? consume() : consumeEverywhere();
      if (credential) return resolve(makeCredential(scope, method, credential));
      const { name, message } = exception;
      const index = /requests\[(\d+)\]\.data (?:has|contains) /.exec(message)?.[1];
      if (thrown[index]) return reject(thrown[index].error);
      const isAbort = signal?.aborted && name === "AbortError" && message === reasonText(signal.reason);
      return reject(isAbort ? signal.reason : makeException(scope, exception));
    });
  });
}
