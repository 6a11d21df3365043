// How the page speaks: a sentence stands in English where it is said, and is told in the language of the house.
// It stands there whole, with names for what changes in it, and never put together of parts: translators see it so.

import { LANGUAGE, WORDS } from "../words.js";

const FORMS = new Intl.PluralRules(LANGUAGE); // French says one for 0, too

const told = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

export function phrase(text, values = {}) {
  return told(WORDS[text]?.[0] ?? text, values);
}

// Where a number decides the form: {count} stands for it in both.
export function phraseCount(one, many, count, values = {}) {
  const [single, several] = WORDS[one] ?? [one, many];
  return told(FORMS.select(count) === "one" ? single : several, { count, ...values });
}

// The sentence as it is, for tables whose values are not known yet; `phrase` tells it then.
export const phraseLater = (text) => text;
