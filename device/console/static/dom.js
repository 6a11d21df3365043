// What every page is made with: sentences in the house's language, elements, and what this browser keeps.

import { LANGUAGE, WORDS } from "../words.js";

// How the page speaks: a sentence stands in English where it is said, and is told in the language of the house.
// It stands there whole, with names for what changes in it, and never put together of parts: translators see it so.

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

// Small helpers to build and update the page. Text always goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, kids) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...kids.filter((kid) => kid !== null && kid !== undefined));
  return node;
}

export function el(tag, props = {}, ...kids) {
  return fill(document.createElement(tag), props, kids);
}

export function svg(tag, props = {}, ...kids) {
  return fill(document.createElementNS(SVG, tag), props, kids);
}

export const one = (selector, root = document) => root.querySelector(selector);

// The setters below touch the page only when something differs: live regions speak only then.
export function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function attr(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

export function show(node, visible) {
  if (node.hidden === visible) node.hidden = !visible;
}

// Keeps one child for each item, in their order, without rebuilding those that stay: focus survives.
export function keep(parent, items, keyOf, make, update) {
  const old = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  let place = parent.firstElementChild;
  items.forEach((item, index) => {
    const key = String(keyOf(item, index));
    let node = old.get(key);
    if (node) old.delete(key);
    else {
      node = make(item, index);
      node.dataset.key = key;
    }
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
    update?.(node, item, index);
  });
  for (const node of old.values()) node.remove();
}

export function randomWord() {
  // crypto.randomUUID is missing on plain http pages, which a box in the living room has.
  return [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function inWords(names) {
  return names.length > 1 ? phrase("{names} and {last}", { names: names.slice(0, -1).join(", "), last: names.at(-1) }) : names.join("");
}

export const grouped = (number) => number.toLocaleString(LANGUAGE); // 1,050, as the rulebooks print points; 1.050 in German
export const gained = (points) => `${points < 0 ? "" : "+"}${grouped(points)}`;

export function titled(word) {
  return word
    .split(/[-_ ]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(" ");
}

// What else there is to see of a game, by the names that the rulebooks give it.

const NAMES = {
  "3's": "3’s",
  "on the table": phrase("On the table"),
  "wins as King": phrase("Wins as King"),
  card: phrase("Card"),
  cast: phrase("Cast"),
  challenged: phrase("Challenged"),
  extras: phrase("Extras"),
  "farkles in a row": phrase("Farkles in a row"),
  game: phrase("Game"),
  games: phrase("Games"),
  items: phrase("Items"),
  king: phrase("King"),
  modifiers: phrase("Modifiers"),
  quota: phrase("Quota"),
  round: phrase("Round"),
  run: phrase("Run"),
  sets: phrase("Sets"),
  team: phrase("Team"),
  through: phrase("Through"),
  turn: phrase("Turn"),
  waiting: phrase("Waiting"),
};

export function factName(name) {
  const [, number] = /^pocket (\d+)$/.exec(name) ?? [];
  return number ? phrase("Pocket {number}", { number }) : (NAMES[name] ?? name);
}

// What a page fetches only when it needs it. A browser remembers that it once got nothing from an address, so the next
// attempt is at another one.

let failed = 0;

export async function load(path) {
  try {
    return await import(failed ? `${path}?${failed}` : path);
  } catch (error) {
    failed += 1;
    throw error;
  }
}

// A module for some games alone; null until it is there, and then `ready` is called.
export function lazyModule(path, ready) {
  let found = null;
  return (needed) => {
    if (needed && !found) {
      const take = (module) => {
        found = module;
        ready();
      };
      load(path).then(take, () => {}); // asked again with the next snapshot
    }
    return found;
  };
}

// What this browser keeps. It may forbid that; then it holds until the page is closed.

export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Nothing to do: what the page knows still holds now.
  }
}
