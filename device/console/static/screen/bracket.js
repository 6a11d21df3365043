// The bracket on the big screen: as much of it as can be read from across the room, else the standings.

import { el, keep, one, put, show } from "../dom.js";
import { drawRounds } from "../tournament/bracket.js";
import { fit } from "./fit.js";
import { WORDS, nextMatch } from "./words.js";

const MOST_ROUNDS = 4; // side by side
const MOST_MATCHES = 8; // one above the other

let told = null;
let seen = null;

const isOver = (matches) => matches.every((match) => match.winner !== "");

// Rounds that are over make room for those to come.
export function inSight(matches) {
  let groups = [...new Set(matches.map((match) => match.group))];
  const of = (group) => matches.filter((match) => match.group === group);
  while (groups.length > 1 && (groups.length > MOST_ROUNDS || of(groups[0]).length > MOST_MATCHES) && isOver(of(groups[0]))) groups = groups.slice(1);
  groups = groups.slice(0, MOST_ROUNDS);
  return groups.some((group) => of(group).length > MOST_MATCHES) ? [] : matches.filter((match) => groups.includes(match.group));
}

function drawList(list, rows, words) {
  keep(list, rows, (row) => row.player, () => el("li", {}, el("span", { class: "place" }), el("span", { class: "name" }), el("b")), (node, row) => {
    put(one(".place", node), row.place ? `${row.place}.` : "–");
    put(one(".name", node), row.player);
    put(one("b", node), words(row));
  });
}

function drawTold(section) {
  put(one("h2", section), told.champion ? WORDS.wonTournament(told.champion, told.title) : told.title);
  const next = told.matches.find((match) => match.number === told.next);
  put(one(".next", section), next ? nextMatch(next) : told.kind);
  const upper = told.matches.filter((match) => !match.lower);
  const lower = told.matches.filter((match) => match.lower);
  const shown = told.ladder ? [inSight(upper), inSight(lower)] : [[], []];
  drawRounds(one(".upper", section), shown[0]);
  drawRounds(one(".lower", section), shown[1]);
  show(one(".lower", section), shown[1].length > 0);
  show(one(".upper", section), shown[0].length > 0);
  const list = one(".standings", section);
  show(list, shown[0].length === 0);
  drawList(list, told.standings.slice(0, 12), (row) => String(row.reigns || row.wins));
  fit(one("h2", section), 5, 2);
  for (const box of section.querySelectorAll(".rounds:not([hidden]), .standings:not([hidden])")) fit(box, 2.4, 0.9);
}

export function drawBracket(snapshot) {
  const section = one("#bracket");
  if (told !== null) drawTold(section);
  if (seen === snapshot.tournament) return;
  seen = snapshot.tournament;
  fetch("tournament", { cache: "no-store" })
    .then((response) => response.json())
    .then((found) => {
      told = found;
      drawTold(section);
    })
    .catch(() => (seen = null)); // the next drawing asks again
}
