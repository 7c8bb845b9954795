// The checkout's script. Like a production page, it fetches a request before the click, calls navigator.credentials.get
// in the click handler, has its server verify the answer, and falls back after a failure.

import { el, symbol, picture, asSentence } from "/dom.js";

const meta = (name) => document.querySelector(`meta[name=${name}]`).content;
let world = meta("site-world");
const part = (id) => document.getElementById(id);
const verifyButton = part("verify-button");

/** The page's own server, in the same world as the page. */
const own = (path) => (world ? `${path}${path.includes("?") ? "&" : "?"}world=${encodeURIComponent(world)}` : path);

let presentment = null;
let isOpen = false;

dress();
prepare();
verifyButton.addEventListener("click", verify);
part("fallback-form").addEventListener("submit", upload);

/** Draws the picture. With several items, the identity step comes after the selection of one. */
function dress() {
  part("picture").append(picture(meta("site-icon"), "website.svg", "offer-drawing"));
  const items = document.querySelectorAll("input[name=item]");
  part("verify").hidden = items.length > 0;
  for (const item of items) item.addEventListener("change", () => { part("verify").hidden = false; });
}

/**
 * Opens the page in the world, which loading it does not. A call requires user activation, so the request must be ready
 * before the click.
 */
async function prepare() {
  verifyButton.disabled = true;
  presentment = null;
  try {
    if (!isOpen) ({ world } = await askServer("/visits", { method: "POST" }));
    isOpen = true;
    presentment = await askServer("/presentments", { method: "POST" });
    verifyButton.disabled = false;
    tell("");
  } catch (error) {
    tell("");
    showFailure("We cannot verify identities now", asSentence(error.message), error.code);
  }
}

async function verify() {
  const { session, protocol, data } = presentment;
  verifyButton.disabled = true;
  tell("Continue on your phone.");
  try {
    const digital = { requests: [{ protocol, data }] };
    const credential = await navigator.credentials.get({ mediation: "required", digital });
    tell("Checking the answer …");
    const answer = { session, protocol: credential.protocol, data: credential.data };
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify(answer);
    showVerdict(await askServer("/presentments/response", { method: "POST", headers, body }));
  } catch (error) {
    showProblem(error);
  }
  tell("");
}

/**
 * NotAllowedError is not a failure of the site: the person declined, no app may answer, or the call lacked a gesture. A
 * page cannot tell which.
 */
function showProblem(error) {
  if (error.name === "NotAllowedError") showNoAnswer(error);
  else if (error.name === "AbortError") showNoAnswer(error);
  // A DOMException's own code is a legacy number; only the server's codes are text.
  else showFailure("That did not work", asSentence(error.message),
    typeof error.code === "string" ? error.code : error.name);
}

function showVerdict(result) {
  if (result.verdict === "verified") showPerson(result);
  else showFailure("We could not verify this ID", asSentence(result.message), nameOf(result.failure));
}

/** The failed check with its reason, as the reference of checks lists it: "issuer.trust", "mso.validity/expired". */
const nameOf = ({ check, reason }) => (reason ? `${check}/${reason}` : check);

/** The elements of the verified documents, each with the label of the list of what is asked. */
function elementsOf(documents) {
  const labels = new Map([...document.querySelectorAll(".asks [data-element]")]
    .map((item) => [item.dataset.element, item.firstElementChild.textContent]));
  return documents.flatMap(({ elements }) => Object.entries(elements).flatMap(([nameSpace, values]) =>
    Object.entries(values).map(([identifier, value]) =>
      ({ identifier, value, label: labels.get(`${nameSpace} ${identifier}`) ?? identifier }))));
}

function showPerson({ documents }) {
  const elements = elementsOf(documents);
  const valueOf = (identifier) => elements.find((element) => element.identifier === identifier)?.value;
  const name = [valueOf("given_name"), valueOf("family_name")].filter(Boolean).join(" ");
  const portrait = isJPEG(valueOf("portrait")) ? valueOf("portrait") : null;
  const isHeading = ({ identifier }) => ["given_name", "family_name"].includes(identifier)
    || (portrait && identifier === "portrait");
  const rows = elements.filter((element) => !isHeading(element));
  show("good", "check", name ? `${meta("site-success")}, ${valueOf("given_name") ?? name}`
    : meta("site-success"),
    el("p", {}, meta("site-ready")),
    el("div", { class: "person" },
      portrait ? portraitOf(portrait, name) : null,
      el("div", {},
        el("p", { class: "person-name" }, name || "Verified"),
        el("p", { class: "issuer" }, symbol("issuer"), ` ${documents.map(({ issuer }) => issuer).join(", ")}`)),
      el("dl", {}, ...rows.map(({ label, identifier, value }) =>
        el("div", {}, el("dt", {}, label), valueView(identifier, value))))),
    el("p", { class: "small" }, keptMessage()));
}

