// The game that is played: scores, papers and odds, and all that may be done now.

import { RULEBOOKS } from "../rulebooks.js";
import { LANGUAGE } from "../words.js";
import { attr, el, factName, gained, grouped, inWords, keep, one, phrase, phraseCount, phraseLater, put, randomWord, show, svg, titled } from "./dom.js";
import { cutOut, drawStamp, face, faceWord, kindOf, makeStamped, seenDice, stampOf, valueOf } from "./drawings.js";
import { ask, farewell, isFamily, may, notice, seatOf, tell } from "./link.js";
import { followHand, isHandBusy, pictureRead, throwDice, useHand } from "./table.js";

// What may be done that no button of the box says: dice to set aside, cards to draw or play. One button each.

const FEW_CHOICES = 8; // more than that is a wall of buttons on a phone: the rest waits behind "more"
const SLACK = 2; // but nobody is asked to open a list for so few
const TITLES = {
  keep: phrase("Set aside"),
  pocket: phrase("Pocket"),
  choose: phrase("Pocket more, or play a card"),
  rescue: phrase("Play a card"),
  draw: phrase("Which card was drawn?"),
  confirm: phrase("Is the dot covered?"),
};

const offer = { offered: "", choices: [], all: false, answered: null, hand: false };

async function take(event, choice) {
  // An offer is answered once; the second half of a double click meant the first one. But where the next offer stands
  // there already, it may be answered before the box has said yes to the last.
  if (offer.answered === offer.offered || event.detail > 1) return;
  if (isHandBusy()) return; // what lies there now is not yet seen
  const mine = (offer.answered = offer.offered);
  drawBusy();
  await tellChoice(choice);
  if (offer.answered === mine) offer.answered = null;
  drawBusy();
}

// On a simulated mat the players' hand says it with dice and cards, if it can, so that the camera sees it.
export async function tellChoice({ index, words }) {
  const chosen = { choice: index, words };
  const told = offer.hand && (await ask("/hand/choices", chosen));
  if (!told?.ok) return { ...(await tell("/choices", chosen)), by_word: true };
  notice("");
  return told;
}

const drawBusy = () => attr(one("#offer"), "aria-busy", isHandBusy() || offer.answered === offer.offered);

function makeChoice(choice) {
  const gain = choice.points === null ? null : el("b", { text: gained(choice.points) });
  const button = el(
    "button",
    {
      type: "button",
      onclick: (event) => take(event, choice),
      onkeydown: (event) => event.repeat && event.preventDefault(),
    },
    el("span", { text: choice.words }),
    gain,
  );
  return el("li", { class: choice.points === null ? "plain" : "" }, button);
}

// The places that stay in sight: the first few that bring points, and the first few that do not.
function first(choices) {
  const inSight = new Set();
  for (const scoring of [true, false]) {
    const places = choices.flatMap((choice, index) => ((choice.points !== null) === scoring ? [index] : []));
    const count = places.length <= FEW_CHOICES + SLACK ? places.length : FEW_CHOICES;
    for (const index of places.slice(0, count)) inSight.add(index);
  }
  return inSight;
}

function more() {
  offer.all = !offer.all;
  drawList(offer.choices);
}

function drawList(choices) {
  const section = one("#offer");
  const inSight = first(choices);
  const rest = choices.length - inSight.size;
  const named = (choice) => `${choice.index} ${choice.points} ${choice.words}`;
  keep(one("ol", section), choices, named, makeChoice, (node, _, index) => show(node, offer.all || inSight.has(index)));
  const button = one(".more", section);
  show(button, rest > 0);
  put(button, offer.all ? phrase("Only the best") : phraseCount("{count} more", "{count} more", rest));
  attr(button, "aria-expanded", offer.all);
}

export function makeOffer() {
  return el(
    "section",
    { id: "offer", "aria-labelledby": "offer-title", hidden: true },
    el("h3", { id: "offer-title", tabindex: "-1" }),
    el("ol"),
    el("button", { type: "button", class: "quiet more", onclick: more }),
  );
}

// The game's choices, each with its place among them, by which the box knows it.
export const choicesOf = ({ stage, game }) => (stage === "playing" ? game.choices.map((choice, index) => ({ ...choice, index })) : []);

// `belongs` says which of the choices stand in this list, where a page shows the others elsewhere.
export function drawOffer(snapshot, belongs = () => true) {
  const section = one("#offer");
  const { game } = snapshot;
  const choices = choicesOf(snapshot).filter(belongs);
  offer.hand = snapshot.simulated && snapshot.places !== null;
  const title = snapshot.ask === "landing" ? phrase("What counts?") : (TITLES[game.phase] ?? phrase("Choose"));
  put(one("#offer-title"), `${game.active ?? ""}: ${title}`);
  const offered = JSON.stringify([snapshot.game_id, choices]);
  drawBusy();
  if (offered === offer.offered) return;
  const held = section.contains(document.activeElement) ? document.activeElement : null;
  offer.offered = offered;
  offer.choices = choices;
  offer.all = false;
  show(section, choices.length > 0);
  drawBusy();
  drawList(choices);
  // The focus never falls off the page, nor onto something that a second press of Enter would take.
  if (held && (!section.contains(held) || held.closest("[hidden]"))) {
    (section.hidden ? one("#play") : one("#offer-title")).focus({ preventScroll: true });
  }
}

// A bet from a player's own phone. The number is on this page only between touching it and locking it: after that
// nothing here knows it, and the box tells nobody before all are locked.

let named = ""; // at a family's table: who said so on this page
let tapped = ""; // whose BET key was tapped on this page
let shown = ""; // what the box now holds: its own words for the state, never the bet

// Whose page this is: at a family's table whoever said so, else whoever has the seat; "" for everybody's page.
export const ownPlayer = () => (isFamily() ? named : seatOf());
export function iAm(player) {
  named = player;
}
const bettor = () => ownPlayer() || tapped;

