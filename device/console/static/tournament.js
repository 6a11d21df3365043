// The tournament's page: what is to be played now, the bracket, the standings; a host draws and begins matches here.

import { attr, el, keep, one, phrase, put, show } from "./dom.js";
import { drawHeats, drawRounds, versus } from "./drawings.js";
import { applies, hintOf, namesPlayer, onlyOnce, optionName, optionValue } from "./game.js";
import { follow, followPeople, link, makePeople, may, say, tell } from "./link.js";
import { isSeated, makePersons } from "./lobby.js";

// Drawing a new tournament: its name, how it goes, who plays in which order, and which game.

const KINDS = [
  ["single", phrase("Single elimination, with seeds")],
  ["book", phrase("Single elimination, as End Zone’s rulebook has it")],
  ["double", phrase("Double elimination")],
  ["round-robin", phrase("Round robin")],
  ["king", phrase("King: the winner stays, the next in line steps up")],
];
const TIES = { "round-robin": phrase("Wins decide. Among equals: wins against one another, then the difference of points in those matches. Who still shares first place plays for it (play-off).") };
const LEAST = 2;

let players = [];
let choices = [];
let options = {};

const form = () => one("#draw form");
const game = () => choices.find((each) => each.name === new FormData(form()).get("game")) ?? choices[0];
// The rules are those of every match, so what is good for one game or one player alone is not offered.
const rules = () => Object.entries(game().options).filter(([name]) => applies(game(), options, name) && !onlyOnce(game().name, name) && !namesPlayer(game().name, name));

function field(words, input) {
  return el("label", { class: "option" }, el("span", { text: words }), input);
}

const pickOf = (name, entries, onchange) => el("select", { name, onchange }, ...entries.map(([value, text]) => el("option", { value, text })));

function drawRules() {
  keep(
    one(".options", form()),
    rules(),
    ([name]) => `${game().name} ${name}`,
    ([name, values]) => {
      const take = (event) => { options[name] = event.target.value.trim(); drawRules(); };
      if (!values.length) return field(optionName(game().name, name), el("input", { maxlength: 80, autocomplete: "off", placeholder: hintOf(game().name, name), onchange: take }));
      return field(optionName(game().name, name), pickOf(`rule-${name}`, values.map((value) => [value, optionValue(game().name, name, value)]), take));
    },
  );
}

function drawLine(redraw) {
  const small = (text, label, act) => el("button", { type: "button", class: "quiet small", text, "aria-label": label, onclick: () => { act(); drawLine(redraw); redraw(); } });
  const swap = (index, by) => () => { if (players[index + by] !== undefined) [players[index], players[index + by]] = [players[index + by], players[index]]; };
  one(".line", form()).replaceChildren(
    ...players.map((name, index) => el("li", {}, el("span", { text: name }), small("↑", phrase("{name} earlier", { name }), swap(index, -1)), small("↓", phrase("{name} later", { name }), swap(index, 1)), small("×", phrase("Without {name}", { name }), () => { players = players.filter((each) => each !== name); }))),
  );
}

async function drawPairs(event) {
  event.preventDefault();
  const told = new FormData(form());
  const asked = { title: told.get("title").trim(), kind: told.get("kind"), players, game: game().name, options: {} };
  for (const [name, values] of rules()) if (options[name] && options[name] !== values[0]) asked.options[name] = options[name];
  const goal = Number(told.get("goal") || 0);
  if (asked.kind === "king" && goal > 0) asked.goal = goal;
  put(one(".trouble", form()), players.length < LEAST ? phrase("A tournament is for two or more. Tap or add the players.") : "");
  if (players.length >= LEAST) await tell("/tournament/draw", asked);
}

export function makeDraw(snapshot) {
  choices = snapshot.choices.filter((each) => each.seats_max >= LEAST);
  const section = one("#draw");
  const toggle = (name) => {
    players = isSeated(players, { name }) ? players.filter((each) => each.toLowerCase() !== name.toLowerCase()) : [...players, name];
    drawLine(persons.redraw);
  };
  const persons = makePersons(() => players, toggle);
  const add = el("input", { name: "new-player", maxlength: 40, autocomplete: "off" });
  const addNow = () => {
    const name = add.value.trim();
    if (name && !isSeated(players, { name })) toggle(name);
    add.value = "";
    persons.redraw();
    add.focus();
  };
  add.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    addNow();
  });
  const proposed = choices.find((each) => each.name === "end-zone") ?? choices[0];
  options = {};
  const goal = field(phrase("Wins that end it; 0 for no end"), el("input", { name: "goal", type: "number", min: 0, max: 999, value: 0 }));
  goal.hidden = true; // King alone has one
  const ties = el("p", { class: "ties hint", role: "status" });
  const pickKind = pickOf("kind", KINDS, () => { goal.hidden = pickKind.value !== "king"; put(ties, TIES[pickKind.value] ?? ""); });
  const pickGame = pickOf("game", choices.map((each) => [each.name, each.title]), () => { options = {}; drawRules(); });
  section.replaceChildren(
    el("h2", { id: "draw-title", text: phrase("A new tournament") }),
    el(
      "form",
      { autocomplete: "off", onsubmit: drawPairs },
      field(phrase("Its name"), el("input", { name: "title", maxlength: 40, required: true })),
      field(phrase("How it goes"), pickKind),
      ties,
      goal,
      el("fieldset", {}, el("legend", { text: phrase("Players: by their seeds, the best first, or in line") }), persons.box, el("ol", { class: "line" }),
        el("div", { class: "row" }, field(phrase("Another player"), add), el("button", { type: "button", class: "quiet add", text: phrase("Add"), onclick: addNow }))),
      el("fieldset", {}, el("legend", { text: phrase("Each match") }), field(phrase("Game"), pickGame),
        el("details", {}, el("summary", { text: phrase("Rules of each match") }), el("div", { class: "options" }))),
      el("p", { class: "trouble", role: "alert" }),
      el("button", { class: "main", text: phrase("Draw the matches") }),
    ),
  );
  pickGame.value = proposed.name;
  drawLine(persons.redraw);
  drawRules();
}

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
  const free = one(".free", section); // another game holds the table: from here it is put away
  show(free, match !== undefined && latest.stage === "playing" && !latest.match && may("lead"));
  free.onclick = (event) => event.detail < 2 && tell("/games/put-away", { game_id: latest.game_id });
  begin.onclick = (event) => event.detail < 2 && tell("/tournament/begin", { match: match.number });
}

function drawStandings() {
  show(one("#standings"), told.number > 0);
  put(one("#standings .ties p"), told.tie_breaks);
  show(one("#standings .ties"), told.tie_breaks !== "");
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
  show(one("#heats"), drawHeats(one("#heats ol"), goesOn() ? told.matches : []) > 0);
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
    el("div", { class: "row" }, el("button", { type: "button", class: "danger", text: phrase("End it"), onclick: end }), el("button", { type: "button", class: "main", autofocus: true, text: phrase("Resume it"), onclick: () => dialog.close() })),
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
