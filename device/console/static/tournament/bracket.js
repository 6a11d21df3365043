// The bracket, drawn round by round, for the tournament's page and the big screen alike.

import { attr, el, grouped, keep, one, put } from "../dom.js";
import { phrase } from "../phrase.js";

const STATES = { waits: phrase("waits"), ready: phrase("ready"), begun: phrase("being played"), undecided: phrase("to be played again"), played: "" };

// The rounds in the order in which they stand side by side.
export function roundsOf(matches) {
  const rounds = new Map();
  for (const match of matches) rounds.set(match.group, [...(rounds.get(match.group) ?? []), match]);
  return [...rounds].map(([title, its]) => ({ title, matches: its }));
}

const makeSide = () => el("p", { class: "side" }, el("span", { class: "who" }), el("b", { class: "points" }));

function drawMatch(node, match) {
  attr(node, "data-state", match.state);
  put(one(".about", node), [phrase("Match {number}", { number: match.number }), STATES[match.state]].filter(Boolean).join(", "));
  node.querySelectorAll(".side").forEach((side, index) => {
    put(one(".who", side), match.sides[index]);
    put(one(".points", side), match.points[index] === null ? "" : grouped(match.points[index]));
    side.classList.toggle("open", !match.known[index]);
    side.classList.toggle("won", match.winner !== "" && match.winner === match.sides[index]);
  });
}

export function drawRounds(box, matches) {
  keep(
    box,
    roundsOf(matches),
    (round) => round.title,
    (round) => el("section", { "aria-label": round.title }, el("h3", { text: round.title }), el("ol")),
    (node, round) => keep(one("ol", node), round.matches, (match) => match.number, () => el("li", {}, el("p", { class: "about" }), makeSide(), makeSide()), drawMatch),
  );
}