// Presses of BET on a page could be counted: the key opens the sealed bet above it instead, and a second tap closes it.
export function betByTap(player) {
  tapped = tapped === player ? "" : player;
  shown = "";
}

function picker(choices) {
  const chip = (dots) =>
    el("label", { class: "choice" }, el("input", { type: "radio", name: "dots", value: dots, required: true, autocomplete: "off" }), el("span", { text: String(dots) }));
  const form = el(
    "form",
    { autocomplete: "off", onsubmit: lockBet },
    el("fieldset", {}, el("legend", { text: phrase("How many dots will this turn gather?") }), el("div", { class: "choices" }, ...choices.map(chip))),
    el("button", { class: "main", text: phrase("Lock my bet") }),
  );
  return form;
}

async function lockBet(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const dots = Number(new FormData(form).get("dots"));
  form.remove(); // before it is sent: whatever comes, no trace of it stays
  put(one("#bet .where"), phrase("Sending your bet…"));
  const player = bettor();
  const answer = await tell("/bets", { player, dots });
  if (!answer.ok) shown = "";
  else if (!ownPlayer()) {
    tapped = "";
    show(one("#bet"), false);
    notice(phrase("{player}’s bet is locked.", { player }), "good");
  }
  else put(one("#bet .where"), phrase("Your bet is locked. All bets are shown when everybody has locked one."));
}

function words(snapshot, player, seat) {
  const { game } = snapshot;
  if (!game) return phrase("The game has not begun yet.");
  if (seat < 0) return phrase("{player} does not play in this game. Players: {players}.", { player, players: game.players.join(", ") });
  if (snapshot.stage === "ended") return phrase("The game is over.");
  const bet = game.bets[seat];
  if (bet === "locked") return phrase("Your bet is locked. All bets are shown when everybody has locked one.");
  return phrase("No bet is asked for now.");
}

// While the page is out of sight, a number that was touched but not locked is forgotten.
export function forgetWhenHidden() {
  document.addEventListener("visibilitychange", () => document.hidden && one("#bet form")?.reset());
}

// `first` of its stream: what happened meanwhile this page has not heard, and a bet that it sent may have been undone.
export function drawBet(snapshot, first = false) {
  const section = one("#bet");
  const player = bettor();
  show(section, player !== "" && snapshot.game?.bets.length !== 0);
  if (section.hidden) return;
  if (!section.firstElementChild) section.append(el("h2", { id: "bet-title", tabindex: "-1" }), el("p", { class: "where", role: "status" }));
  put(one("#bet-title"), phrase("{player}: your secret bet", { player }));
  const { game } = snapshot;
  const seat = game ? game.players.indexOf(player) : -1;
  const mine = game?.allowed.find((each) => each.button === "bet" && each.player === player);
  const next = JSON.stringify([player, snapshot.game_id, game?.active, mine?.choices ?? null, mine ? "" : words(snapshot, player, seat)]);
  const undone = first && mine && !one("form", section);
  if (next === shown && !undone) return;
  shown = next;
  one("form", section)?.remove();
  put(one(".where", section), mine ? phrase("Nobody sees it before all are locked.") : words(snapshot, player, seat));
  if (mine) section.append(picker(mine.choices));
}

// The panel on the screen. It moves pins and knows no rule: pushing goes out as "down", letting go as "up", so that a
// long press here is a long press there. Whatever happens to finger, key or page, an "up" follows each "down".

export const KEYS = { 1: "bet1", 2: "bet2", 3: "bet3", 4: "bet4", r: "roll_done", s: "stop", c: "cache", u: "undo" };
export const LABELS = { roll_done: "ROLL DONE", stop: "STOP", cache: "CACHE", undo: "UNDO" };

const SHORTEST_MS = 90; // a tap is shorter than the box may take for bouncing contacts
const holding = new Map(); // what holds (a pointer, a key) -> {button, finger}
let queue = Promise.resolve(); // one edge after the other, so that none overtakes

let players = [];
let latest = null;
let redraw = () => {};

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const path = (button) => `/pins/${button}`;

function push(source, button) {
  if (holding.has(source)) return;
  if (button.startsWith("bet")) return openBet(players[Number(button.at(-1)) - 1]);
  const held = { button, finger: randomWord(), pushed_ms: performance.now(), landed_ms: 0 };
  holding.set(source, held);
  mark(button);
  queue = queue.then(async () => {
    const answer = await ask(path(button), { down: true, finger: held.finger });
    held.landed_ms = performance.now();
    notice(answer.ok ? "" : answer.text);
  });
}

function openBet(player) {
  betByTap(player);
  redraw();
  setTimeout(() => one("#bet-title")?.focus()); // once the finger's own focus is through
}

function letGo(source) {
  const held = holding.get(source);
  if (!held) return;
  holding.delete(source);
  mark(held.button);
  // The pin went down when the push arrived, behind others perhaps: it is held as long as the finger held.
  const hold_ms = Math.max(SHORTEST_MS, performance.now() - held.pushed_ms);
  queue = queue.then(async () => {
    await pause(Math.max(0, hold_ms - (performance.now() - held.landed_ms)));
    await ask(path(held.button), { down: false, finger: held.finger });
    await pause(SHORTEST_MS); // two quick taps stay two: up as long as a finger takes, not a bounce of one press
  });
}

function letGoOfAll() {
  for (const source of [...holding.keys()]) letGo(source);
}

// The page may never run again: nothing may wait in the queue. A press still on its way finds itself lifted.
function leave() {
  for (const held of holding.values()) farewell(path(held.button), { down: false, finger: held.finger });
  letGoOfAll();
}

function mark(button) {
  const pressed = [...holding.values()].some((held) => held.button === button);
  document.querySelector(`#panel [data-button="${button}"]`)?.classList.toggle("pressed", pressed);
}

