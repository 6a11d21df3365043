// The hall's tournament: who is called to which table, what the organiser should know, bracket and standings.
import { el, keep, one, phrase, put, show } from "/static/dom.js";
import { drawHeats, drawRounds } from "/static/drawings.js";

const PATIENCE_MS = 20000;

let seen = 0;

const ABOUT = { called: phrase("come and play"), begun: phrase("being played") };

function makeCall(call) {
  const about = call.standing === "called" && !call.heard ? phrase("the box has not heard it yet") : ABOUT[call.standing];
  return el("li", { class: call.standing }, el("b", { text: call.text }), el("small", { text: phrase("Match {number}, {about}", { number: call.match, about }) }));
}

function drawStandings(rows) {
  keep(one("#standings tbody"), rows, (row) => row.player, () => el("tr", {}, el("td"), el("td"), el("td"), el("td")), (node, row) => {
    [row.place || "–", row.player, row.played, row.wins].forEach((value, index) => put(node.children[index], String(value)));
  });
}

function draw({ tournament, calls, remarks }) {
  const called = calls.filter((call) => call.standing === "called");
  const playing = calls.filter((call) => call.standing === "begun");
  show(one("#calls"), called.length > 0 || (playing.length > 0 && !document.body.classList.contains("screen")));
  one("#calls ul").replaceChildren(...[...called, ...playing].map(makeCall));
  show(one("#remarks"), remarks.length > 0);
  one("#remarks ul").replaceChildren(...remarks.map((text) => el("li", { text })));
  show(one("#cup"), tournament.number > 0);
  put(one("#cup-title"), tournament.champion ? phrase("{name} has won {tournament}", { name: tournament.champion, tournament: tournament.title }) : `${tournament.title}: ${tournament.kind}`);
  drawRounds(one("#cup .rounds"), tournament.matches);
  show(one("#heats"), drawHeats(one("#heats ol"), tournament.closed ? [] : tournament.matches) > 0);
  put(one("#standings .ties"), tournament.tie_breaks);
  drawStandings(tournament.standings);
  one("#cup .rounds").classList.toggle("ladder", tournament.ladder);
}

// Asks for the tournament where it has changed since.
export async function followCalls(changes) {
  if (changes === seen || changes === 0) return;
  seen = changes;
  try {
    const response = await fetch("/tournament", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) throw new Error(response.statusText);
    draw(await response.json());
  } catch {
    seen = 0; // the next word of the desk asks again
  }
}
