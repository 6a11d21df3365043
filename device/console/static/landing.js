// The last throw at the End Zone: the call, how sure it is, the close-up that shows it, and the referee's word.

import { attr, el, keep, one, put, show } from "./dom.js";
import { inEither } from "./faces.js";
import { foresee } from "./foresee.js";
import { phrase } from "./phrase.js";
import { notice, tell } from "./post.js";

const ZONES = [20, 10, 5, 2, 1, 0];
const NUMBERS = [1, 2, 3, 4, 5, 6];
const ENDS = { near: phrase("near end"), far: phrase("far end") };
const OFF = [["", phrase("lies on the table")], ["missed", phrase("off the table, not caught")], ["caught", phrase("off the table, caught")]];
const FOULS = [["", phrase("none")], ["late", phrase("released too late")], ["slid", phrase("slid, not rolled")], ["thrown", phrase("thrown off on purpose")]];

// Shown where the box was started anew and nothing has been thrown since.
const NOTHING = { call: "asked", value: null, zone: 0, line: "", gap: "", dot: false, note: "", evidence: "", end: "" };

let drawn = "";
let gone = ""; // a picture that is not kept any more
let target = null; // the earlier landing that is ruled on; null for the last
let last = null; // the last landing as it counts; null while a throw is in question
let latest = null; // the snapshot that is shown
let log = []; // the throws that the referee's view has
let filled = ""; // which landing the forms' fields are of

export const named = (past) => phrase("Landing {number}, {player}: {words}", { number: past.landing, player: past.player, words: past.words });
const zoneWords = (zone) => (zone ? phrase("zone {zone}", { zone }) : phrase("out of play"));
const select = (name, values) => el("select", { name }, ...values.map(([value, text]) => el("option", { value, text })));
const field = (text, control) => el("label", { class: "option" }, el("span", { text }), control);
// Nothing is chosen beforehand: whoever rules says it, and what was measured is put in when the form is aimed.
const open = (control) => {
  control.prepend(el("option", { value: "", text: phrase("choose") }));
  control.required = true;
  control.value = "";
  return control;
};
const zones = (name) => open(select(name, ZONES.map((zone) => [zone, zoneWords(zone)])));
const numbers = (name) => open(select(name, NUMBERS.map((value) => [value, String(value)])));

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
  const moved = movedDice(form);
  if (moved.length) landed.moved = moved;
  return { event: "refereed", landed, reason: form.get("reason") };
}

const ruled = (form) => ({ event: "ruled", zone: number(form, "zone"), by: form.get("by") });
const dieRuled = (form) => ({ event: "die_ruled", odd: number(form, "odd"), even: number(form, "even"), value: number(form, "value") });

// The dice that lay there before that throw, by their numbers, with what the throw did to each so far.
const counting = () => target ?? last;
const lying = () => counting()?.lying ?? latest?.game?.facts.find((fact) => fact.name === "on the table")?.words ?? [];
const movedBefore = () => counting()?.landed.moved ?? [];

// Dice that the throw hit stay where they came to lie, unless the referee says otherwise.
function movedDice(form) {
  const kept = movedBefore().filter((one) => !["off", "still"].includes(form.get(`die${one.die}`)));
  const off = lying().flatMap((_, index) => (form.get(`die${index + 1}`) === "off" ? [{ die: index + 1, off: true }] : []));
  return [...kept, ...off].sort((one, other) => one.die - other.die);
}

function drawLying() {
  const hit = new Map(movedBefore().map((one) => [one.die, one.off ? phrase("knocked off the table, as it counts") : phrase("hit, and lies {value} × {zone}", { value: one.value, zone: one.zone })]));
  const make = (words, index) => {
    const die = index + 1;
    const ways = [["", hit.get(die) ?? phrase("lies as it lay")], ...(hit.has(die) ? [["still", phrase("was not hit")]] : []), ["off", phrase("was knocked off the table")]];
    return field(words.charAt(0).toUpperCase() + words.slice(1), select(`die${die}`, ways));
  };
  const list = one("#landing .lying");
  keep(list, lying(), (words, index) => `${filled} ${index} ${words}`, make);
  show(list, list.childElementCount > 0);
}

