// The last throw at the End Zone: the call, how sure it is, the close-up that shows it, and the referee's word.

import { attr, el, one, put, show } from "./dom.js";
import { notice, tell } from "./post.js";

const ZONES = [20, 10, 5, 2, 1, 0];
const NUMBERS = [1, 2, 3, 4, 5, 6];
const OFF = [["", "lies on the table"], ["missed", "off the table, not caught"], ["caught", "off the table, caught"]];
const FOULS = [["", "none"], ["late", "released too late"], ["slid", "slid, not rolled"], ["thrown", "thrown off on purpose"]];

// Shown where the box was started anew and nothing has been thrown since.
const NOTHING = { call: "asked", value: null, zone: 0, line: "", gap: "", dot: false, note: "", evidence: "", end: "" };

let drawn = "";
let target = null; // the earlier landing that is ruled on; null for the last
let last = null; // the last landing as it counts; null while a throw is in question

export const named = (past) => `Landing ${past.landing}, ${past.player}: ${past.words}`;
const zoneWords = (zone) => (zone ? `zone ${zone}` : "out of play");
const select = (name, values) => el("select", { name }, ...values.map(([value, text]) => el("option", { value, text })));
const field = (text, control) => el("label", { class: "option" }, el("span", { text }), control);
const zones = (name) => select(name, ZONES.map((zone) => [zone, zoneWords(zone)]));
const numbers = (name) => select(name, NUMBERS.map((value) => [value, String(value)]));

async function rule(event, make) {
  event.preventDefault();
  const ruling = make(new FormData(event.target));
  const answer = await tell("/rulings", { event: target ? { ...ruling, landing: target.landing } : ruling });
  if (answer.ok) {
    aim(null);
    event.target.closest("details").open = false;
    notice("");
  }
}

const number = (form, name) => Number(form.get(name));

function refereed(form) {
  const off = form.get("off");
  const landed = { event: "landed", foul: form.get("foul") };
  if (off) landed.off = off;
  else Object.assign(landed, { value: number(form, "value"), zone: number(form, "zone"), dot: form.get("dot") === "on" });
  const counts = target ?? last;
  if (counts?.landed.moved) landed.moved = counts.landed.moved; // the dice that it hit lie where they lie
  return { event: "refereed", landed, reason: form.get("reason") };
}

const ruled = (form) => ({ event: "ruled", zone: number(form, "zone"), by: form.get("by") });
const dieRuled = (form) => ({ event: "die_ruled", odd: number(form, "odd"), even: number(form, "even"), value: number(form, "value") });

// Says in the form which landing is ruled on, and sets its fields to what counts now.
function aim(past) {
  target = past;
  const details = one("#landing .referee");
  put(one(".target b", details), past ? named(past) : "The last landing");
  show(one(".target button", details), past !== null);
  if (!past) return;
  for (const [name, value] of Object.entries({ off: "", foul: "", ...past.landed })) {
    for (const control of details.querySelectorAll(`form:not(:has([name=odd])) select[name="${name}"]`)) control.value = String(value);
  }
  one("[name=dot]", details).checked = past.landed.dot === true;
}

// Opens the form on an earlier landing.
export function ruleOn(past) {
  show(one("#landing"), true);
  aim(past);
  const details = one("#landing .referee");
  details.open = true;
  one("summary", details).focus();
}

function form(title, make, ...fields) {
  return el("form", { autocomplete: "off", onsubmit: (event) => rule(event, make) }, el("div", { class: "options" }, ...fields), el("button", { text: title }));
}

