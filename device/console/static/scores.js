// Whose turn, what everybody has, what may be done now.

import { attr, el, grouped, inWords, keep, one, put, show, svg, titled } from "./dom.js";
import { face, kindOf, valueOf } from "./faces.js";
import { factName } from "./facts.js";
import { drawOffer, makeOffer } from "./offer.js";
import { LABELS } from "./panel.js";
import { phrase, phraseLater } from "./phrase.js";
import { editionOf } from "./rules.js";

let spoken = "";

function skeleton(section, openCorrection) {
  section.append(
    el("div", { class: "row turn" }, el("h2", { id: "scores-title" }), el("p", { class: "running" }, el("b"), el("span"))),
    el("ol", { class: "players" }),
    el("div", { class: "last" }, el("span", { class: "label", text: phrase("Last roll") }), el("span", { class: "faces" })),
    el("dl", { class: "facts" }),
    el("h3", { text: phrase("Now") }),
    el("ul", { class: "now" }),
    makeOffer(),
    el("button", { type: "button", class: "quiet", id: "open-correct", text: phrase("Correct the last roll"), onclick: openCorrection }),
  );
}

function lock() {
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
    el("span", { class: "bet" }, lock(), el("span")),
    el("b", { class: "score" }),
    el("dl", { class: "facts" }),
  );
}

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
  if (snapshot.ask === "landing") words.push(phrase("Answer what is asked about the last throw: here, or with a button that glows."));
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

export function drawScores(snapshot, openCorrection) {
  const section = one("#scores");
  const { game } = snapshot;
  show(section, game !== null);
  if (!game) return;
  if (!section.firstElementChild) skeleton(section, openCorrection);
  put(one("#scores-title"), game.active ? phrase("{player}’s turn", { player: game.active }) : phrase("Scores"));
  show(one(".running", section), game.running !== null);
  put(one(".running b", section), game.running === null ? "" : grouped(game.running));
  put(one(".running span", section), game.unit || phrase("this turn"));
  drawPlayers(one(".players", section), snapshot);
  show(one(".last", section), game.last_roll.length > 0);
  keep(
    one(".faces", section),
    game.last_roll.length ? lastDice(game) : [],
    ([kind, value], index) => `${index} ${kind} ${value}`,
    ([kind, value]) => el("span", {}, face(kind, value)),
  );
  drawFacts(one("#scores > .facts"), game.facts.filter((fact) => fact.player === null));
  const now = nowWords(snapshot);
  show(one("#scores > h3"), now.length > 0);
  keep(one(".now", section), now, (text) => text, (text) => el("li", { text }));
  drawOffer(snapshot);
  show(one("#open-correct"), game.last_dice.length > 0 && snapshot.ask === "");
  speakScores(game);
}
