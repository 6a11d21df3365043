// Drawing a new tournament: its name, how it goes, who plays in which order, and which game.

import { el, keep, one, put } from "../dom.js";
import { phrase } from "../phrase.js";
import { applies, hintOf, nameOf, namesPlayer, onlyOnce, valueOf } from "../rules.js";
import { isSeated, makePersons } from "../persons.js";
import { tell } from "../post.js";

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
      if (!values.length) return field(nameOf(game().name, name), el("input", { maxlength: 80, autocomplete: "off", placeholder: hintOf(game().name, name), onchange: take }));
      return field(nameOf(game().name, name), pickOf(`rule-${name}`, values.map((value) => [value, valueOf(game().name, name, value)]), take));
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

async function draw(event) {
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
      { autocomplete: "off", onsubmit: draw },
      field(phrase("Its name"), el("input", { name: "title", maxlength: 40, required: true })),
      field(phrase("How it goes"), pickKind),
      ties,
      goal,
      el("fieldset", {}, el("legend", { text: phrase("Players: by their seeds, the best first, or in line") }), persons.box, el("ol", { class: "line" }),
        el("div", { class: "row" }, field(phrase("Somebody else"), add), el("button", { type: "button", class: "quiet add", text: phrase("Add"), onclick: addNow }))),
      el("fieldset", {}, el("legend", { text: phrase("Each match") }), field(phrase("Game"), pickGame), el("div", { class: "options" })),
      el("p", { class: "trouble", role: "alert" }),
      el("button", { class: "main", text: phrase("Draw the matches") }),
    ),
  );
  pickGame.value = proposed.name;
  drawLine(persons.redraw);
  drawRules();
}
