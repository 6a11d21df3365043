// Whose turn, what everybody has, what may be done now.

import { attr, el, grouped, inWords, keep, one, put, show, svg, titled } from "./dom.js";
import { face, kindOf, valueOf } from "./faces.js";
import { drawOffer, makeOffer } from "./offer.js";
import { ENDS, LABELS } from "./panel.js";
import { valueOf as ruleValue } from "./rules.js";

let spoken = "";

function skeleton(section, openCorrection) {
  section.append(
    el("div", { class: "row turn" }, el("h2", { id: "scores-title" }), el("p", { class: "running" }, el("b"), el("span"))),
    el("ol", { class: "players" }),
    el("div", { class: "last" }, el("span", { class: "label", text: "Last roll" }), el("span", { class: "faces" })),
    el("dl", { class: "facts" }),
    el("h3", { text: "Now" }),
    el("ul", { class: "now" }),
    makeOffer(),
    el("button", { type: "button", class: "quiet", id: "open-correct", text: "Correct the last roll", onclick: openCorrection }),
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
    el("span", { class: "active-mark", text: "plays" }),
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
    put(one("dt", node), fact.name.charAt(0).toUpperCase() + fact.name.slice(1));
    put(one("dd", node), fact.words.join(", "));
  });
}

function betWords(bet) {
  if (typeof bet === "number") return `bet ${bet}`;
  return bet === "locked" ? "locked" : "thinking…";
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

function nowWords(snapshot) {
  const { game } = snapshot;
  const who = (button) => game.allowed.filter((each) => each.button === button).map((each) => each.player);
  const words = [];
  if (snapshot.ask === "correct") words.push("Say what the dice show, or throw again.");
  if (snapshot.ask === "landing") words.push("Answer what is asked about the last throw: here, or with a button that glows.");
  const bettors = who("bet");
  if (bettors.length) words.push(`${inWords(bettors)}: bet in secret, with the BET button or a phone.`);
  const [roller] = who("roll_done");
  if (roller) {
    const then = snapshot.reads === "roll_done" ? "then press ROLL DONE" : "the box reads them when they lie still";
    // Where dice wait to be set aside, throwing the others says which: the rulebooks take the best so many.
    const keeping = game.choices.length > 0 && game.wanted_count === null;
    if (keeping) words.push(`${roller}: choose on the console what you keep.`, `${roller}: or throw the other dice; ${then}. The best of what stays lying counts.`);
    else words.push(`${roller}: throw ${game.wanted || "the dice"}; ${then}.`);
  }
  const or = roller ? "or " : "";
  for (const stopper of who("stop")) words.push(`${stopper}: ${or}press STOP to end the turn ${game.game === "zonk" ? "with nothing" : "and score"}.`);
  for (const player of who("cache")) words.push(`${player}: ${or}press CACHE to end the turn and keep its points.`);
  const ends = ENDS[game.game];
  if (roller && game.running !== null && game.dark[ends]) words.push(`${LABELS[ends]} is dark: ${game.dark[ends]}`);
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
  if (spoken) put(one("#announce"), `Scores: ${words}`);
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
  return game.edition ? `${title} · ${ruleValue("mode", game.edition)}` : title;
}

export function drawScores(snapshot, openCorrection) {
  const section = one("#scores");
  const { game } = snapshot;
  show(section, game !== null);
  if (!game) return;
  if (!section.firstElementChild) skeleton(section, openCorrection);
  put(one("#scores-title"), game.active ? `${game.active}’s turn` : "Scores");
  show(one(".running", section), game.running !== null);
  put(one(".running b", section), game.running === null ? "" : grouped(game.running));
  put(one(".running span", section), game.game === "zoinx" ? (game.running === 1 ? "dot" : "dots") : "this turn");
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
