// The organiser's page: the list and its draw, what is to be done about each match, bracket, standings and papers.
import { attr, el, grouped, keep, one, phrase, put, show } from "/static/dom.js";
import { drawRounds } from "/static/drawings.js";
import { followStream, lostWords } from "/static/link.js";
import { drawEntries, loadEntries, makeEntries } from "./entries.js";
import { drawLists, makeLists } from "./matches.js";
import { makeSign, mayAnswer, openSign } from "./sign.js";

const PATIENCE_MS = 20000;
const tables = new Map(); // ID of a table: what the desk last said of it
let told = null; // the tournament as the desk last told it
let seen = -1;

const goesOn = () => told !== null && told.tournament.number > 0 && !told.tournament.closed;

// Papers: what is printed is always on the page, and shown to the printer alone.

function drawSheet({ title, matches }) {
  put(one("#sheet-title"), phrase("{tournament}: sign-off list", { tournament: title }));
  const rows = matches.filter((match) => match.known[0] && match.known[1]);
  keep(one("#sheet tbody"), rows, (match) => match.number, () => el("tr", {}, ...Array.from({ length: 6 }, () => el("td"))), (row, match) => {
    const points = match.points[0] === null || match.points[1] === null ? "" : `${grouped(match.points[0])} : ${grouped(match.points[1])}`;
    const cells = [match.number, match.group, match.sides.join(" – "), points, match.winner, match.signed];
    cells.forEach((text, index) => put(row.children[index], String(text)));
  });
}

function printPaper(what) {
  attr(document.body, "data-print", what);
  print();
}

addEventListener("afterprint", () => attr(document.body, "data-print", null));

// Drawing

function drawStandings({ standings, tie_breaks, withdrawn }) {
  put(one("#standings .ties"), tie_breaks);
  keep(one("#standings tbody"), standings, (row) => row.player, () => el("tr", {}, el("td"), el("td"), el("td"), el("td")), (node, row) => {
    const name = withdrawn.includes(row.player) ? phrase("{player} (withdrawn)", { player: row.player }) : row.player;
    [row.place || "–", name, row.played, row.wins].forEach((value, index) => put(node.children[index], String(value)));
  });
}

function draw() {
  show(one("#locked"), !mayAnswer());
  if (told === null) return;
  const { tournament, remarks } = told;
  put(one("#sums"), tournament.number ? (tournament.closed ? phrase("{title} is over.", { title: tournament.title }) : phrase("{title} goes on.", { title: tournament.title })) : phrase("No tournament was drawn yet."));
  show(one("#remarks"), goesOn() && remarks.length > 0);
  one("#remarks ul").replaceChildren(...remarks.map((text) => el("li", { text })));
  drawEntries(!goesOn(), [...tables.values()].map((each) => each.name));
  show(one("#won"), tournament.champion !== "");
  put(one("#won-title"), tournament.champion && phrase("{name} has won {tournament}", { name: tournament.champion, tournament: tournament.title }));
  drawLists(told, goesOn(), [...tables.values()]);
  show(one("#cup"), tournament.number > 0);
  put(one("#cup-title"), `${tournament.title}: ${tournament.kind}`);
  put(one("#cup .chance"), tournament.chance);
  drawRounds(one("#cup .rounds"), tournament.matches);
  drawStandings(tournament);
  drawSheet(tournament);
}

async function follow(changes) {
  if (changes === seen) return;
  seen = changes;
  try {
    const response = await fetch("/tournament", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) throw new Error(response.statusText);
    const before = goesOn();
    told = await response.json();
    if (before && !goesOn()) await loadEntries();
    draw();
  } catch {
    seen = -1; // the next word of the desk asks again
  }
}

function alarm(text) {
  show(one("#alarm"), Boolean(text));
  put(one("#alarm"), text);
}

makeEntries();
makeLists();
one("#locked .sign").addEventListener("click", openSign);
document.querySelectorAll("button[data-print]").forEach((button) => button.addEventListener("click", () => printPaper(button.dataset.print)));
await loadEntries();
makeSign(draw);
followStream(
  "tables",
  (said, first) => {
    if (first) tables.clear();
    said.tables.forEach((each) => tables.set(each.id, each));
    alarm(said.disk);
    draw();
    follow(said.tournament);
  },
  (up, heard_ms) => !up && alarm(lostWords(heard_ms)),
);
