// Lets any local page call the Digital Credentials API with a simulated browser and phone.
//
//   <script src="http://demo.localhost:PORT/presentment.js" data-world="ID" data-overlay="auto"></script>
//
// It replaces navigator.credentials.get and create for calls with `digital`, and passes every other call to the
// browser. Where the simulated browser has DigitalCredential.issue, the page has it too.
//   data-world     the world that answers, by its name in the server's folder; the default is the server's
//   data-scenario  a scenario of that folder, in whose world the page takes part, with its faults
//   data-fault     faults for the page's calls, by their ids with spaces between them, for example issuer.expired
//   data-device    the device of that world, if it has several
//   data-browser   the profile of the simulated browser, such as safari-26.0; the default is the world's
//   data-test      the test that the page belongs to: it shares its world with pages of that test only. Without a name,
//                  the pages of a tab are a test. The parameter presentment-test in the page's address has a name, too,
//                  and so has an item of the session storage
//   data-overlay   auto: shows the phone over the page while a call is pending, unless the page is framed; none: never
//
// The results of a call besides a credential and the exceptions of the simulated browser:
//   NetworkError   the demo's server cannot be reached (or the page's policy forbids it)
//   UnknownError   the server refused the call; the message contains its text and its code
//   signal.reason  the page aborted
// A page that is left aborts its calls, so that the phone closes its sheet.
//
// Frames that load the script call through the page at the top, which has one browser for all of them. The script
// also acts for frames of the page's origin that do not load it.
//
// For tests, window.presentment has
//   setVirtualWalletBehavior({ action, protocol, response, context })
//                              as in WebDriver BiDi; the context is this document by default, a window for one of its
//                              frames, or null for all of the browser
//   simulateActivation()       a user activation without a gesture
//   context                    the document's name in WebDriver BiDi
//   setFaults(names)           the faults for the page's next calls, in place of those before
//   perform(step)              does a step of the scenario language, as text or as an object
//   getCalls()                 the calls in the page's world: what was asked and released, and who noticed what
//   getTrace(), getArchive()   everything that happened as a page of HTML; the calls as an HTTP Archive
//   reset()                    ends the page's world, with its faults and the wallet's behavior; the page joins another
//   test                       the name of the test that the page belongs to, or null
//   ready                      a promise that the document has joined its world
//
// A page with a content security policy needs, for the demo's origin: script-src, connect-src and (overlay) frame-src.

(() => {
  "use strict";

/* modules */
})();