function makeKey(name) {
  const pointer = (event) => `pointer ${event.pointerId}`;
  const end = (event) => letGo(pointer(event));
  const key = el(
    "button",
    {
      type: "button",
      class: `key ${name}`,
      "data-button": name,
      onpointerdown: (event) => {
        if (event.button !== 0) return;
        key.setPointerCapture(event.pointerId);
        push(pointer(event), name);
      },
      onpointerup: end,
      onpointercancel: end,
      onlostpointercapture: end,
      oncontextmenu: (event) => event.preventDefault(),
      onkeydown: (event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        if (!event.repeat) push(`key ${event.code}`, name);
      },
      onkeyup: (event) => event.key === " " && event.preventDefault(),
      onclick: (event) => {
        // Neither finger nor key: a screen reader's own way to press.
        if (event.detail !== 0 || event.pointerType) return;
        push("reader", name);
        letGo("reader");
      },
    },
    el("span", { class: "lamp", "aria-hidden": "true" }),
    el("span", { class: "what" }),
    el("span", { class: "who" }),
    el("span", { class: "unseen glow" }),
  );
  return key;
}

// The bar lies over the page's foot, so the page is longer by its height.
export function makePanel() {
  const bar = one("#panel");
  new ResizeObserver(() => document.body.style.setProperty("--foot", `${bar.offsetHeight}px`)).observe(bar);
}

// The simulated hand's key: it throws, or sets the best dice aside where that comes first. Off while the hand moves.

const THROW_KEY = "throw";
const SET_ASIDE_FIRST = { keep: phraseLater("Set aside {dice}: +{points}"), pocket: phraseLater("Pocket {dice}: +{points}") };

const bestChoice = (snapshot) => (SET_ASIDE_FIRST[snapshot.game.phase] ? choicesOf(snapshot).find((choice) => choice.points !== null) : undefined);

function hasThrow(snapshot) {
  if (!snapshot.simulated || snapshot.stage !== "playing" || snapshot.paused || !may("hand")) return false;
  return snapshot.game.wanted_kind !== "" || bestChoice(snapshot) !== undefined;
}

function throwWords(snapshot) {
  const { game } = snapshot;
  if (isHandBusy()) return phrase("The hand is moving…");
  const best = bestChoice(snapshot);
  if (best) return phrase(SET_ASIDE_FIRST[game.phase], { dice: best.words, points: grouped(best.points) });
  if (game.wanted_count === null) return game.running > 0 && game.choices.length ? phrase("Throw the other dice") : phrase("Throw the dice");
  const count = game.wanted_more.reduce((sum, [, more]) => sum + (more ?? 0), game.wanted_count);
  return phraseCount("Throw {count} die", "Throw {count} dice", count);
}

function makeThrow() {
  const act = () => {
    const best = bestChoice(latest);
    return best ? useHand(() => tellChoice(best)) : throwDice();
  };
  return el("button", { type: "button", class: "key throw", "data-act": "throw", onclick: (event) => event.detail < 2 && act() }, el("span", { class: "what" }));
}

function drawThrow(node, snapshot) {
  put(one(".what", node), throwWords(snapshot));
  attr(node, "aria-disabled", isHandBusy() ? true : null);
}

const elsewhere = (target) => target instanceof Element && target.closest("input, select, textarea, dialog");

export function listen(singleKeysOn) {
  document.addEventListener("keydown", (event) => {
    const name = KEYS[event.key.toLowerCase()];
    if (!name || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!singleKeysOn() || elsewhere(event.target) || one("dialog[open]")) return;
    if (!document.querySelector(`#panel:not([hidden]) [data-button="${name}"]`)) return;
    push(`key ${event.code}`, name);
  });
  document.addEventListener("keyup", (event) => letGo(`key ${event.code}`));
  window.addEventListener("blur", letGoOfAll);
  window.addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", () => document.hidden && leave());
}

// What a press of that button does now; while it is dark, what it is called on the box.
function keyWords(name, { game }) {
  if (name === "roll_done") return phrase("Read the dice");
  if (name === "undo") return phrase("Undo");
  const words = game.answers[name] ?? game.allowed.find((each) => each.button === name)?.words;
  return words || ENDS[game.game]?.[name] || LABELS[name];
}

// What players call a button while it is dark, where it is not the box's own word.
const ENDS = { "ten-thousand": { cache: phrase("Bank") }, pig: { cache: phrase("Hold") }, zoinx: { stop: phrase("Stop") }, tray: { stop: phrase("Stop") }, zonk: { cache: phrase("Cache") } };

// Where dice count by themselves, a page with a hand of its own shows ROLL DONE only when it answers something.
const wants = (name, { simulated, reads, ask: asked, touched }) => name !== "roll_done" || !simulated || reads === "roll_done" || asked !== "" || touched !== null;

// The buttons of whose turn it is, for that player's own page: what ends the turn also while it is dark, others when lit.
export function turnKeys(snapshot) {
  const { game, lamps } = snapshot;
  const played = ["roll_done", "stop", "cache"].filter((name) => wants(name, snapshot) && (lamps[name] || ["roll_done", game.turn_end].includes(name)));
  const throws = hasThrow(snapshot) && !bestChoice(snapshot); // dice to set aside are tapped in the picture
  return [...(throws ? [THROW_KEY] : []), ...(may("play") ? played : []), ...(may("judge") ? ["undo"] : [])];
}

function allKeys(snapshot) {
  const { game, lamps } = snapshot;
  const mine = seatOf();
  if (snapshot.stage === "ended") return may("judge") ? ["undo"] : []; // a game that is over has no other button
  const played = ["roll_done", "stop", "cache"].filter((name) => wants(name, snapshot) && (game.buttons.includes(name) || lamps[name]));
  const bets = may("bet") ? betKeys(game).filter((_, index) => !mine || game.players[index] === mine) : [];
  return [...(hasThrow(snapshot) ? [THROW_KEY] : []), ...bets, ...(may("play") ? played : []), ...(may("judge") ? ["undo"] : [])];
}

