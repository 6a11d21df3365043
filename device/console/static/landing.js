// The landings of End Zone: the last throw, and those that count.

import { attr, el, keep, one, phrase, phraseCount, put, show } from "./dom.js";
import { drawStamp, inEither, makeStamped, stampOf } from "./drawings.js";
import { hasFilm, watchFilm } from "./film.js";
import { notice, tell } from "./link.js";
import { foresee } from "./table.js";

// The last throw at the End Zone: the call, how sure it is, the close-up that shows it, and the referee's word.

const ZONES = [20, 10, 5, 2, 1, 0];
const NUMBERS = [1, 2, 3, 4, 5, 6];
const ENDS = { near: phrase("near end"), far: phrase("far end") };
const OFF = [["", phrase("lies on the table")], ["missed", phrase("off the table, not caught")], ["caught", phrase("off the table, caught")]];
const FOULS = [["", phrase("none")], ["late", phrase("released too late")], ["slid", phrase("slid, not rolled")], ["thrown", phrase("thrown off on purpose")]];

const WAYS = [["refereed", phrase("The referee")], ["ruled", phrase("A third party")], ["die_ruled", phrase("One die")]];

const PLAIN = phrase("as the referee saw it"); // where no reason is given

// Shown where the box was started anew and nothing has been thrown since.
const NOTHING = { call: "asked", value: null, zone: 0, line: "", gap: "", dot: false, note: "", evidence: "", end: "" };

let drawn = "";
let gone = ""; // a picture that is not kept any more
let target = null; // the earlier landing that is ruled on; null for the last
let last = null; // the last landing as it counts; null while a throw is in question
let latest = null; // the snapshot that is shown
let log = []; // the throws that the referee's view has
let filled = ""; // which landing the form's fields are of

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

// The ruling as the form says it, on the landing at which it is aimed.
function rulingOf(form) {
  const ruling = MAKERS[one("[name=way]", form).value](new FormData(form));
  return target ? { ...ruling, landing: target.landing } : ruling;
}

async function rule(event) {
  event.preventDefault();
  const answer = await tell("/rulings", { event: rulingOf(event.target) });
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
  return { event: "refereed", landed, reason: form.get("reason").trim() || PLAIN };
}

const ruled = (form) => ({ event: "ruled", zone: number(form, "zone"), by: form.get("by") });
const dieRuled = (form) => ({ event: "die_ruled", odd: number(form, "odd"), even: number(form, "even"), value: number(form, "value") });
const MAKERS = { refereed, ruled, die_ruled: dieRuled };

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
  const form = one("#landing .referee form");
  form.reset();
  foresee(one(".foresight", form), "", null);
  const measured = landing.value === null ? {} : landing.call === "certain" ? { value: landing.value, zone: landing.zone } : { value: landing.value };
  const known = past?.landed ?? measured;
  const referee = one("[data-way=refereed]", form);
  for (const name of ["value", "zone", "off", "foul"]) if (known[name] !== undefined) one(`[name=${name}]`, referee).value = String(known[name]);
  one("[name=dot]", referee).checked = known.dot === true;
  drawLying();
  drawFields(form);
}

// Only the fields of the way in which it was decided are asked for; a die off the table has no number and no zone.
function drawFields(form) {
  const way = one("[name=way]", form).value;
  for (const fields of form.querySelectorAll("fieldset")) {
    fields.disabled = fields.dataset.way !== way;
    show(fields, !fields.disabled);
  }
  const off = one("[name=off]", form);
  for (const name of ["value", "zone"]) one(`[name=${name}]`, off.closest("fieldset")).required = !off.value;
}

// Says in the form which landing is ruled on; the card shows that one, with its close-up.
function aim(past) {
  target = past;
  const details = one("#landing .referee");
  put(one(".target b", details), past ? named(past) : phrase("The last landing"));
  show(one(".target button", details), past !== null);
  if (latest) drawLanding(latest, log);
}

