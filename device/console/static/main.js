// Callbox's console: the page for people at the table. Everything it shows comes from snapshots.

import { LANGUAGE } from "../words.js";
import { KEYS, LABELS, drawBet, drawHero, drawOdds, drawPadCard, drawPanel, drawRace, drawScores, forgetWhenHidden, listen, makeOdds, makePanel, newsOf, openField, titleOf } from "./game.js";
import { drawCorrect, drawHand, drawTable, drawTouched, makeHand, makeTable, onReadingPicture, openByHand, throwDice } from "./table.js";
import { attr, el, grouped, inWords, keep, lazyModule, one, phrase, put, recall, remember, show } from "./dom.js";
import { drawBoard } from "./drawings.js";
import { drawFilms, makeFilm } from "./film.js";
import { follow, followPeople, link, makePeople, may, say, tell } from "./link.js";
import { drawLobby, openPhones } from "./lobby.js";
import { drawVoice, makeVoice } from "./voice.js";

// A game, or the whole journal, that could not be opened: the ways on from there. Why stands in the message above.

let drawn_aside = "";

export function drawAside(snapshot) {
  const section = one("#aside");
  const { aside } = snapshot;
  show(section, aside !== null);
  const next = JSON.stringify(aside);
  if (next === drawn_aside) return;
  drawn_aside = next;
  if (!aside) return section.replaceChildren();
  const ways = [];
  if (aside.way) ways.push(el("button", { type: "button", class: "main", text: aside.way, onclick: () => tell("/restore", {}) }));
  if (aside.game_id !== null) ways.push(el("a", { href: "aside.jsonl", download: `callbox-game-${aside.game_id}.jsonl`, text: phrase("Save what is there") }));
  section.replaceChildren(
    el("h2", { id: "aside-title", text: aside.game_id === null ? phrase("The journal was put aside") : phrase("Game {number} is set aside", { number: aside.game_id }) }),
    ...(ways.length ? [el("div", { class: "row" }, ...ways)] : []),
    el("p", { class: "hint", text: phrase("Or begin a new game below. What is set aside stays on the card.") }),
  );
}

// Players whom a hall's desk has called to this table: one touch begins their match, or the table sends them back.

let shown = "";

function makeCalled(call) {
  const refuse = async (event) => {
    event.preventDefault();
    await tell("/call/refuse", { call: call.id, reason: new FormData(event.target).get("reason").trim() });
  };
  return [
    el("h2", { id: "called-title", text: phrase("The desk calls {players}", { players: inWords(call.players) }) }),
    el("p", { text: call.match }),
    el("button", { type: "button", class: "main begin", text: phrase("Begin the match"), onclick: (event) => event.detail < 2 && tell("/call/begin", { call: call.id }) }),
    el("details", {}, el("summary", { text: phrase("This table cannot take the match") }),
      el("form", { onsubmit: refuse },
        el("label", {}, el("span", { text: phrase("Why, for the organiser") }), el("input", { name: "reason", required: "", maxlength: 200, autocomplete: "off" })),
        el("button", { text: phrase("Send it to another table") }))),
    el("p", { class: "hint", hidden: "" }),
  ];
}

export function drawCalled({ call, stage, sign_off: result }) {
  const section = one("#called");
  show(section, call !== null && stage !== "playing");
  if (section.hidden) return;
  if (shown !== call.id) {
    shown = call.id;
    section.replaceChildren(...makeCalled(call));
  }
  const unsigned = result !== null && result.standing !== "signed";
  const why = unsigned ? phrase("The last result waits for the referee’s sign-off.") : "";
  show(one(".begin", section), !unsigned && may("lead"));
  show(one("details", section), may("lead"));
  put(one(".hint", section), why || (may("lead") ? "" : phrase("Who leads this table begins it.")));
  show(one(".hint", section), one(".hint", section).textContent !== "");
}

// The games of an evening: pause the one that is played, put it away, abandon it; take up again what was put away.