// The fields begin empty but for what was measured, or counts now: then only what differs is to be changed.
function fill(landing) {
  const past = counting();
  const key = past ? `${past.landing} ${past.words} ${past.reading}` : `asked ${landing.number}`;
  if (key === filled) return;
  filled = key;
  const details = one("#landing .referee");
  for (const each of details.querySelectorAll("form")) {
    each.reset();
    foresee(one(".foresight", each), "", null);
  }
  const measured = landing.value === null ? {} : landing.call === "certain" ? { value: landing.value, zone: landing.zone } : { value: landing.value };
  const known = past?.landed ?? measured;
  const referee = one("form:has([name=off])", details);
  for (const name of ["value", "zone", "off", "foul"]) if (known[name] !== undefined) one(`[name=${name}]`, referee).value = String(known[name]);
  one("[name=dot]", referee).checked = known.dot === true;
  drawLying();
  offTable(referee);
}

// A die off the table has no number and no zone to be said.
function offTable(form) {
  const off = one("[name=off]", form)?.value;
  for (const name of ["value", "zone"]) if (off !== undefined) one(`[name=${name}]`, form).required = !off;
}

// Says in the form which landing is ruled on; the card shows that one, with its close-up.
function aim(past) {
  target = past;
  const details = one("#landing .referee");
  put(one(".target b", details), past ? named(past) : phrase("The last landing"));
  show(one(".target button", details), past !== null);
  if (latest) drawLanding(latest, log);
}

function changed(form, make) {
  offTable(form);
  const fields = [...form.elements].filter((control) => control.name && control.name !== "reason");
  const whole = fields.every((control) => control.checkValidity());
  const ruling = whole ? make(new FormData(form)) : null;
  if (ruling?.reason === "") ruling.reason = "?";
  foresee(one(".foresight", form), "/rulings/preview", ruling && { event: target ? { ...ruling, landing: target.landing } : ruling });
}

// Opens the form on an earlier landing.
export function ruleOn(past) {
  show(one("#landing"), true);
  aim(past);
  const details = one("#landing .referee");
  details.open = true;
  one("#landing").scrollIntoView({ block: "start" });
  one("summary", details).focus({ preventScroll: true });
}

function form(title, make, ...fields) {
  return el(
    "form",
    { autocomplete: "off", onsubmit: (event) => rule(event, make), oninput: (event) => changed(event.currentTarget, make) },
    el("div", { class: "options" }, ...fields),
    el("p", { class: "foresight", role: "status" }),
    el("button", { text: title }),
  );
}

function skeleton(section) {
  section.append(
    el("div", { class: "row" }, el("h2", { id: "landing-title" }), el("p", { class: "chip sure" }), el("p", { class: "chip end" })),
    el("p", { class: "gap" }),
    el("figure", { class: "evidence" }, el("img", { alt: "", onerror: hideGone }), el("figcaption", {}, el("a", { text: phrase("Save this close-up") }))),
    el(
      "details",
      { class: "referee" },
      el("summary", { text: phrase("Dispute, or the referee’s word") }),
      el("p", { class: "hint", text: phrase("All of it is kept in the journal, and what followed is scored again.") }),
      el("p", { class: "row target" }, el("b", { text: phrase("The last landing") }), el("button", { type: "button", class: "quiet", text: phrase("The last one instead"), hidden: true, onclick: () => aim(null) })),
      el("h3", { text: phrase("A third party was asked") }),
      form(phrase("The die lies there"), ruled, field(phrase("Zone"), zones("zone")), field(phrase("Who was asked"), el("input", { name: "by", maxlength: 40 }))),
      el("h3", { text: phrase("One die decided") }),
      form(phrase("The die has decided"), dieRuled, field(phrase("Odd says"), zones("odd")), field(phrase("Even says"), zones("even")), field(phrase("The die shows"), numbers("value"))),
      el("h3", { text: phrase("The referee") }),
      form(
        phrase("So it landed"),
        refereed,
        field(phrase("The die"), select("off", OFF)),
        field("shows", numbers("value")),
        field("in", zones("zone")),
        field(phrase("Foul"), select("foul", FOULS)),
        el("label", { class: "check" }, el("input", { type: "checkbox", name: "dot" }), el("span", { text: phrase("It covers the dot completely") })),
        el("div", { class: "options lying" }),
        field(phrase("Reason"), el("input", { name: "reason", required: true, maxlength: 200 })),
      ),
    ),
  );
}

// A throw that counts is worth what was ruled; a throw in question, and one taken back, what was measured.
function headline(landing, counted, text) {
  return counted ? counted.words : measured(landing, text);
}

