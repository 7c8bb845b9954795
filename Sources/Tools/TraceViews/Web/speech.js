// The texts of a device's screens in its language. The scripts have them in English, by which the table of words finds
// them.

import { asSentence } from "/dom.js";

/**
 * Returns a function that says an English text in a language. `words` are the texts of the table, `local` is what a
 * screen brings: each by its English text, and none for English. Names are filled into places such as `{app}`.
 */
export function speech({ language = "en", words = {}, local = null } = {}) {
  const say = (text, names = {}) => fill(local?.texts[text] ?? words[text] ?? text, names);
  say.language = language;
  /** Says the texts of a screen, too. */
  say.of = (screen) => (screen?.local ? speech({ language, words, local: screen.local }) : say);
  /** Says a text as a sentence with its stop. */
  say.sentence = (text) => endOf(language, text);
  return say;
}

/** The speech of a device in English. */
export const english = speech();

/** The names are not read for places again. */
const fill = (text, names) => text.replace(/\{(\w+)\}/g, (place, name) => names[name] ?? place);

const endOf = (language, text) => {
  if (!language.startsWith("zh")) return asSentence(text);
  return /[。！？…]$/.test(text) ? text : `${text}。`;
};
