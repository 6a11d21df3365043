// The persons who play here: a tap seats one in the lobby; a dialog names somebody new, or changes what is known.

import { attr, el, keep, one, show } from "./dom.js";
import { may } from "./people.js";
import { phrase } from "./phrase.js";
import { tell } from "./post.js";

const COLOR_NAMES = {
  red: phrase("red"),
  orange: phrase("orange"),
  yellow: phrase("yellow"),
  green: phrase("green"),
  teal: phrase("teal"),
  blue: phrase("blue"),
  purple: phrase("purple"),
  pink: phrase("pink"),
};
const COLORS = Object.keys(COLOR_NAMES);

let known = [];
let asking = null;

export async function loadPersons() {
  asking ??= fetch("persons").then((response) => (response.ok ? response.json() : null)).catch(() => null);
  const told = await asking;
  asking = null;
  known = told?.persons ?? known;
  return known;
}

const same = (one, other) => one.trim().toLowerCase() === other.trim().toLowerCase();
export const isSeated = (names, person) => names.some((name) => same(name, person.name));
export const dot = (color) => el("span", { class: "person-color", "data-color": color, "aria-hidden": "true" });

function field(words, props, value = "") {
  const input = el("input", { autocomplete: "off", ...props });
  input.value = value;
  return el("label", { class: "option" }, el("span", { text: words }), input);
}

async function save(event, done) {
  event.preventDefault();
  const form = new FormData(event.target);
  const fresh = form.get("new_pin").trim();
  const body = { name: form.get("name").trim(), color: form.get("color"), pin: form.get("pin")?.trim() ?? "" };
  if (fresh || form.get("no_pin")) body.new_pin = form.get("no_pin") ? "" : fresh;
  if ((await tell("/persons", body)).ok) await done();
}

async function forget(form, person, done) {
  const pin = new FormData(form).get("pin")?.trim() ?? "";
  if ((await tell("/persons/forget", { name: person.name, pin })).ok) await done();
}

function colors(person) {
  const now = person?.color ?? COLORS[known.length % COLORS.length];
  const choice = (color) => el("label", { class: "choice" }, el("input", { type: "radio", name: "color", value: color, checked: color === now }), el("span", {}, dot(color), COLOR_NAMES[color]));
  return el("fieldset", {}, el("legend", { text: phrase("Colour") }), el("div", { class: "choices" }, ...COLORS.map(choice)));
}

function openPerson(person, redraw) {
  const dialog = one("#person");
  const done = async () => {
    dialog.close();
    await loadPersons();
    redraw();
  };
  const title = person ? person.name : phrase("Somebody new");
  const form = el(
    "form",
    { autocomplete: "off", onsubmit: (event) => save(event, done) },
    field(phrase("Name"), { name: "name", maxlength: 40, required: true, readonly: person !== null }, person?.name),
    colors(person),
    person?.has_pin ? field(phrase("PIN now"), { name: "pin", type: "password", inputmode: "numeric", maxlength: 12 }) : null,
    field(person?.has_pin ? phrase("New PIN, to change it") : phrase("PIN, if you like: 4 to 12 digits"), { name: "new_pin", type: "password", inputmode: "numeric", maxlength: 12 }),
    person?.has_pin ? el("label", { class: "check" }, el("input", { type: "checkbox", name: "no_pin" }), ` ${phrase("No PIN any more")}`) : null,
    el("p", { class: "hint", text: phrase("With a PIN nobody else changes this, or takes this seat on a phone.") }),
    el("div", { class: "row" }, el("button", { class: "main", text: phrase("Keep") }), el("button", { type: "button", class: "quiet", text: phrase("Close"), onclick: () => dialog.close() })),
  );
  const more = person
    ? el("div", { class: "row" }, el("a", { href: `history?player=${encodeURIComponent(person.name)}`, text: phrase("{name}’s games", { name: person.name }) }), el("button", { type: "button", class: "quiet", text: phrase("Forget"), onclick: () => forget(form, person, done) }))
    : null;
  dialog.replaceChildren(el("h2", { id: "person-title", text: title }), form, ...(more ? [more] : []));
  dialog.showModal();
}

// The list for a form in which players are named: `names` tells who is in it, `toggle` puts a name in or takes it out.
export function makePersons(names, toggle) {
  const list = el("ul", { class: "persons" });
  const box = el("div", { class: "persons-box" }, list);
  const redraw = () => {
    keep(
      list,
      [...known, null],
      (person) => (person ? `${person.name} ${person.color} ${person.has_pin}` : "new"),
      (person) => {
        if (!person) return el("li", {}, el("button", { type: "button", class: "quiet", text: phrase("Somebody new…"), onclick: () => openPerson(null, redraw) }));
        const seat = el("button", { type: "button", class: "person", onclick: () => { toggle(person.name); redraw(); } }, dot(person.color), el("span", { text: person.name }));
        const change = el("button", { type: "button", class: "quiet small", text: "…", "aria-label": phrase("About {name}", { name: person.name }), onclick: () => openPerson(person, redraw) });
        return el("li", {}, seat, change);
      },
      (node, person) => person && attr(one(".person", node), "aria-pressed", isSeated(names(), person)),
    );
    show(box, may("lead"));
  };
  redraw();
  loadPersons().then(redraw);
  return { box, redraw };
}