function measured(landing, text) {
  if (landing.rolled) return landing.value === null ? text : phrase("rolls {value}", { value: landing.value });
  if (landing.value === null && landing.call === "asked") return text;
  if (landing.call === "asked" && landing.line) return inEither(landing);
  return `${landing.value} × ${landing.zone} = ${landing.score}`;
}

function facts(landing, counted) {
  const words = [];
  const found = measured(landing, "");
  const decided = counted && (counted.ruled || landing.call === "asked");
  if (decided && found && counted.words !== found) words.push(phrase("As measured: {found}.", { found: found.replace(/\s?\?$/, "") }));
  if (counted?.ruled) words.push(phrase("Ruled by {name}.", { name: counted.ruled }));
  words.push(landing.gap);
  if (landing.dot) words.push(phrase("It may cover the dot: look straight down."));
  if (landing.note) words.push(phrase("Note: {note}.", { note: landing.note }));
  return words.filter(Boolean).join(" ");
}

// What the card is of: the earlier landing that is ruled on, or the last throw.
function cardOf(snapshot) {
  if (target) return { ...NOTHING, number: target.reading, evidence: target.evidence, call: "certain" };
  return snapshot.landing ?? NOTHING;
}

function sureness(snapshot, landing, counted) {
  if (landing === NOTHING) return "";
  if (snapshot.ask === "landing" && !target) return phrase("to be decided");
  if (target) return target.ruled ? phrase("decided by people") : "";
  if (landing.rolled && !counted?.ruled) return "";
  return landing.call === "certain" && !counted?.ruled ? phrase("certain") : phrase("decided by people");
}

// Whether the landing that is ruled on is still what it was; the referee's log has those that are long past.
const stands = (game, throws) => [...(game?.landings ?? []), ...throws].some((past) => past.landing === target.landing && past.words === target.words);

export function drawLanding(snapshot, throws = []) {
  const section = one("#landing");
  const { game } = snapshot;
  latest = snapshot;
  if (!section.firstElementChild) skeleton(section);
  last = snapshot.ask === "landing" ? null : (game?.landings[0] ?? null);
  log = throws;
  if (target && !stands(game, throws)) return aim(null);
  const landing = cardOf(snapshot);
  show(section, game !== null && (snapshot.landing !== null || target !== null));
  if (section.hidden) return;
  const newest = snapshot.ask !== "landing" && game.landings.find((past) => past.reading > 0 && past.reading === landing.number);
  const counted = target ?? (newest || null);
  const title = target ? named(target) : headline(landing, counted, phrase("The last throw"));
  const words = target ? target.ruled && phrase("Ruled by {name}.", { name: target.ruled }) : facts(landing, counted);
  put(one("#landing-title"), title);
  put(one(".end", section), landing.end && (ENDS[landing.end] ?? landing.end));
  put(one(".sure", section), sureness(snapshot, landing, counted));
  attr(section, "data-call", snapshot.ask === "landing" && !target ? "asked" : landing.call);
  put(one(".gap", section), words);
  drawEvidence(one(".evidence", section), snapshot, landing, `${title}. ${words}`);
  fill(landing);
}

// The close-up; where an earlier landing has none any more, the picture that was measured.
function pictureOf(landing) {
  if (landing.evidence) return { kind: "evidence", name: landing.evidence };
  return target?.reading ? { kind: "reading", name: `${target.reading}` } : null;
}

function drawEvidence(figure, snapshot, landing, words) {
  const picture = pictureOf(landing);
  const key = picture && `${snapshot.game_id}/${picture.kind}/${picture.name}`;
  show(figure, picture !== null && key !== gone);
  if (picture && drawn !== key) {
    drawn = key;
    const address = `${picture.kind}/${landing.number}.jpg?of=${encodeURIComponent(`${snapshot.game_id}/${picture.name}`)}`;
    attr(one("img", figure), "src", address);
    attr(one("a", figure), "href", address);
    attr(one("a", figure), "download", `end-zone-${picture.name.replace("/", "-")}`);
  }
  const what = picture?.kind === "reading" ? phrase("The picture that was read.") : phrase("The die from straight above, with the lines.");
  attr(one("img", figure), "alt", `${what} ${words}`);
}

function hideGone(event) {
  gone = drawn;
  show(event.target.closest("figure"), false);
}