function skeleton(section) {
  section.append(
    el("div", { class: "row" }, el("h2", { id: "landing-title" }), el("p", { class: "chip sure" }), el("p", { class: "chip end" })),
    el("p", { class: "gap" }),
    el("figure", { class: "evidence" }, el("img", { alt: "" }), el("figcaption", {}, el("a", { text: "Save this close-up" }))),
    el(
      "details",
      { class: "referee" },
      el("summary", { text: "Dispute, or the referee’s word" }),
      el("p", { class: "hint", text: "All of it is kept in the journal, and what followed is scored again." }),
      el("p", { class: "row target" }, el("b", { text: "The last landing" }), el("button", { type: "button", class: "quiet", text: "The last one instead", hidden: true, onclick: () => aim(null) })),
      el("h3", { text: "A third party was asked" }),
      form("The die lies there", ruled, field("Zone", zones("zone")), field("Who was asked", el("input", { name: "by", maxlength: 40 }))),
      el("h3", { text: "One die decided" }),
      form("The die has decided", dieRuled, field("Odd says", zones("odd")), field("Even says", zones("even")), field("The die shows", numbers("value"))),
      el("h3", { text: "The referee" }),
      form(
        "So it landed",
        refereed,
        field("The die", select("off", OFF)),
        field("shows", numbers("value")),
        field("in", zones("zone")),
        field("Foul", select("foul", FOULS)),
        el("label", { class: "check" }, el("input", { type: "checkbox", name: "dot" }), el("span", { text: "It covers the dot completely" })),
        field("Reason", el("input", { name: "reason", required: true, maxlength: 200 })),
      ),
    ),
  );
}

// A throw that counts is worth what was ruled; a throw in question, and one taken back, what was measured.
function headline(landing, counted, text) {
  return counted ? counted.words : measured(landing, text);
}

function measured(landing, text) {
  if (landing.rolled) return landing.value === null ? text : `rolls ${landing.value}`;
  if (landing.value === null && landing.call === "asked") return text;
  if (landing.call === "asked" && landing.line) return `${landing.value} in ${landing.line.replace("|", " or ")}?`;
  return `${landing.value} × ${landing.zone} = ${landing.score}`;
}

function facts(landing, counted) {
  const words = [];
  const found = measured(landing, "");
  const decided = counted && (counted.ruled || landing.call === "asked");
  if (decided && found && counted.words !== found) words.push(`As measured: ${found.replace(/\?$/, "")}.`);
  if (counted?.ruled) words.push(`Ruled by ${counted.ruled}.`);
  words.push(landing.gap);
  if (landing.dot) words.push("It may cover the dot: look straight down.");
  if (landing.note) words.push(`Note: ${landing.note}.`);
  return words.filter(Boolean).join(" ");
}

export function drawLanding(snapshot) {
  const section = one("#landing");
  const { game } = snapshot;
  const landing = snapshot.landing ?? NOTHING;
  if (!section.firstElementChild) skeleton(section);
  last = snapshot.ask === "landing" ? null : (game?.landings[0] ?? null);
  if (target && !game?.landings.some((past) => past.landing === target.landing && past.words === target.words)) aim(null);
  show(section, game !== null && (snapshot.landing !== null || target !== null));
  if (section.hidden) return;
  const counted = (snapshot.ask !== "landing" && game.landings.find((past) => past.reading > 0 && past.reading === landing.number)) || null;
  put(one("#landing-title"), headline(landing, counted, "The last throw"));
  put(one(".end", section), landing.end && `${landing.end} end`);
  put(one(".sure", section), landing === NOTHING ? "" : snapshot.ask === "landing" ? "to be decided" : landing.rolled && !counted?.ruled ? "" : landing.call === "certain" && !counted?.ruled ? "certain" : "decided by people");
  attr(section, "data-call", snapshot.ask === "landing" ? "asked" : landing.call);
  put(one(".gap", section), facts(landing, counted));
  const figure = one(".evidence", section);
  show(figure, landing.evidence !== "");
  const key = `${snapshot.game_id}/${landing.evidence}`;
  if (landing.evidence && drawn !== key) {
    drawn = key;
    const address = `/evidence/${landing.number}.jpg?of=${encodeURIComponent(key)}`;
    attr(one("img", figure), "src", address);
    attr(one("a", figure), "href", address);
    attr(one("a", figure), "download", `end-zone-${landing.evidence.replace("/", "-")}`);
  }
  attr(one("img", figure), "alt", `The die from straight above, with the lines. ${headline(landing, counted, "")}. ${facts(landing, counted)}`);
}