const betKeys = (game) => (game.bets.length ? game.players.slice(0, 4).map((_, index) => `bet${index + 1}`) : []);

export function drawPanel(snapshot, keysOf = allKeys) {
  const section = one("#panel");
  const { game } = snapshot;
  show(section, game !== null);
  if (!game) return;
  players = game.players;
  latest = snapshot;
  redraw = () => drawBet(snapshot);
  const all = betKeys(game);
  followHand(snapshot);
  const names = keysOf(snapshot);
  const bets = names.filter((name) => all.includes(name));
  show(section, names.length > 0);
  keep(one(".keys", section), names, (name) => name, (name) => (name === THROW_KEY ? makeThrow() : makeKey(name)), (node, name) => {
    if (name === THROW_KEY) return drawThrow(node, snapshot);
    const seat = all.indexOf(name);
    const pressable = Boolean(snapshot.lamps[name]);
    const lit = pressable !== snapshot.blinks.includes(name);
    const words = seat < 0 ? keyWords(name, snapshot) : `BET ${seat + 1}`;
    put(one(".what", node), words);
    put(one(".who", node), seat >= 0 ? game.players[seat] : name === "undo" || words.toUpperCase() === LABELS[name] ? "" : LABELS[name]);
    put(one(".glow", node), pressable ? phrase("lamp lit") : phrase("lamp dark"));
    node.classList.toggle("lit", lit);
    attr(node, "data-lit", lit);
    attr(node, "title", (!pressable && game.dark[name]) || null);
  });
  attr(one(".keys", section), "data-bets", bets.length);
  attr(one(".keys", section), "data-keys", names.filter((name) => name !== THROW_KEY).length - bets.length);
}

// The rulebooks' options in words, as the rulebooks have them: names, values, which stand in front, which depend on another.

const FEW_OPTIONS = 4; // so many options need no folding
const UNKNOWN = { values: {}, only_with: {}, seats: {}, hint: "", free: "", front: false };

const wordsOf = (game, option) => RULEBOOKS[game]?.options[option] ?? UNKNOWN;

export const optionName = (game, option) => wordsOf(game, option).name ?? titled(option);
export const optionValue = (game, option, value) => wordsOf(game, option).values[value] ?? titled(value);
export const namesPlayer = (game, option) => wordsOf(game, option).free === "player";
export const onlyOnce = (game, option) => wordsOf(game, option).free === "once"; // the same word would deal the same cards again
export const hintOf = (game, option) => wordsOf(game, option).hint;
export const riskOf = (game) => RULEBOOKS[game]?.risk ?? ""; // empty where no odds are known

// The edition or mode that a running game is played in.
export const editionOf = ({ game, edition }) => optionValue(game, "mode", edition);

// Whether an option stands in front; the others fold away.
export function inFront(game, option) {
  return Object.keys(game.options).length <= FEW_OPTIONS || wordsOf(game.name, option).front;
}

// How few and how many may play with what is chosen so far.
export function seatsOf(game, chosen) {
  for (const [option, values] of Object.entries(game.options)) {
    const seats = wordsOf(game.name, option).seats[chosen[option] ?? values[0]];
    if (seats) return [Math.max(seats[0], game.seats_min), Math.min(seats[1], game.seats_max)];
  }
  return [game.seats_min, game.seats_max];
}

// A value of an option with which so few could play.
export function valueForFew(game, count) {
  for (const option of Object.keys(game.options)) {
    const found = Object.entries(wordsOf(game.name, option).seats).find(([, [least, most]]) => least <= count && count <= most);
    if (found) return optionValue(game.name, option, found[0]);
  }
  return "";
}

// Whether an option means anything with what is chosen so far.
export function applies(game, chosen, option) {
  return Object.entries(wordsOf(game.name, option).only_with).every(([other, values]) => values.includes(chosen[other] ?? game.options[other]?.[0]));
}

// Whose turn, what everybody has, what may be done now.

let spoken = "";

function buildScores(section, openCorrection) {
  section.append(
    el("div", { class: "row turn" }, el("h2", { id: "scores-title" }), el("p", { class: "running" }, el("b"), el("span"))),
    el("ol", { class: "players" }),
    el("dl", { class: "facts" }),
    el("h3", { text: phrase("Now") }),
    el("ul", { class: "now" }),
    makeOffer(),
    el("button", { type: "button", class: "quiet", id: "open-correct", text: phrase("Correct the last roll"), onclick: openCorrection }),
  );
}

function lockIcon() {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", class: "lock", "aria-hidden": "true" },
    svg("rect", { x: 3, y: 7, width: 10, height: 7, rx: 1.5 }),
    svg("path", { d: "M5 7V5a3 3 0 0 1 6 0v2" }),
  );
}

function makePlayer(_, index) {
  return el(
    "li",
    {},
    el("span", { class: `seat seat${index + 1}`, text: String(index + 1), "aria-hidden": "true" }),
    el("span", { class: "name" }),
    el("span", { class: "active-mark", text: phrase("plays") }),
    el("span", { class: "bet" }, lockIcon(), el("span")),
    el("b", { class: "score" }),
    el("span", { class: "to-go" }),
    el("dl", { class: "facts" }),
  );
}

// How far somebody still is from the points to reach; nothing for who has them.
const toGo = (target, score) => (target !== null && score < target ? phrase("{points} to go", { points: grouped(target - score) }) : "");

// What else everybody may see: of the whole table, or of one player.
export function drawFacts(list, facts) {
  show(list, facts.length > 0);
  const make = () => el("div", {}, el("dt"), el("dd"));
  keep(list, facts, (fact, index) => `${index} ${fact.name}`, make, (node, fact) => {
    put(one("dt", node), factName(fact.name));
    put(one("dd", node), fact.words.join(", "));
  });
}

