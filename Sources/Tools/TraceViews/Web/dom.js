// Helpers to build pages. Text is set with textContent only, so input from outside cannot become markup.

const SVG = "http://www.w3.org/2000/svg";
/** True for a page that contains the drawings of symbols.svg. It does not load pictures from a server either. */
const hasDrawings = () => document.getElementById("symbols") !== null;

/**
 * Makes an element: `el("p", {class: "x", onclick: f}, "text", child)`. A value of null or false omits the attribute.
 */
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Adds a style sheet, before an element of the head or as its last one, and waits for it. */
export const loadStyle = (href, before = null) => new Promise((done) => {
  document.head.insertBefore(el("link", { rel: "stylesheet", href, onload: done, onerror: done }), before);
});

/** A span whose text changes in place, which costs less than another text node. */
export function textPart(className) {
  const text = document.createTextNode("");
  const element = el("span", { class: className }, text);
  return { element, write: (words) => { if (text.data !== words) text.data = words; } };
}

/** A drawing of symbols.svg in the color of the surrounding text. */
export function symbol(id, label) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "symbol");
  if (label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
  } else {
    svg.setAttribute("aria-hidden", "true");
  }
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${hasDrawings() ? "" : "/icons/symbols.svg"}#${id}`);
  svg.append(use);
  return svg;
}

/** True for a picture that is named by its address: that of a certificate is a data URL. */
export const isAddress = (file) => /^(?:data:image\/|\/)/.test(file ?? "");

/** The address of a picture: its own, its file, or its content in a page that contains it. */
function pictureAddress(file) {
  if (isAddress(file)) return file;
  const content = document.getElementById(`icon:${file}`);
  if (content) return `data:image/svg+xml,${encodeURIComponent(content.textContent)}`;
  return hasDrawings() ? null : `/icons/${encodeURIComponent(file)}`;
}

/** A picture that is replaced by a fallback if its file is missing. */
export function picture(file, fallback, className, alt = "") {
  const image = el("img", { src: pictureAddress(file) ?? pictureAddress(fallback), alt, class: className });
  image.addEventListener("error", () => { image.src = pictureAddress(fallback); }, { once: true });
  return image;
}

export const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** A word that is an identifier: with a sign within it, or with capitals after its first letter. */
const IDENTIFIER = /^[^\s]*(?:[_[\]/]|\.\w|[a-z0-9][A-Z])/;

/** The text with a capital first letter, for messages of the journal. An identifier stays as it is. */
export function sentenceCase(text) {
  if (!text) return "";
  return IDENTIFIER.test(text) ? text : text[0].toUpperCase() + text.slice(1);
}

/** A sentence with a full stop, from text with or without one. */
export const asSentence = (text) => (/[.!?…]$/.test(text ?? "") ? sentenceCase(text) : `${sentenceCase(text)}.`);

/** 2510 as "2.5 KB". */
export const humanSize = (bytes) => (bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} KB`);
