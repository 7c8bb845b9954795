// The permissions policy of frames.

export const feature = (method) => `digital-credentials-${method}`;

/**
 * Permissions Policy, "process policy attributes", for a feature that the real browser does not know: whether the
 * attribute of a frame allows it for the frame's origin. Headers cannot be read here.
 */
export function isAllowed({ allow, src }, name, origin) {
  const directives = allow.split(";").map((one) => one.trim().split(/\s+/));
  const list = directives.findLast(([first]) => first.toLowerCase() === name)?.slice(1);
  if (!list) return origin === location.origin;
  const source = () => {
    try {
      const { origin: found } = new URL(src, location.href);
      return found === "null" ? location.origin : found;
    } catch {
      return null;
    }
  };
  return (list.length ? list : ["'src'"]).some((one) => {
    if (one === "*") return true;
    if (one === "'self'") return origin === location.origin;
    // An opaque origin is the frame's own, wherever its content comes from.
    if (one === "'src'") return origin === "null" || origin === source();
    try { return new URL(one).origin === origin; } catch { return false; }
  });
}