function betWords(bet) {
  if (typeof bet === "number") return phrase("bet {dots}", { dots: bet });
  return bet === "locked" ? phrase("locked") : phrase("thinking…");
}

function drawPlayer(game, ended) {
  return (node, name, index) => {
    const bet = ended ? undefined : game.bets[index];
    const active = name === game.active;
    node.classList.toggle("active", active);
    attr(node, "aria-current", active ? "true" : null);
    put(one(".name", node), name);
    show(one(".active-mark", node), active);
    show(one(".bet", node), bet !== undefined);
    attr(one(".bet", node), "data-bet", typeof bet === "number" ? "open" : (bet ?? ""));
    put(one(".bet > span", node), bet === undefined ? "" : betWords(bet));
    put(one(".score", node), grouped(game.scores[index]));
    put(one(".to-go", node), ended ? "" : toGo(game.target, game.scores[index]));
    drawFacts(one(".facts", node), game.facts.filter((fact) => fact.player === name));
  };
}

const THROW = { roll_done: phraseLater("{player}: throw {dice}; then press ROLL DONE."), at_rest: phraseLater("{player}: throw {dice}; the box reads them when they lie still.") };
const THROW_OTHERS = {
  roll_done: phraseLater("{player}: or throw the other dice; then press ROLL DONE. The best of what stays lying counts."),
  at_rest: phraseLater("{player}: or throw the other dice; the box reads them when they lie still. The best of what stays lying counts."),
};
const STOP = { press: phraseLater("{player}: press STOP to end the turn and score."), or: phraseLater("{player}: or press STOP to end the turn and score.") };
const STOP_FOR_NOTHING = { press: phraseLater("{player}: press STOP to end the turn with nothing."), or: phraseLater("{player}: or press STOP to end the turn with nothing.") };
const CACHE = { press: phraseLater("{player}: press CACHE to end the turn and keep its points."), or: phraseLater("{player}: or press CACHE to end the turn and keep its points.") };

function nowWords(snapshot) {
  const { game } = snapshot;
  const who = (button) => game.allowed.filter((each) => each.button === button).map((each) => each.player);
  const words = [];
  if (snapshot.ask === "correct") words.push(phrase("Say what the dice show, or throw again."));
  if (snapshot.ask === "landing") words.push(phrase("Answer the question about the last throw: here, or with a lit button."));
  const bettors = who("bet");
  if (bettors.length) words.push(phrase("{players}: bet in secret, with the BET button or a phone.", { players: inWords(bettors) }));
  const [roller] = who("roll_done");
  if (roller) {
    const told = { player: roller, dice: game.wanted || phrase("the dice") };
    // Where dice wait to be set aside, throwing the others says which: the rulebooks take the best so many. Before a
    // turn its choices are no dice: points that may be taken over.
    const keeping = game.choices.length > 0 && game.wanted_count === null && (game.phase !== "roll" || game.running > 0);
    if (keeping) words.push(phrase("{player}: choose on the console what you keep.", told), phrase(THROW_OTHERS[snapshot.reads], told));
    else words.push(phrase(THROW[snapshot.reads], told));
  }
  const stop = game.allowed.some((each) => each.button === "stop" && !each.scores) ? STOP_FOR_NOTHING : STOP;
  for (const player of who("stop")) words.push(phrase(roller ? stop.or : stop.press, { player }));
  for (const player of who("cache")) words.push(phrase(roller ? CACHE.or : CACHE.press, { player }));
  const ends = game.turn_end;
  if (roller && game.running !== null && game.dark[ends]) words.push(phrase("{button} is dark: {why}", { button: LABELS[ends], why: game.dark[ends] }));
  return words;
}

// The last roll as dice: their kinds are known where nothing has happened to them since.
function lastDice(game) {
  const sorted = (words) => [...words].sort().join();
  const rolled = game.last_dice.map(([, value]) => String(value));
  return sorted(rolled) === sorted(game.last_roll) ? game.last_dice : game.last_roll.map((word) => [kindOf(word), valueOf(word)]);
}

// A banner is for seven segments; what it shouts in letters is a word for pages, too.
export const shoutOf = (banner) => (/^[A-Z]{3,}( [A-Z]+)?$/.test(banner) && !["END", "SHARED", "BANK"].includes(banner) ? `${banner}!` : "");

// What the last throw came to.
function cameTo({ last_points: points, banner, winners }) {
  if (points) return gained(points);
  return points === null || winners.length ? "" : shoutOf(banner);
}

// The dice of the last throw, cut out of the picture that was read, whose address is `url`. Where there is none (it has
// not come yet, is not kept, or shows other dice than count) they are drawn.
export function drawDice(list, { game, table }, url) {
  const dice = lastDice(game);
  const seen = url ? seenDice(table, dice) : null;
  const make = ([kind, value], index) => (seen ? cutOut(seen[index], table, url, { role: "img", "aria-label": faceWord(value) }) : face(kind, value));
  keep(list, dice, ([kind, value], index) => `${index} ${kind} ${value} ${seen ? url : ""}`, (die, index) => el("span", {}, make(die, index)));
}

// The last throw in large: what it came to, and its dice. `early`: its place is kept before the first throw, too, so that
// nothing moves then.
export function drawHero(snapshot, early = false) {
  const hero = one("#hero");
  const { game } = snapshot;
  const thrown = game !== null && game.last_roll.length > 0;
  show(hero, thrown || (game !== null && early));
  if (hero.hidden) return;
  if (!hero.firstElementChild) hero.append(el("h2", { id: "hero-title" }), el("p", { class: "came-to" }), el("div", { class: "faces" }));
  put(one("#hero-title"), thrown ? lastRollOf(game) : phrase("No roll yet"));
  put(one(".came-to", hero), thrown ? cameTo(game) : "");
  drawDice(one(".faces", hero), snapshot, pictureRead(snapshot));
}

