// The tournament's page: what is to be played now, the bracket, the standings; a host draws and begins matches here.

import { attr, el, keep, one, put, show } from "../dom.js";
import { follow } from "../feed.js";
import { followPeople, makePeople } from "../people.js";
import { phrase } from "../phrase.js";
import { tell } from "../post.js";
import { link, say } from "../said.js";
import { drawRounds } from "./bracket.js";
import { makeDraw } from "./draw.js";

let latest = null;
let told = null;
let seen = null;

async function load(changes) {
  if (seen === changes) return;
  seen = changes;
  try {
    const response = await fetch("tournament", { cache: "no-store" });
    if (!response.ok) throw new Error(response.statusText);
    told = await response.json();
    draw();
  } catch {
    seen = null; // the next snapshot asks again
  }
}

const versus = ({ sides: [first, second] }) => phrase("{first} against {second}", { first, second });
const goesOn = () => told !== null && told.number > 0 && !told.closed;

// Why the next match cannot begin now; "" where it can.
function whyNotNow() {
  if (latest.stage === "playing") return latest.match ? phrase("{match} is being played.", { match: latest.match }) : phrase("Another game is at the table.");
  const { sign_off: stands } = latest;
  return stands && stands.standing !== "signed" ? phrase("The last result waits for the referee’s sign-off.") : "";
}

function drawNext() {
  const section = one("#next");
  const match = told.matches.find((each) => each.number === told.next);
  show(section, goesOn() && (match !== undefined || told.champion !== ""));
  if (section.hidden) return;
  put(one("#next-title"), match ? phrase("Next: match {number}", { number: match.number }) : phrase("{name} has won {tournament}", { name: told.champion, tournament: told.title }));
  const why = match ? whyNotNow() : "";
  put(one(".why", section), why);
  const begin = one(".begin", section);
  show(begin, match !== undefined && why === "");
  if (match) put(begin, phrase("Begin: {match}", { match: versus(match) }));
  begin.onclick = (event) => event.detail < 2 && tell("/tournament/begin", { match: match.number });
}

function drawStandings() {
  show(one("#standings"), told.number > 0);
  put(one("#standings .ties"), told.tie_breaks);
  const rows = told.standings;
  keep(one("#standings tbody"), rows, (row) => row.player, () => el("tr", {}, el("td"), el("td"), el("td"), el("td")), (node, row) => {
    [row.place || "–", row.player, row.played, row.reigns ? phrase("{wins} ({reigns} as King)", { wins: row.wins, reigns: row.reigns }) : row.wins].forEach((value, index) => put(node.children[index], String(value)));
  });
}

function drawEnd() {
  const played = told.matches.filter((match) => match.game_id > 0);
  show(one("#end"), goesOn());
  show(one("#end .take-back"), played.length > 0);
  keep(one("#end select"), played, (match) => match.number, (match) => el("option", { value: match.number }), (node, match) => put(node, `${match.number}: ${versus(match)}`));
}

function draw() {
  if (latest === null) return;
  followPeople(latest);
  attr(document.body, "data-stage", latest.stage);
  say(one("#message"), latest.message);
  if (told === null) return;
  put(one("#title"), told.title);
  show(one("#bracket"), told.number > 0);
  put(one("#bracket-title"), told.number > 0 ? `${told.title}: ${told.kind}` : "");
  put(one("#bracket .trouble"), told.trouble);
  drawRounds(one("#bracket .rounds"), told.matches);
  drawNext();
  drawStandings();
  drawEnd();
  const fresh = one("#draw");
  if (!goesOn() && fresh.hidden && latest.choices.length > 0) makeDraw(latest);
  show(fresh, !goesOn());
}

async function takeBack(event) {
  event.preventDefault();
  const asked = new FormData(event.target);
  const said = await tell("/tournament/take-back", { match: Number(asked.get("match")), reason: asked.get("reason").trim() });
  if (said.ok) event.target.reset();
}

function askToEnd() {
  const dialog = one("#ending");
  const end = async () => {
    dialog.close();
    await tell("/tournament/close", {});
  };
  dialog.replaceChildren(
    el("h2", { id: "ending-title", text: phrase("End {tournament}?", { tournament: told.title }) }),
    el("p", { text: phrase("No match of it can be begun or taken back any more. Its results stay.") }),
    el("div", { class: "row" }, el("button", { type: "button", class: "danger", text: phrase("End it"), onclick: end }), el("button", { type: "button", class: "main", autofocus: true, text: phrase("Go on with it"), onclick: () => dialog.close() })),
  );
  dialog.showModal();
}

one("#end .take-back").addEventListener("submit", takeBack);
one("#end .close").addEventListener("click", askToEnd);
makePeople(draw);
follow((snapshot) => {
  latest = snapshot;
  draw();
  load(snapshot.tournament);
}, link);
