// Names and phrases for people in place of the journal's identifiers.

const KNOWN_DOCUMENTS = {
  "org.iso.18013.5.1.mDL": "Driver’s license",
  "org.iso.23220.photoid.1": "Photo ID",
  "org.iso.23220.1.photoid": "Photo ID",
  "eu.europa.ec.eudi.pid.1": "Personal ID",
};

export const documentTitle = (type) => KNOWN_DOCUMENTS[type] ?? type;

/** Icons of known apps and parties; others get a general one. */
const KNOWN_APPS = new Set(["wallet", "local-driving-authority", "other-wallet", "passport-office"]);

export function appIcon(name) {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return KNOWN_APPS.has(slug) ? `${slug}.svg` : "app.svg";
}

/** The subjects of messages as phrases. Other messages show their subject. */
const PHRASES = {
  "root certificate": "Which is your root certificate?",
  "done": "Done",
  "certify reader": "Please certify this website",
  "reader certificate": "Certificate for the website",
  "provision document": "Please issue a document",
  "document": "A signed document",
  "registrations": "What is registered?",
  "addRegistration": "This app can answer for a document",
  "visit": "Opens the website",
  "load": "The page loads",
  "POST /presentments": "Please prepare a request",
  "201 presentment": "A signed request for an ID",
  "show page": "The page shows",
  "tap": "A tap",
  "click": "The click reaches the page",
  "navigator.credentials.get": "The page asks for an ID",
  "present document": "The browser passes the request on",
  "parse request": "Check this request, in the sandbox",
  "partial request": "Only the harmless part comes out",
  "refused": "The request is refused",
  "show selector": "Which app may answer?",
  "ISO18013MobileDocumentRequestContext": "The app learns the requester and the elements",
  "show view": "The requester, the elements, and what is stored",
  "sendResponse": "The person agreed",
  "raw request": "The full request, released only now",
  "document response": "The answer, sealed for the server",
  "dismiss interface": "The sheet closes",
  "cancel": "The person said no",
  "cancelled": "The person said no",
  "DigitalCredential": "The sealed answer reaches the page",
  "POST /presentments/response": "The page sends the sealed answer on",
  "200 verification result": "The server's result",
  "NotAllowedError": "The call ends: not allowed",
};

/** Phrases for answers with the same subject as their question. */
const ANSWER_PHRASES = { "root certificate": "The root certificate", "registrations": "The registrations" };

export const phraseFor = ({ subject, answers }) =>
  (answers ? ANSWER_PHRASES[subject] : null) ?? PHRASES[subject] ?? null;

/** Titles for narrow columns. */
const SHORT_TITLES = { page: "Page", server: "Server", os: "System", sandbox: "Sandbox" };

export const shortTitle = ({ role, title }) => SHORT_TITLES[role] ?? title;

/** An origin without its scheme, for display. */
export const shortOrigin = (origin) => String(origin).replace(/^https?:\/\//, "");

/** Returns true if a party refused something. A person's refusal does not count. */
export function isObjection({ outcome, code }) { return outcome === "failed" && code !== "os.cancelled"; }