// What the box says, or how the game goes. Why a game has ended stands with its result, not here too.
export function newsOf({ stage, game, message }) {
  const said = message.text ? message : { text: game?.news ?? "", tone: "info" };
  return stage === "ended" && game ? { ...said, text: said.text.replace(game.cause, "").trim() } : said;
}

// Once the turn has passed on, the dice on the table are those of somebody else than whose turn it is.
export const lastRollOf = ({ thrower, active }) => (thrower && active && thrower !== active ? phrase("{player}’s last roll", { player: thrower }) : phrase("Last roll"));

function speakScores(game) {
  const words = game.players.map((name, index) => `${name} ${game.scores[index]}`).join(", ");
  if (words === spoken) return;
  if (spoken) put(one("#announce"), phrase("Scores: {scores}", { scores: words }));
  spoken = words;
}

export function drawPlayers(list, { game, stage }) {
  keep(list, game.players, (name) => name, makePlayer, drawPlayer(game, stage === "ended"));
}

export function titleOf(snapshot) {
  const { game } = snapshot;
  if (!game) return "";
  const found = snapshot.choices.find((choice) => choice.name === game.game);
  const title = found?.title ?? titled(game.game);
  return game.edition ? `${title} · ${editionOf(game)}` : title;
}

// The points to reach, in a word or two.
export const targetOf = (game) => (game && game.target !== null ? phrase("to {points}", { points: grouped(game.target) }) : "");

// The race in one line, for a phone whose picture fills it: who has what, and how many points are to be reached.
export function drawRace({ stage, game }) {
  const line = one("#race");
  show(line, stage === "playing" && targetOf(game) !== "");
  if (line.hidden) return;
  const has = (name, index) => `${name === game.active ? "▶ " : ""}${name} ${grouped(game.scores[index])}`;
  put(line, [...game.players.map(has), targetOf(game)].join(" · "));
}

export function drawScores(snapshot, openCorrection) {
  const section = one("#scores");
  const { game } = snapshot;
  show(section, game !== null);
  if (!game) return;
  if (!section.firstElementChild) buildScores(section, openCorrection);
  put(one("#scores-title"), game.active ? phrase("{player}’s turn", { player: game.active }) : phrase("Scores"));
  show(one(".running", section), game.running !== null);
  put(one(".running b", section), game.running === null ? "" : grouped(game.running));
  put(one(".running span", section), game.unit || phrase("this turn"));
  drawPlayers(one(".players", section), snapshot);
  drawFacts(one("#scores > .facts"), game.facts.filter((fact) => fact.player === null));
  const now = nowWords(snapshot);
  show(one("#scores > h3"), now.length > 0);
  keep(one(".now", section), now, (text) => text, (text) => el("li", { text }));
  drawOffer(snapshot);
  show(one("#open-correct"), game.last_dice.length > 0 && snapshot.ask === "");
  speakScores(game);
}

// What filled a field of the paper: each of its dice as the camera saw it, opened from the field itself.

let asked = 0; // a field that is opened later is the one to be shown

const plain = (words) => words.replace(" x ", " × ");

// What that field holds, in words: {player, line, dice}, dice being [landing, words, points] each.
export const fieldTitle = ({ player, line, dice }) => phrase("{player}, {line}: {dice}", { player, line, dice: dice.map(([, words]) => plain(words)).join(" + ") });

// The game's throws, the newest first, until all that are looked for have been told.
async function lookUp(game, numbers) {
  const told = new Map();
  for (let before = 0; before !== 1 && !numbers.every((number) => told.has(number)); ) {
    const response = await fetch(`throws${before ? `?before=${before}` : ""}`);
    if (!response.ok) break;
    const page = await response.json();
    if (page.game_id !== game || !page.throws.length) break;
    for (const past of page.throws) if (past.landing && past.standing === "counts" && !told.has(past.landing)) told.set(past.landing, past);
    before = page.throws.at(-1).throw;
  }
  return told;
}

function pictureOf(game, past, words) {
  if (!past?.reading) return el("p", { class: "hint", text: phrase("There is no picture of it.") });
  const kind = past.evidence ? "evidence" : "reading";
  const image = el("img", { src: `${kind}/${past.reading}.jpg?of=${encodeURIComponent(`${game}/${past.evidence || past.reading}`)}`, alt: words });
  image.addEventListener("error", () => image.parentElement.replaceWith(el("p", { class: "hint", text: phrase("There is no picture of it.") })), { once: true });
  const stamped = makeStamped(image);
  drawStamp(stamped, stampOf(past));
  return stamped;
}

function make(dialog) {
  dialog.append(el("h2", { id: "field-title" }), el("div", { class: "dice", "aria-live": "polite" }), el("form", { method: "dialog" }, el("button", { text: phrase("Close") })));
}

// Shows what filled that field of the game.
export async function openField(game, field) {
  const dialog = one("#field");
  if (!dialog.firstElementChild) make(dialog);
  const mine = (asked += 1);
  const { dice } = field;
  put(one("#field-title"), fieldTitle(field));
  const place = one(".dice", dialog);
  place.replaceChildren(el("p", { class: "hint", text: phrase("Looking for it…") }));
  dialog.showModal();
  const told = await lookUp(game, dice.map(([landing]) => landing)).catch(() => new Map());
  if (mine !== asked) return;
  place.replaceChildren(
    ...dice.map(([landing, words, points]) => {
      const past = told.get(landing);
      const shown = plain(words);
      const caption = past ? phrase("Throw {number}, {player}: {words}", { number: past.throw, player: past.player, words: past.words }) : `${shown} = ${points}`;
      return el("figure", {}, el("figcaption", { text: caption }), pictureOf(game, past, shown));
    }),
  );
}

