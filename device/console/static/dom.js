// Small helpers to build and update the page. Text always goes in as text, never as markup.

import { LANGUAGE } from "../words.js";
import { phrase } from "./phrase.js";

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
