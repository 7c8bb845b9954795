// The texts of a device's screens in its language. The scripts have them in English, by which the table of words finds
// them.

import { sentenceCase } from "/dom.js";

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
  say.sentence = (text) => endOf(language, isChinese(language) ? text : sentenceCase(text));
  /** Says the end of a sentence, after a colon, with its stop. */
  say.ending = (text) => endOf(language, text);
  /** Says a list. */
  say.list = (texts) => texts.join(isChinese(language) ? "、" : ", ");
  return say;
}

/** The speech of a device in English. */
export const english = speech();

/** The names are not read for places again. */
const fill = (text, names) => text.split(/(\{\w+\})/)
  .reduce((said, part, index) => join(said, index % 2 === 1 ? String(names[part.slice(1, -1)] ?? part) : part), "");

/** A space that sets off a name in Latin letters is left out between two Chinese characters. */
function join(text, next) {
  if (/\p{Ideographic} $/u.test(text) && /^\p{Ideographic}/u.test(next)) return text.slice(0, -1) + next;
  return /\p{Ideographic}$/u.test(text) && /^ \p{Ideographic}/u.test(next) ? text + next.slice(1) : text + next;
}

const isChinese = (language) => language.startsWith("zh");

const endOf = (language, text) => {
  if (!isChinese(language)) return /[.!?…]$/.test(text) ? text : `${text}.`;
  return /[。！？…]$/.test(text) ? text : `${text}。`;
};