// The score pad, as it would be written on paper. The box says what stands where; here it is only drawn.

const MANY = 4; // from more columns on the dice of each field are left out where there is little room
const FEW_TURNS = 6; // a pad of so few turns is short already
const NEAR = 3; // so many turns before the one that is played stand on a short pad

// Strokes in bundles of five, as wins are counted on paper.
function tally(count) {
  const place = (stroke) => stroke * 7 + Math.floor(stroke / 5) * 8;
  const stroke = (_, nth) => (nth % 5 === 4 ? svg("path", { d: `M${place(nth - 4) - 3} 15 L${place(nth - 1) + 3} 3` }) : svg("path", { d: `M${place(nth)} 2 V16` }));
  const strokes = Array.from({ length: count }, stroke);
  return svg("svg", { viewBox: `-5 0 ${place(count) + 10} 18`, class: "tally", "aria-hidden": "true" }, ...strokes);
}

// What marks say to those who hear the page: the eye sees a frame, a cross, a dash, a star.
const HEARD = { now: phrase("now"), crossed: phrase("earned"), missed: phrase("missed"), won: phrase("won") };

const makeCell = () => el("td", {}, el("span", { class: "unseen heard" }), el("b"), el("span", { class: "words" }), el("small"));
const diceOf = (cell) => (cell.dice ?? []).map(([, words]) => words.replace(" x ", " × ")).join(" + ");

const isBlank = ({ points, words, dice, mark }) => (points ?? null) === null && !words && !dice?.length && !mark;

function write(node, text) {
  put(node, text);
  show(node, text !== "");
}

function drawCell(counts) {
  return (node, cell) => {
    const points = cell.points ?? null;
    attr(node, "data-mark", cell.mark || null);
    write(one(".heard", node), cell.mark in HEARD && cell.words !== HEARD[cell.mark] ? `${HEARD[cell.mark]} ` : "");
    write(one("b", node), points === null ? "" : grouped(points));
    write(one(".words", node), cell.words ?? "");
    write(one("small", node), diceOf(cell));
    const strokes = counts && points > 0 && points <= 25 ? points : 0;
    if (Number(node.dataset.strokes ?? 0) === strokes) return;
    node.dataset.strokes = strokes;
    one(".tally", node)?.remove();
    if (strokes) node.append(tally(strokes));
  };
}

// A field that dice have filled is a button where `look` shows them; `field` is {player, line, dice}.
function drawLook(node, field, look) {
  const dice = field.dice ?? [];
  let button = one(".look", node);
  if (!look || !dice.length) return button?.remove();
  if (!button) {
    button = el("button", { type: "button", class: "look", onclick: () => node.look() });
    node.append(button);
  }
  node.look = () => look(field);
  attr(button, "aria-label", phrase("Look at {field}", { field: fieldTitle(field) }));
}

const isOf = (each, me) => me !== "" && each.players.includes(me);

// One's own column stands first.
function placesOf(columns, me) {
  const places = columns.map((_, place) => place);
  return places.sort((a, b) => Number(isOf(columns[b], me)) - Number(isOf(columns[a], me)) || a - b);
}

function drawTable(table, pad, me, look) {
  const places = placesOf(pad.columns, me);
  put(one("caption", table), pad.title);
  const makeHead = () => el("th", { scope: "col" });
  keep(one("thead tr", table), [null, ...places], (place, index) => `${index} ${place === null ? "" : pad.columns[place].name}`, (place) => (place === null ? el("td") : makeHead()), (node, place) => {
    if (place === null) return;
    put(node, pad.columns[place].name);
    node.classList.toggle("me", isOf(pad.columns[place], me));
  });
  const makeRow = () => el("tr", {}, el("th", { scope: "row" }, el("span"), el("small")));
  keep(one("tbody", table), pad.rows, (row, index) => `${index} ${row.role} ${places.length}`, makeRow, (node, row) => {
    attr(node, "data-role", row.role);
    node.classList.toggle("me", isOf(row, me));
    put(one("th span", node), row.name);
    write(one("th small", node), row.about);
    while (node.children.length <= places.length) node.append(makeCell());
    places.forEach((place, index) => {
      const cell = node.children[index + 1];
      drawCell(pad.kind === "king")(cell, row.cells[place]);
      drawLook(cell, { player: pad.columns[place].name, line: row.name, dice: row.cells[place].dice }, look);
      cell.classList.toggle("me", isOf(pad.columns[place], me));
    });
  });
}

// The turns about the one that is played, and all that is no turn: for a page that has little room.
function shorten(table, pad, me) {
  const own = pad.columns.findIndex((column) => isOf(column, me));
  const cellsOf = (row) => (own < 0 ? row.cells : [row.cells[own]]);
  const turns = pad.rows.filter((row) => row.role === "turn");
  const next = turns.findIndex((row) => cellsOf(row).some((cell) => cell.mark === "now" || isBlank(cell)));
  const at = next < 0 ? turns.length : next;
  [...table.tBodies[0].rows].forEach((node, index) => {
    const row = pad.rows[index];
    const nth = turns.indexOf(row);
    const waits = ["bonus", "extra"].includes(row.role) && cellsOf(row).every(isBlank);
    node.classList.toggle("far", turns.length > FEW_TURNS && (nth < 0 ? waits : nth < at - NEAR || nth > at));
  });
}

function makePad(pad) {
  const title = el("h3", { text: pad.title });
  const table = el("table", {}, el("caption", { class: "unseen" }), el("thead", {}, el("tr")), el("tbody"));
  return el("div", { class: "paper", "data-kind": pad.kind }, title, el("div", { class: "sideways", role: "region", "aria-label": pad.title, tabindex: 0 }, table));
}

