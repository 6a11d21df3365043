// The scores: whose turn it is, what it has gathered, and what everybody has. Also lobby, bets and winner.

import { attr, el, grouped, keep, one, put, show, svg } from "../dom.js";
import { face, kindOf, valueOf } from "../faces.js";
import { fit, fitAll } from "./fit.js";
import { WORDS, betOf, factWords, gained, haveLocked, nowRolls, revealed, runningUnit, signedBy, titleOf, winsOf } from "./words.js";

const MANY = 6; // from more players on there are two columns

function lock() {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", class: "lock", "aria-hidden": "true" },
    svg("rect", { x: 3, y: 7, width: 10, height: 7, rx: 1.5 }),
    svg("path", { d: "M5 7V5a3 3 0 0 1 6 0v2" }),
  );
}

export const seat = (number) => el("span", { class: `seat seat${number + 1}`, text: String(number + 1), "aria-hidden": "true" });

// Dice as they were rolled: their kinds are known where nothing has happened to them since.
export function drawFaces(node, game) {
  const sorted = (words) => [...words].sort().join();
  const rolled = game.last_dice.map(([, value]) => String(value));
  const same = sorted(rolled) === sorted(game.last_roll);
  const dice = same ? game.last_dice : game.last_roll.map((word) => [kindOf(word), valueOf(word)]);
  keep(node, dice, ([kind, value], index) => `${index} ${kind} ${value}`, ([kind, value]) => el("span", {}, face(kind, value)));
  show(node, dice.length > 0);
}

function makePlayer(_, index) {
  return el(
    "li",
    {},
    seat(index),
    el("div", { class: "who" }, el("span", { class: "name" }), el("span", { class: "facts" })),
    el("span", { class: "bet" }, lock(), el("span")),
    el("span", { class: "gain" }),
    el("b", { class: "score" }),
  );
}

function betWords(bet) {
  if (bet === undefined) return "";
  return typeof bet === "number" ? betOf(bet) : WORDS[bet];
}

function drawPlayer(game, gains) {
  return (node, name, index) => {
    const bet = game.winners.length ? undefined : game.bets[index];
    const active = name === game.active;
    node.classList.toggle("active", active);
    attr(node, "aria-current", active ? "true" : null);
    put(one(".name", node), name);
    put(one(".facts", node), game.facts.filter((fact) => fact.player === name).map(factWords).join(" · "));
    attr(one(".bet", node), "data-bet", typeof bet === "number" ? "open" : (bet ?? "none"));
    put(one(".bet > span", node), betWords(bet));
    put(one(".gain", node), gains[index] ? gained(gains[index]) : "");
    put(one(".score", node), grouped(game.scores[index]));
  };
}

// What the left side says in large: the dots or points of the turn, or how many bets are locked.
function drawRunning(section, snapshot) {
  const { game } = snapshot;
  const secret = game.bets.filter((bet) => typeof bet === "string");
  const betting = secret.length > 0 && !snapshot.paused;
  const running = betting ? haveLocked(secret.filter((bet) => bet === "locked").length, game.bets.length) : game.running === null ? "" : grouped(game.running);
  const node = one(".running", section);
  show(node, running !== "");
  node.classList.toggle("betting", betting);
  put(one("b", node), running);
  put(one("span", node), betting ? WORDS.bet : running && runningUnit(game));
  const most = one(".turn", section).classList.contains("dense") ? 7 : 12;
  if (running) fit(one("b", node), betting ? 5.6 : most, 3);
  if (betting) show(one(".turn .faces", section), false);
}

export function drawScores(snapshot, gains) {
  const section = one("#scores");
  const { game } = snapshot;
  put(one(".game", section), titleOf(snapshot));
  put(one("#whose"), snapshot.paused ? WORDS.paused : (game.active ?? WORDS.over));
  const facts = game.facts.filter((fact) => fact.player === null).map(factWords);
  one(".turn", section).classList.toggle("dense", facts.length > 1);
  drawFaces(one(".turn .faces", section), game);
  drawRunning(section, snapshot);
  keep(one(".turn .facts", section), facts, (text) => text, (text) => el("li", { text }));
  show(one(".turn .facts", section), facts.length > 0);
  const list = one(".players", section);
  list.classList.toggle("many", game.players.length > MANY);
  list.style.setProperty("--rows", Math.max(game.players.length > MANY ? Math.ceil(game.players.length / 2) : game.players.length, 3));
  attr(list, "data-bets", game.bets.length > 0);
  keep(list, game.players, (name) => name, makePlayer, drawPlayer(game, gains));
  fit(one(".game", section), 2, 1.2);
  fit(one("#whose"), 6.4, 1.8);
  fit(one(".turn .facts", section), 2.1, 1.4);
  fitAll(list, ".who", game.players.length > MANY ? 2.7 : 3.8, 0.9);
}

export function drawLobby(snapshot) {
  put(one("#lobby-title"), WORDS.lobby);
  put(one("#lobby .lead"), WORDS.lobbyLead);
}

export function drawBets(snapshot) {
  const section = one("#bets");
  const { game } = snapshot;
  put(one("#bets-title"), revealed());
  const make = (name, index) => el("li", {}, seat(index), el("p", { class: "name" }), el("b"));
  keep(one("ol", section), game.players, (name) => name, make, (node, name, index) => {
    node.classList.toggle("active", name === game.active);
    put(one(".name", node), name);
    put(one("b", node), String(game.bets[index]));
  });
  put(one(".next", section), nowRolls(game.active));
  fitAll(section, ".name", 3.6, 1.6);
  fit(one(".next", section), 3.6, 2);
}

export function drawWinner(snapshot) {
  const section = one("#winner");
  const { game } = snapshot;
  const ranking = game.players.map((name, index) => ({ name, index, score: game.scores[index], won: game.winners.includes(name) }));
  ranking.sort((a, b) => Number(b.won) - Number(a.won) || b.score - a.score);
  put(one("#winner-title"), winsOf(game.winners));
  put(one(".cause", section), game.cause);
  const list = one("ol", section);
  list.style.setProperty("--columns", Math.ceil(ranking.length / 4));
  const make = ({ index }) => el("li", {}, seat(index), el("span", { class: "name" }), el("b"));
  keep(list, ranking, (each) => each.name, make, (node, each) => {
    node.classList.toggle("won", each.won);
    put(one(".name", node), each.name);
    put(one("b", node), grouped(each.score));
  });
  const { sign_off: stands } = snapshot;
  put(one(".signed", section), stands === null ? "" : stands.standing === "signed" ? signedBy(stands.by) : WORDS.waitsForReferee);
  show(one(".signed", section), stands !== null);
  fit(one("#winner-title"), 9, 3);
  fit(one(".cause", section), 3, 1.6);
  fitAll(list, ".name", 2.6, 1.2);
}
