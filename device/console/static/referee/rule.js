// One touch says how a landing really was; the sentence of what that changes comes first, and then the ruling.

import { attr, el, one, put, show } from "../dom.js";
import { openPast } from "../correct.js";
import { ruleOn } from "../landing.js";
import { phrase } from "../phrase.js";
import { ask, tell } from "../post.js";
import { openZoom } from "./zoom.js";

const ZONES = [20, 10, 5, 2, 1, 0];
const FOULS = { late: phrase("Foul: released too late"), slid: phrase("Foul: slid, not rolled"), thrown: phrase("Foul: thrown off on purpose") };
const PLAIN = phrase("as the referee saw it"); // where no reason is given

const inZone = (landed, zone) => ({ ...landed, zone, dot: Boolean(landed.dot) && zone >= 2 });

// What it may have been instead, the likeliest first: the zone over the line that decides, then those near it.
function othersOf({ landed, zones }) {
  const others = [];
  const { foul, ...plain } = landed;
  if (!landed.off) {
    const known = landed.zone ?? 0;
    const far = (zone) => Math.abs(ZONES.indexOf(zone) - ZONES.indexOf(known)) + (zones.includes(zone) ? 0 : ZONES.length);
    const rest = ZONES.filter((zone) => zone !== known).toSorted((one, other) => far(one) - far(other));
    for (const zone of rest) others.push({ words: zone ? phrase("Zone {zone}", { zone }) : phrase("Out of play"), landed: inZone(landed, zone) });
    if (known >= 2) others.push({ words: landed.dot ? phrase("The dot is not covered") : phrase("It covers the dot"), landed: { ...landed, dot: !landed.dot } });
  }
  if (foul) others.unshift({ words: phrase("No foul"), landed: plain });
  for (const [name, words] of Object.entries(FOULS)) if (name !== foul && (name === "thrown") === Boolean(landed.off)) others.push({ words, landed: { ...landed, foul: name } });
  return others;
}

const ruling = (past, landed, reason) => ({ event: { event: "refereed", landed, reason, landing: past.landing } });

async function foresee(form, past, other) {
  for (const button of form.querySelectorAll(".others button")) attr(button, "aria-pressed", button.textContent === other.words);
  const line = one(".foresight", form);
  const done = one(".main", form);
  const said = await ask("/rulings/preview", ruling(past, other.landed, PLAIN));
  put(line, said.text);
  attr(line, "data-ok", said.ok);
  done.disabled = !said.ok;
  put(done, phrase("So it was: {words}", { words: other.words }));
  form.chosen = other;
}

async function decide(event, past) {
  event.preventDefault();
  const form = event.target;
  const reason = new FormData(form).get("reason").trim() || PLAIN;
  const said = await tell("/rulings", ruling(past, form.chosen.landed, reason));
  if (said.ok) form.closest("details").open = false;
}

function landingForm(past) {
  const others = othersOf(past).map((other) => el("button", { type: "button", class: "quiet", text: other.words, "aria-pressed": "false", onclick: (event) => foresee(event.target.form, past, other) }));
  const form = el(
    "form",
    { autocomplete: "off", onsubmit: (event) => decide(event, past) },
    el("div", { class: "others", role: "group", "aria-label": phrase("What it was") }, ...others),
    el("label", { class: "option" }, el("span", { text: phrase("Reason, for the journal") }), el("input", { name: "reason", maxlength: 200, placeholder: PLAIN })),
    el("p", { class: "foresight", role: "status", text: phrase("Choose what it was: what that changes is said before it is done.") }),
    el("div", { class: "row" }, el("button", { class: "main", text: phrase("So it was"), disabled: true }), el("button", { type: "button", class: "quiet more", text: phrase("Something else…"), onclick: () => ruleOn(past) })),
  );
  return form;
}

// What may be done with a throw that counts, for the opened row.
export function judging(past, latest) {
  if (past.landing) return landingForm(past);
  if (latest().ask === "correct") return el("p", { class: "hint", text: phrase("First answer what is asked about the last throw.") });
  return el("p", {}, el("button", { type: "button", text: phrase("Say what they show"), onclick: () => openPast(past, latest(), openZoom) }));
}

// Enters in the journal that it was looked at and stays.
export async function confirmLanding(past, button) {
  button.disabled = true;
  await tell("/rulings", ruling(past, past.landed, "confirmed"));
  button.disabled = false;
  show(button, true);
}
