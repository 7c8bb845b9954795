// The vendor file of web-platform-tests' testdriver for pages that use presentment.js: a user activation without a
// gesture, and the virtual wallet. It comes after testdriver.js.
(() => {
  "use strict";

  /** A window's own functions, or those of this window for a window of another origin. */
  function presentmentOf(context) {
    try { return context?.presentment ?? window.presentment; } catch { return window.presentment; }
  }

  /** A behavior without the members that a test leaves out as null. */
  function behavior(members) {
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
  }

  const { presentment, test_driver: driver, test_driver_internal: internal } = window;
  if (!presentment || !driver) return;

  driver.bless = async (intent, action, context = null) => {
    await presentmentOf(context).simulateActivation();
    return typeof action === "function" ? action() : null;
  };

  function set(action, protocol, response, context) {
    const target = context ?? undefined;
    return presentment.setVirtualWalletBehavior({ ...behavior({ action, protocol, response }), context: target });
  }

  driver.set_virtual_wallet_behavior = (action, protocol = null, response = null, context = null) =>
    set(action, protocol, response, context);
  if (internal) internal.set_virtual_wallet_behavior = driver.set_virtual_wallet_behavior;
  // The names of the BiDi module, as testdriver spells modules and commands.
  const module = {
    set_virtual_wallet_behavior: ({ action, protocol, response, context } = {}) =>
      set(action, protocol, response, context),
  };
  if (driver.bidi) driver.bidi.digital_credentials = module;
})();
