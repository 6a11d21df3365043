// The referee's page: what waits on top, and below it every throw of the game with its picture, film and rulings.

import { LANGUAGE } from "../words.js";
import { attr, el, grouped, keep, one, phrase, phraseLater, put, show } from "./dom.js";
import { drawPadCard, openField, titleOf } from "./game.js";
import { stampOf } from "./drawings.js";
import { drawFilms, hasFilm, makeFilm, watchFilm } from "./film.js";
import { drawLanding, ruleOn } from "./landing.js";
import { follow, followPeople, link, makePeople, notice, say, tell } from "./link.js";
import { drawCorrect, drawTable, drawTouched, makeTable, openPast } from "./table.js";
import { openZoom } from "./zoom.js";

// One button opens the one form of a throw: a landing is ruled on, the dice of a roll are corrected.
function dispute(past) {
  if (past.landing) return ruleOn(past);
  if (newest_log.ask === "correct") return notice(phrase("First answer what is asked about the last throw."));
  openPast(past, newest_log, openZoom);
}

// Enters in the journal that it was looked at and stays.
export async function confirmLanding(past, button) {
  button.disabled = true;
  await tell("/rulings", { event: { event: "refereed", landed: past.landed, reason: "confirmed", landing: past.landing } });
  button.disabled = false;
  show(button, true);
}

// The throws of the game, the newest first: picture, call, what was asked, and who said what to it.

const BADGES = { answered: phrase("asked"), corrected: phrase("corrected"), ruled: phrase("ruled"), confirmed: phrase("confirmed") };
const STANDINGS = { asked: phrase("waits"), undone: phrase("taken back"), refused: phrase("does not count") };
const SAID = { ruled: phraseLater("Ruled: {words}"), corrected: phraseLater("Corrected: {words}"), answered: phraseLater("Answered: {words}"), confirmed: phraseLater("Confirmed: {words}"), undone: "{words}" };

const log = { game: null, throws: [], count: 0, pages: 1, seen: "", loading: false, again: false };
let newest_log = null;
let drawn = () => {};

export const throwsNow = () => log.throws;