const HERE = new Intl.DateTimeFormat(LANGUAGE, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

let atTable = null; // the game that is played: its number, players and scores
let listed = new Map();

const button = (text, kind, act) => el("button", { type: "button", class: kind, text, onclick: (event) => event.detail < 2 && act() });
const tend = (what, gameId) => tell(`/games/${what}`, { game_id: gameId });

function standing({ players, scores }) {
  return scores.length ? players.map((name, index) => `${name} ${grouped(scores[index])}`).join(", ") : inWords(players);
}

// Nothing brings an abandoned game back, so it takes a second touch, elsewhere.
function askToAbandon(game) {
  const dialog = one("#abandon");
  const leave = async () => {
    dialog.close();
    await tend("abandon", game.game_id);
  };
  dialog.replaceChildren(
    el("h2", { id: "abandon-title", text: phrase("Abandon this game?") }),
    el("p", { text: phrase("{standing}. It ends without a winner and cannot be resumed. To play on another day, save it for later instead.", { standing: standing(game) }) }),
    el("div", { class: "row" }, button(phrase("Abandon it"), "danger", leave), el("button", { type: "button", class: "main", autofocus: true, text: phrase("Keep it"), onclick: () => dialog.close() })),
  );
  dialog.showModal();
}

export function drawCourse(snapshot) {
  const section = one("#course");
  const { game, paused } = snapshot;
  show(section, snapshot.stage === "playing" && may("lead"));
  attr(document.body, "data-paused", paused ? "" : null);
  if (section.hidden) return;
  atTable = { game_id: snapshot.game_id, players: game.players, scores: game.scores };
  if (!section.firstElementChild) {
    section.append(
      el("h2", { id: "course-title", class: "unseen", text: phrase("This game") }),
      button(phrase("Resume"), "main go-on", () => tend("go-on", atTable.game_id)),
      button(phrase("Pause"), "quiet pause", () => tend("pause", atTable.game_id)),
      button(phrase("Save for later"), "quiet put-away", () => tend("put-away", atTable.game_id)),
      button(phrase("Abandon…"), "quiet abandon", () => askToAbandon(atTable)),
    );
  }
  show(one(".go-on", section), paused);
  show(one(".pause", section), !paused);
}

function makeGame({ game_id: id }) {
  return el(
    "li",
    {},
    el("p", { class: "title" }),
    el("p", { class: "standing" }),
    el("p", { class: "hint when" }),
    el("p", {}, el("a", { href: `games/${id}`, text: phrase("Throw by throw") })),
    el("div", { class: "row" }, button(phrase("Resume"), "main", () => tend("take-up", id)), button(phrase("Abandon…"), "quiet", () => askToAbandon(listed.get(id)))),
  );
}

function drawGame(node, game) {
  put(one(".title", node), game.title);
  put(one(".standing", node), standing(game));
  put(one(".when", node), HERE.format(new Date(game.when)));
  const [goOn, abandon] = node.querySelectorAll("button");
  attr(goOn, "aria-label", phrase("Resume: {game}, {standing}", { game: game.title, standing: standing(game) }));
  attr(abandon, "aria-label", phrase("Abandon: {game}, {standing}", { game: game.title, standing: standing(game) }));
}

export function drawPutAway(snapshot) {
  const section = one("#put-away");
  show(section, snapshot.put_away.length > 0 && may("lead"));
  if (section.hidden) return;
  if (!section.firstElementChild) section.append(el("h2", { id: "put-away-title", text: phrase("Saved games") }), el("ol"));
  listed = new Map(snapshot.put_away.map((game) => [game.game_id, game]));
  keep(one("ol", section), snapshot.put_away, (game) => game.game_id, makeGame, drawGame);
}

// How the dice of the last roll came to lie there, in words.

let drawn_history = "";

export function drawHistory(snapshot) {
  const lines = snapshot.history?.lines ?? [];
  const now = JSON.stringify(lines);
  if (now === drawn_history) return;
  drawn_history = now;
  const list = one("#history");
  list.replaceChildren(...lines.map((text) => el("li", { text })));
  show(list, lines.length > 0);
}

let latest = null;

const endZone = lazyModule("./landing.js", () => draw(latest));
const openCorrection = () => may("judge") && openByHand(latest);

function draw(snapshot, first = false) {
  latest = snapshot;
  drawVoice(snapshot);
  followPeople(snapshot);
  if (document.body.dataset.stage !== snapshot.stage) scrollTo(0, 0); // another page, as people see it: it begins at its head
  attr(document.body, "data-stage", snapshot.stage);
  put(one("#title"), titleOf(snapshot));
  say(one("#message"), newsOf(snapshot));
  say(one("#camera"), snapshot.camera);
  say(one("#stuck"), snapshot.panel);
  drawTable(snapshot);
  drawTouched(snapshot);
  drawHistory(snapshot);
  drawFilms(snapshot);
  const landings = endZone(snapshot.game?.game === "end-zone");
  landings?.drawLanding(snapshot);
  landings?.drawLandings(snapshot);
  drawScores(snapshot, openCorrection);
  drawRace(snapshot);
  drawPadCard(snapshot, "", openField);
  drawBoard(snapshot);
  drawPanel(snapshot);
  drawOdds(snapshot);
  drawHand(snapshot);
  drawBet(snapshot, first);
  drawCorrect(snapshot);
  drawAside(snapshot);
  drawCourse(snapshot);
  drawPutAway(snapshot);
  drawCalled(snapshot);
  drawLobby(snapshot);
  drawHero(snapshot, one("#welcome").hidden);
}

const bigScreen = () => location.assign("./?screen");

function shortcuts() {
  const words = [
    ...Object.entries(KEYS).map(([key, name]) => [key.toUpperCase(), LABELS[name] ?? `BET ${name.at(-1)}`]),
    ["T", phrase("Throw (simulated table)")],
    ["E", phrase("Correct the last roll")],
    ["B", phrase("Big screen")],
    ["M", phrase("Mute the calls of this page, or not")],
    ["?", phrase("These keys")],
  ];
  one(".shortcuts").append(...words.map(([key, text]) => el("div", {}, el("dt", {}, el("kbd", { text: key })), el("dd", { text }))));
  const acts = {
    t: () => latest?.simulated && may("hand") && throwDice(),
    e: openCorrection,
    b: bigScreen,
    "?": () => one("#help").showModal(),
  };
  const on = one("#single-keys");
  on.checked = recall("single-keys") !== "off";
  on.addEventListener("change", () => remember("single-keys", on.checked ? "on" : "off"));
  listen(() => on.checked);
  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || !on.checked) return;
    if (event.target.closest?.("input, select, textarea, dialog") || one("dialog[open]")) return;
    const act = acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

one("#open-phones").addEventListener("click", () => openPhones(latest));
one("#open-help").addEventListener("click", () => one("#help").showModal());
one("#big").addEventListener("click", bigScreen);
show(one("#message"), false);
shortcuts();
makePanel();
makeOdds();
makeTable();
onReadingPicture(() => latest && draw(latest)); // dice are cut out of it
makeVoice();
makeFilm();
makeHand(() => latest && draw(latest));
forgetWhenHidden();
makePeople(() => latest && draw(latest));
follow(draw, link);