/** Bytes come in base64url. A JPEG starts with FF D8 FF; browsers do not draw JPEG 2000. */
const isJPEG = (value) => typeof value === "string" && value.startsWith("_9j_");

/** The portrait from the verified answer. */
function portraitOf(picture, name) {
  const base64 = picture.replaceAll("-", "+").replaceAll("_", "/");
  const image = el("img", {
    class: "portrait", src: `data:image/jpeg;base64,${base64}`, alt: name ? `Portrait of ${name}` : "Portrait",
  });
  image.addEventListener("error", () => image.remove(), { once: true });
  return image;
}

/** Boolean values and lists of records are shown in words. */
function valueView(identifier, value) {
  if (value === true) return el("dd", {}, "Yes");
  if (value === false) return el("dd", {}, "No");
  if (identifier === "driving_privileges" && Array.isArray(value)) {
    const words = value.map(({ vehicle_category_code: category, expiry_date: expiry }) =>
      `Class ${category}${expiry ? ` to ${expiry}` : ""}`);
    return el("dd", {}, ...words.map((text) => el("span", { class: "privilege" }, text)));
  }
  if (identifier === "portrait") return el("dd", {}, "A picture that this browser cannot show");
  if (value === null || typeof value !== "object") return el("dd", {}, String(value));
  return el("dd", {}, Array.isArray(value) && value.every((item) => typeof item !== "object")
    ? value.join(", ") : JSON.stringify(value));
}

function keptMessage() {
  const words = (mark) => mark.parentElement.firstElementChild.textContent;
  const kept = [...document.querySelectorAll(".asks .kept")].map(words);
  if (kept.length === 0) return "We checked this and store none of it.";
  return `We store: ${kept.join(", ")}. We checked the rest and do not store it.`;
}

function showNoAnswer(error) {
  show("calm", "cross", "Your browser did not hand over an ID",
    el("p", {}, "Nothing reached us. You can try again, or send us a picture."),
    el("p", { class: "small" },
      "The browser says ", el("code", { class: "code" }, error.name), error.message ? `: ${error.message}` : ""),
    againButton());
  part("fallback").hidden = false;
}

function showFailure(title, message, code) {
  show("bad", "alert", title,
    el("p", {}, message), code && el("p", {}, el("code", { class: "code" }, code)), againButton());
  part("fallback").hidden = false;
}

function againButton() {
  return el("button", { type: "button", class: "secondary", onclick: startAgain }, "Try again");
}

function startAgain() {
  part("result").hidden = true;
  part("fallback").hidden = true;
  part("verify").hidden = false;
  prepare().then(() => verifyButton.focus());
}

function show(kind, drawing, title, ...body) {
  part("verify").hidden = true;
  part("result").className = `card result ${kind}`;
  part("result-title").replaceChildren(symbol(drawing), ` ${title}`);
  part("result-body").replaceChildren(...body.filter(Boolean));
  part("result").hidden = false;
  part("result-title").focus({ preventScroll: true });
  part("result").scrollIntoView({ block: "nearest" });
}

function tell(text) { part("progress").textContent = text; }

async function upload(event) {
  event.preventDefault();
  const answer = part("fallback-answer");
  answer.textContent = "Uploading …";
  try {
    const { message } = await askServer("/fallback", { method: "POST", body: new FormData(event.target) });
    answer.textContent = message;
    event.target.hidden = true;
  } catch (error) {
    answer.textContent = `The upload failed: ${error.message}`;
  }
}

async function askServer(path, options) {
  let response;
  try {
    response = await fetch(own(path), options);
  } catch {
    throw new Error("our server does not answer.");
  }
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const message = body.message ?? `our server answered with status ${response.status}.`;
  throw Object.assign(new Error(message), { code: body.code });
}