function changed(event) {
  const form = event.currentTarget;
  drawFields(form);
  const fields = [...form.elements].filter((control) => control.name && control.name !== "reason");
  const whole = fields.every((control) => control.checkValidity());
  foresee(one(".foresight", form), "/rulings/preview", whole ? { event: rulingOf(form) } : null);
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

const fieldsOf = (way, ...fields) => el("fieldset", { class: "options", "data-way": way }, ...fields);

function rulingForm() {
  return el(
    "form",
    { autocomplete: "off", onsubmit: rule, oninput: changed },
    field(phrase("Decided by"), select("way", WAYS)),
    fieldsOf(
      "refereed",
      field(phrase("The die"), select("off", OFF)),
      field(phrase("It shows"), numbers("value")),
      field(phrase("In zone"), zones("zone")),
      field(phrase("Foul"), select("foul", FOULS)),
      el("label", { class: "check" }, el("input", { type: "checkbox", name: "dot" }), el("span", { text: phrase("It covers the dot completely") })),
      el("div", { class: "options lying" }),
      field(phrase("Reason"), el("input", { name: "reason", placeholder: PLAIN, maxlength: 200 })),
    ),
    fieldsOf("ruled", field(phrase("In zone"), zones("zone")), field(phrase("Who was asked"), el("input", { name: "by", maxlength: 40 }))),
    fieldsOf("die_ruled", field(phrase("Odd says"), zones("odd")), field(phrase("Even says"), zones("even")), field(phrase("It shows"), numbers("value"))),
    el("p", { class: "foresight", role: "status" }),
    el("button", { text: phrase("Apply ruling") }),
  );
}

function skeleton(section) {
  section.append(
    el("div", { class: "row" }, el("h2", { id: "landing-title" }), el("p", { class: "chip sure" }), el("p", { class: "chip end" })),
    el("p", { class: "gap" }),
    el("figure", { class: "evidence" }, makeStamped(el("img", { alt: "", onerror: hideGone })), el("figcaption", {}, el("a", { text: phrase("Save this close-up") }))),
    el(
      "details",
      { class: "referee" },
      el("summary", { text: phrase("Dispute") }),
      el("p", { class: "hint", text: phrase("All of it is kept in the journal, and what followed is scored again.") }),
      el("p", { class: "row target" }, el("b", { text: phrase("The last landing") }), el("button", { type: "button", class: "quiet", text: phrase("The last one instead"), hidden: true, onclick: () => aim(null) })),
      rulingForm(),
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
  if (target) return target.ruled ? phrase("ruled") : "";
  if (landing.rolled && !counted?.ruled) return "";
  return landing.call === "certain" && !counted?.ruled ? phrase("certain") : phrase("ruled");
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
  drawStamp(one(".evidence", section), stampOf(counted));
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

// The landings of this game that count, for the referee: each with its close-up, to confirm or to change.

const past_landings = { game: null, pasts: new Map(), confirming: new Set() };

async function confirm(number, event) {
  if (past_landings.confirming.has(number) || event.detail > 1) return; // the second half of a double click meant the first one
  const { landed, landing } = past_landings.pasts.get(number);
  past_landings.confirming.add(number);
  await tell("/rulings", { event: { event: "refereed", landed, reason: "confirmed", landing } });
  past_landings.confirming.delete(number);
}

function makeLanding({ landing }) {
  return el(
    "li",
    {},
    el("a", { target: "_blank" }, el("img", { alt: "", loading: "lazy" })),
    el("p", { class: "words" }),
    el("p", { class: "hint ruled" }),
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", class: "quiet confirm", text: phrase("Confirm"), onclick: (event) => confirm(landing, event) }),
      el("button", { type: "button", class: "quiet watch", text: phrase("Watch"), hidden: true, onclick: () => watchFilm(past_landings.pasts.get(landing).reading) }),
      el("button", { type: "button", class: "quiet dispute", text: phrase("Dispute"), onclick: () => ruleOn(past_landings.pasts.get(landing)) }),
    ),
  );
}

function drawOne(node, past) {
  put(one(".words", node), named(past));
  put(one(".ruled", node), past.ruled && phrase("Ruled by {name}", { name: past.ruled }));
  const link = one("a", node);
  const image = one("img", link);
  show(image, past.evidence !== "");
  const address = past.evidence ? `evidence/${past.reading}.jpg?of=${encodeURIComponent(`${past_landings.game}/${past.evidence}`)}` : null;
  attr(link, "href", address);
  attr(image, "src", address);
  attr(image, "alt", past.evidence ? phrase("Close-up of landing {number}", { number: past.landing }) : "");
  show(one(".watch", node), hasFilm(past.reading));
  const number = past.landing;
  attr(one(".confirm", node), "aria-label", phrase("Confirm landing {number}", { number }));
  attr(one(".watch", node), "aria-label", phrase("Watch landing {number}", { number }));
  attr(one(".dispute", node), "aria-label", phrase("Dispute landing {number}", { number }));
}

export function drawLandings(snapshot) {
  const section = one("#landings");
  const pasts = snapshot.game?.landings ?? [];
  show(section, pasts.length > 0);
  if (section.hidden) return;
  if (!section.firstElementChild) {
    section.append(
      el(
        "details",
        {},
        el("summary", {}, el("h2", { id: "landings-title" })),
        el("p", { class: "hint", text: phrase("The newest first. Confirming or changing one is kept in the journal, and what followed is scored again.") }),
        el("ol"),
      ),
    );
  }
  past_landings.game = snapshot.game_id;
  past_landings.pasts = new Map(pasts.map((past) => [past.landing, past]));
  put(one("#landings-title"), phraseCount("The landing of this game", "The last {count} landings", pasts.length));
  keep(one("ol", section), pasts, (past) => past.landing, makeLanding, drawOne);
  const asked = snapshot.ask === "landing"; // first the throw in question
  for (const button of section.querySelectorAll("button:not(.watch)")) button.disabled = asked;
}