// Draws all papers of the game into a box; `me` is whose column comes first, "" for nobody's; `look` opens a filled field.
export function drawPads(box, pads, me = "", look = null) {
  keep(box, pads, (pad) => `${pad.kind} ${pad.title}`, makePad, (node, pad) => {
    node.classList.toggle("many", pad.columns.length > MANY);
    node.style.setProperty("--columns", pad.columns.length);
    drawTable(one("table", node), pad, me, look);
    shorten(one("table", node), pad, me);
  });
}

// The card of a page: hidden where the game has no paper.
export function drawPadCard(snapshot, me = "", look = null) {
  const section = one("#pad");
  const pads = snapshot.game?.pads ?? [];
  show(section, pads.length > 0);
  if (!pads.length) return;
  if (!section.firstElementChild) section.append(el("h2", { id: "pad-title", text: phrase("Score sheet") }), el("div", { class: "papers" }), wholeButton(section));
  drawPads(one(".papers", section), pads, me, look && ((field) => look(snapshot.game_id, field)));
  show(one("#whole-pad"), one("tr.far", section) !== null);
  settle(section, pads.some((pad) => pad.columns.length > MANY) ? one(".see #table") : one(".play #scores"));
}

// A paper for many is as wide as the pictures; one for few stands below the scores.
function settle(section, before) {
  if (before && section.previousElementSibling !== before) before.after(section);
}

// Short or whole: on a phone the whole card is longer than the page.
function wholeButton(section) {
  const button = el("button", { type: "button", class: "quiet", id: "whole-pad", "aria-pressed": "false", text: phrase("All lines") });
  button.addEventListener("click", () => {
    const whole = section.classList.toggle("whole");
    attr(button, "aria-pressed", whole);
  });
  return button;
}

// The odds of each choice, for whoever opens them. They are asked for only then: working them out takes the box a moment.

const WAIT_MS = 400; // no more often than people can read

const odds = { allowed: false, asked: "", busy: false, snapshot: null };

const rounded = (number, digits) => number.toLocaleString(LANGUAGE, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
const percent = (part) => `${rounded(100 * part, 1)} %`;
const points = (number) => rounded(number, Math.abs(number) < 100 ? 2 : 0);

function buildOdds(section) {
  section.append(
    el(
      "details",
      { ontoggle: askOdds },
      el("summary", { text: phrase("Odds") }),
      el("p", { class: "hint", text: phrase("Expected points of the turn when all that follows is played best by points. Secret bets are not looked at.") }),
      el("p", { class: "none", role: "status" }),
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...[phrase("Choice"), phrase("Points"), phrase("Brings any"), "", phrase("Goal")].map((text) => el("th", { scope: "col", text })))),
        el("tbody"),
      ),
    ),
  );
}

// In Zoinx only bets that are still to be made, and of players who face the same choice only the first.
function chosen(told) {
  const { game } = odds.snapshot;
  if (game.phase !== "bet") return told.choices;
  const open = game.allowed.filter((each) => each.button === "bet").map((each) => each.player);
  const own = ownPlayer();
  const other = open.find((name) => name !== game.active);
  const whose = own ? [own] : [game.active, other];
  return told.choices.filter((each) => open.includes(each.player) && whose.includes(each.player));
}

function draw(told) {
  const rows = chosen(told);
  const { game } = odds.snapshot;
  const several = new Set(rows.map((each) => each.player)).size > 1;
  const [risks, goals] = [rows.some((each) => each.risk > 0), rows.some((each) => each.goal !== null)];
  const words = (each) => (several ? phrase("{player}: {choice}", { player: each.player, choice: each.words }) : each.words);
  const cells = (each) => [points(each.points), percent(each.chance), each.risk ? percent(each.risk) : "", each.goal === null ? "" : percent(each.goal)];
  const [, , , risk, goal] = document.querySelectorAll("#odds th");
  put(risk, riskOf(game.game));
  show(risk, risks);
  show(goal, goals);
  show(one("#odds table"), rows.length > 0);
  put(one("#odds .none"), rows.length ? "" : phrase("There is nothing to choose now."));
  const make = () => el("tr", {}, el("th", { scope: "row" }, el("span"), el("small")), ...[0, 1, 2, 3].map(() => el("td")));
  keep(one("#odds tbody"), rows, (each, index) => `${index} ${each.player} ${each.words}`, make, (node, each) => {
    put(one("th span", node), words(each));
    put(one("th small", node), each.hint);
    cells(each).forEach((text, index) => put(node.children[index + 1], text));
    show(node.children[3], risks);
    show(node.children[4], goals);
  });
}

async function askOdds() {
  const { snapshot } = odds;
  if (!one("#odds details")?.open || !snapshot?.game || odds.busy || odds.asked === snapshot.game.line) return;
  odds.busy = true;
  attr(one("#odds"), "aria-busy", true);
  if (!one("#odds tbody tr")) put(one("#odds .none"), phrase("Working them out…"));
  const told = await fetch("odds", { cache: "no-store" }).then((answer) => answer.json()).catch(() => null);
  odds.busy = false;
  attr(one("#odds"), "aria-busy", null);
  if (told?.choices && told.line === odds.snapshot.game?.line) {
    odds.asked = told.line;
    draw(told);
  } else setTimeout(askOdds, WAIT_MS);
}

export async function makeOdds() {
  const told = await fetch("odds?allowed", { cache: "no-store" }).then((answer) => answer.json()).catch(() => null);
  odds.allowed = Boolean(told?.shown);
  if (odds.snapshot) drawOdds(odds.snapshot);
}

export function drawOdds(snapshot) {
  const section = one("#odds");
  odds.snapshot = snapshot;
  show(section, odds.allowed && snapshot.stage === "playing" && riskOf(snapshot.game?.game) !== "");
  if (section.hidden) return;
  if (!section.firstElementChild) buildOdds(section);
  askOdds();
}
