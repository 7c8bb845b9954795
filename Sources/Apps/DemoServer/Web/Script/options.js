// The argument of a call, as the simulated browser gets it.

const OTHER_TYPES = ["federated", "identity", "otp", "password", "publicKey"];

export const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";

function isSignal(value) {
  const { get } = Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted");
  try { Reflect.apply(get, value, []); return true; } catch { return false; }
}

/**
 * The argument of a call as JSON, with markers for what JSON cannot hold, because the order of the checks is the
 * simulated browser's: `thrown` has what the serialization of each request's data threw. Throws what a getter of the
 * page throws.
 */
export function readOptions(method, options) {
  let isMarked = false;
  const thrown = [];
  const mark = (name, value) => { isMarked = true; return { [`$${name}`]: value }; };
  const plain = (value) => {
    if (typeof value === "bigint") return mark("bigint", `${value}`);
    if (typeof value === "symbol") return mark("symbol", value.description ?? "");
    return isObject(value) ? {} : value;
  };
  const serialized = (data, index) => {
    try {
      const text = JSON.stringify(data);
      return text === undefined ? mark("function", true) : JSON.parse(text);
    } catch (error) {
      thrown[index] = { error };
      const text = error instanceof TypeError ? error.message : "";
      if (/BigInt/.test(text)) return { data: mark("bigint", "") };
      return /circular|cyclic/i.test(text) ? mark("cycle", true) : mark("throws", `${error?.name ?? "Error"}`);
    }
  };
  const request = (value, index) => {
    if (!isObject(value)) return plain(value);
    const { data, protocol } = value;
    return {
      data: isObject(data) ? serialized(data, index) : plain(data),
      protocol: typeof protocol === "symbol" || protocol === undefined ? plain(protocol) : `${protocol}`,
    };
  };
  const digital = (value) => {
    if (!isObject(value)) return plain(value);
    const { requests } = value;
    const isList = isObject(requests) && requests[Symbol.iterator] != null;
    return { requests: isList ? Array.from(requests, request) : plain(requests) };
  };
  let { signal } = options;
  const read = method === "issue" ? digital(options) : { digital: digital(options.digital) };
  if (method === "get") read.mediation = plain(options.mediation);
  for (const name of method === "issue" ? [] : OTHER_TYPES) {
    const value = options[name];
    if (value !== undefined) read[name] = isObject(value) || Boolean(value);
  }
  if (signal !== undefined && !isSignal(signal)) {
    read.signal = typeof signal;
    signal = undefined;
  }
  return { options: read, ...(isMarked && { isMarked }), signal, thrown };
}