const clock = (iso) => new Date(iso).toLocaleTimeString(LANGUAGE, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
function throwTitle(past) {
  const told = { number: past.throw, player: past.player, words: past.words || phrase("not known yet") };
  return past.player ? phrase("Throw {number}, {player}: {words}", told) : phrase("Throw {number}: {words}", told);
}

// Something that the log tells may have changed; bets, while they are secret, are in none of it.
function factsOf(snapshot) {
  const { game_id, stage, ask, table, landing, message, game } = snapshot;
  return JSON.stringify([game_id, stage, ask, table.reading_id, landing, message, game && [game.scores, game.running, game.active, game.last_dice, game.landings, game.line]]);
}

async function page(before) {
  const response = await fetch(`throws${before ? `?before=${before}` : ""}`);
  return response.ok ? response.json() : null;
}

async function load() {
  if (log.loading) return (log.again = true);
  log.loading = true;
  try {
    do {
      log.again = false;
      await loadPages();
    } while (log.again);
  } catch {
    log.seen = ""; // the box did not answer: the next snapshot asks again
  } finally {
    log.loading = false;
  }
}

async function loadPages() {
  const found = [];
  let told = null;
  for (let number = 0; number < log.pages; number += 1) {
    told = await page(found.at(-1)?.throw);
    if (told === null) throw new Error("no log");
    found.push(...told.throws);
    if (!told.throws.length || found.at(-1).throw === 1) break;
  }
  if (told.game_id !== log.game) log.pages = 1;
  Object.assign(log, { game: told.game_id, throws: found, count: told.count, trouble: told.trouble });
  drawn();
}

function pictureOf(past) {
  if (!past.reading) return "";
  const kind = past.evidence ? "evidence" : "reading";
  return `${kind}/${past.reading}.jpg?of=${encodeURIComponent(`${log.game}/${past.evidence || past.reading}`)}`;
}

const pastOf = (number) => log.throws.find((each) => each.throw === number);

function makeThrow({ throw: number }) {
  const image = el("img", { alt: "", loading: "lazy" });
  image.addEventListener("error", () => show(image.closest("button"), false));
  return el(
    "li",
    {},
    el("button", { type: "button", class: "thumb", onclick: () => openZoom(pictureOf(pastOf(number)), throwTitle(pastOf(number)), stampOf(pastOf(number))) }, image),
    el("div", { class: "what" }, el("h3", {}), el("p", { class: "row badges" }), el("p", { class: "hint asked" }), el("ul", { class: "said" })),
    el(
      "div",
      { class: "row acts" },
      el("button", { type: "button", class: "quiet watch", text: phrase("Watch"), hidden: true, onclick: () => watchFilm(pastOf(number).reading) }),
      el("button", { type: "button", class: "quiet confirm", text: phrase("Confirm"), onclick: (event) => confirmLanding(pastOf(number), event.target) }),
      el("button", { type: "button", class: "quiet dispute", text: phrase("Dispute"), onclick: () => dispute(pastOf(number)) }),
    ),
  );
}

function saidLine({ kind, text, by, at, changed }) {
  const who = [by || phrase("at the box"), clock(at)].join(", ");
  return el("li", {}, el("b", { text: phrase(SAID[kind], { words: text }) }), ` (${who})`, changed ? el("span", { class: "changed", text: changed }) : null);
}

function badgesOf(past) {
  const said = past.said.map((word) => BADGES[word.kind]).filter(Boolean);
  return [...new Set([STANDINGS[past.standing], past.asked && past.standing === "counts" && phrase("asked"), ...said].filter(Boolean))];
}

function drawThrow(node, past) {
  attr(node, "data-standing", past.standing);
  const title = throwTitle(past);
  put(one("h3", node), title);
  const image = one("img", node);
  const address = pictureOf(past);
  if (image.getAttribute("src") !== (address || null)) attr(image, "src", address || null);
  show(one(".thumb", node), address !== "");
  attr(image, "alt", address ? phrase("Look closer at throw {number}", { number: past.throw }) : "");
  keep(one(".badges", node), [clock(past.at), ...badgesOf(past)], (word) => word, (word) => el("span", { class: "badge", text: word }));
  put(one(".asked", node), past.asked);
  keep(one(".said", node), past.said, (_, index) => index, saidLine);
  show(one(".watch", node), hasFilm(past.reading));
  show(one(".confirm", node), past.landing > 0);
  const number = past.throw;
  attr(one(".watch", node), "aria-label", phrase("Watch throw {number}", { number }));
  attr(one(".confirm", node), "aria-label", phrase("Confirm throw {number}", { number }));
  attr(one(".dispute", node), "aria-label", phrase("Dispute throw {number}", { number }));
  show(one(".dispute", node), past.standing === "counts");
}

// Which throws are listed: all, or those with a word of people; of everybody, or of one player.

const has = (kind) => (past) => past.said.some((word) => word.kind === kind);
const FILTERS = {
  all: { words: phrase("all"), keeps: () => true },
  asked: { words: phrase("asked"), keeps: (past) => past.asked !== "" },
  ruled: { words: phrase("ruled"), keeps: has("ruled") },
  corrected: { words: phrase("corrected"), keeps: has("corrected") },
};
const counts = (past) => past.standing === "counts" || past.standing === "asked";

function listed() {
  const [kind, player] = ["kind", "player"].map((name) => one(`#log [name=${name}]`).value);
  return log.throws.filter((past) => FILTERS[kind].keeps(past) && (player === "" || past.player === player));
}

function drawFilters() {
  const players = [...new Set(log.throws.map((past) => past.player).filter(Boolean))].toSorted();
  keep(one("#log [name=player]"), [["", phrase("everybody")], ...players.map((name) => [name, name])], ([value]) => `player ${value}`, ([value, text]) => el("option", { value, text }));
  show(one("#log .filters"), log.throws.length > 0);
}

export function drawLog() {
  const section = one("#log");
  put(one("#log-title"), log.count ? phrase("The throws ({count})", { count: log.count }) : phrase("No throws yet"));
  put(one(".trouble", section), log.trouble ?? "");
  drawFilters();
  const throws = listed();
  const list = (name, these) => keep(one(name, section), these, (past) => `${log.game}/${past.throw}`, makeThrow, drawThrow);
  list(".counted", throws.filter(counts));
  const refused = throws.filter((past) => !counts(past));
  list(".refused ol", refused);
  show(one(".refused", section), refused.length > 0);
  put(one(".refused summary", section), phrase("Throws that do not count ({count})", { count: refused.length }));
  show(one(".earlier", section), log.throws.length > 0 && log.throws.at(-1).throw > 1);
}

export function makeLog(onNews) {
  drawn = onNews;
  one("#log [name=kind]").append(...Object.entries(FILTERS).map(([value, { words }]) => el("option", { value, text: words })));
  one("#log .filters").addEventListener("change", drawLog);
  one("#log .earlier").addEventListener("click", () => {
    log.pages += 1;
    load();
  });
}

export function followLog(snapshot) {
  newest_log = snapshot;
  const facts = factsOf(snapshot);
  if (facts === log.seen) return;
  log.seen = facts;
  load();
}

// The result of a game that is over: the referee signs it off, or opens it again with a reason.

const sign = (gameId) => tell("/sign-off", { game_id: gameId });

let signing = null;

// How the result stands, in a sentence.
export function standsHow({ result, standing, by, at, reason }) {
  if (standing === "signed") return phrase("Signed off by {name}, {time}: {result}.", { name: by, time: clock(at), result });
  if (standing === "opened") return phrase("Opened again by {name}, {time}: {reason}. It stands: {result}.", { name: by, time: clock(at), reason, result });
  return phrase("The result stands: {result}.", { result });
}

async function openAgain(event) {
  event.preventDefault();
  const form = event.target;
  const reason = new FormData(form).get("reason").trim();
  if ((await tell("/sign-off/open", { game_id: Number(form.dataset.game) || signing.game_id, reason })).ok) form.reset();
}

function reasonForm(gameId, words) {
  return el(
    "form",
    { class: "reopen", autocomplete: "off", "data-game": gameId, onsubmit: openAgain },
    el("label", { class: "option" }, el("span", { text: phrase("Why, for the journal") }), el("input", { name: "reason", maxlength: 200, required: true })),
    el("button", { class: "quiet", text: words }),
  );
}

function makeEarlier({ game_id: id }) {
  return el(
    "li",
    {},
    el("p"),
    el("div", { class: "acts row" }, el("button", { type: "button", text: phrase("Sign it off"), onclick: () => sign(id) })),
    el("details", {}, el("summary", { text: phrase("Look at it again") }), reasonForm(id, phrase("Put it on the table"))),
  );
}

function drawEarlier(node, game) {
  const result = game.scores.length ? game.players.map((name, index) => `${name} ${grouped(game.scores[index])}`).join(", ") : game.players.join(", ");
  put(one("p", node), phrase("Game {number}, {game}: {result}", { number: game.game_id, game: game.title, result }));
  attr(one("button", node), "aria-label", phrase("Sign game {number} off: {result}", { number: game.game_id, result }));
}

function makeSign(section) {
  section.append(
    el("h2", { id: "sign-off-title", text: phrase("The result") }),
    el("p", { class: "stands", role: "status" }),
    el("button", { type: "button", class: "main sign", text: phrase("Sign it off"), onclick: () => sign(signing.game_id) }),
    el("details", { class: "again" }, el("summary", { text: phrase("Open it again") }), reasonForm(0, phrase("Open it again"))),
    el("div", { class: "earlier" }, el("h3", { text: phrase("Earlier results that wait") }), el("ol")),
  );
}

export function drawSignOff(snapshot) {
  const section = one("#sign-off");
  const { sign_off: stands, unsigned } = snapshot;
  signing = snapshot;
  show(section, stands !== null || unsigned.length > 0);
  if (section.hidden) return;
  if (!section.firstElementChild) makeSign(section);
  put(one(".stands", section), stands ? standsHow(stands) : "");
  show(one(".stands", section), stands !== null);
  show(one(".sign", section), stands !== null && stands.standing !== "signed");
  show(one(".again", section), stands?.standing === "signed");
  if (stands?.standing !== "signed") one(".again", section).open = false;
  show(one(".earlier", section), unsigned.length > 0);
  keep(one("ol", section), unsigned, (game) => game.game_id, makeEarlier, drawEarlier);
}

// What waits for the referee now: the question about a throw, with the likeliest answer first, or the covered dot.

const NOTHING = { kind: "", title: phrase("Nothing waits"), text: phrase("The next question about a throw comes here, with its close-up.") };

// What is asked; `asked` is the throw of the log that waits, where the log has it already.
function questionOf(snapshot, asked) {
  const game = snapshot.game;
  if (!game || snapshot.stage !== "playing") return NOTHING;
  const dot = game.choices.filter((choice) => choice.event?.event === "confirmed");
  if (snapshot.ask === "landing") return { kind: "landing", title: phrase("To be decided"), text: asked?.asked || snapshot.message.text };
  if (dot.length) return { kind: "dot", title: phrase("Is the dot covered?"), text: snapshot.message.text };
  if (snapshot.ask === "correct") return { kind: "correct", title: phrase("What do the dice show?"), text: snapshot.message.text };
  if (snapshot.touched) return { kind: "touched", title: phrase("Dice were touched"), text: snapshot.message.text };
  return NOTHING;
}

// The likeliest answer leads; those that a deciding die gives come last.
function answersOf(snapshot, kind, asked) {
  if (kind !== "landing" && kind !== "dot") return [];
  const all = snapshot.game.choices.map((each, choice) => ({ ...each, choice }));
  const mine = kind === "dot" ? all.filter(({ event }) => event?.event === "confirmed") : all;
  const rank = ({ words, by_die }) => (words === asked?.likeliest ? 0 : by_die ? 2 : 1);
  return mine.toSorted((one, other) => rank(one) - rank(other));
}

async function answer(choice, words) {
  const said = await tell("/choices", { choice, words });
  if (said.ok) one("#waiting-title").focus({ preventScroll: true });
}

// Returns the question as it stands there.
export function drawWaiting(snapshot, throws) {
  const section = one("#waiting");
  const asked = throws.find((each) => each.standing === "asked");
  const { kind, title, text } = questionOf(snapshot, asked);
  attr(document.body, "data-waits", kind || null);
  put(one("#waiting-title"), title);
  put(one(".question", section), text);
  keep(
    one(".answers", section),
    answersOf(snapshot, kind, asked),
    ({ choice, words }) => `${choice} ${words}`,
    ({ choice, words }) => el("button", { type: "button", text: words, onclick: () => answer(choice, words) }),
    (button, { words }) => button.classList.toggle("main", words === asked?.likeliest),
  );
  return text;
}

let latest = null;

function draw(snapshot) {
  latest = snapshot;
  followPeople(snapshot);
  attr(document.body, "data-stage", snapshot.stage);
  put(one("#title"), titleOf(snapshot));
  say(one("#camera"), snapshot.camera);
  drawTable(snapshot);
  drawTouched(snapshot);
  drawFilms(snapshot);
  drawLanding(snapshot, throwsNow());
  drawCorrect(snapshot, throwsNow());
  const question = drawWaiting(snapshot, throwsNow());
  const { message } = snapshot;
  say(one("#message"), message.text === question ? { ...message, text: "" } : message); // said once
  drawSignOff(snapshot);
  drawPadCard(snapshot, "", openField);
  followLog(snapshot);
  drawLog();
}

makeTable();
makeFilm();
makeLog(() => latest && draw(latest));
makePeople(() => latest && draw(latest));
follow(draw, link);
