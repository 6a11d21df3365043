// The list of players and what is to be drawn, until it is. It is kept at the desk; whoever saves says which list they had.
import { attr, el, keep, one, phrase, phraseCount, put, show } from "/static/dom.js";
import { applies, hintOf, namesPlayer, onlyOnce, optionName, optionValue } from "/static/game.js";
import { ask, notice } from "/static/link.js";
import { mayAnswer } from "./sign.js";

const PATIENCE_MS = 20000;
const KINDS = [
  ["single", phrase("Single elimination, with seeds")],
  ["book", phrase("Single elimination, as End Zone’s rulebook has it")],
  ["double", phrase("Double elimination")],
  ["round-robin", phrase("Round robin")],
  ["king", phrase("King: the winner stays, the next in line steps up")],
];
const LEAST = 2;

let games = [];
let version = 0;
let options = {};
let dirty = false;

const form = () => one("#entries form");
const input = (name) => form().elements[name];
const game = () => games.find((each) => each.name === input("game").value) ?? games[0];
// The rules are those of every match, so what is good for one game or one player alone is not offered.
const rules = () => Object.entries(game().options).filter(([name]) => applies(game(), options, name) && !onlyOnce(game().name, name) && !namesPlayer(game().name, name));
const names = () => input("players").value.split("\n").filter((line) => line.trim());

const field = (words, control, hint) => el("label", { class: "option" }, el("span", { text: words }), control, hint && el("small", { text: hint }));
const pickOf = (name, entries, onchange) => el("select", { name, onchange }, ...entries.map(([value, text]) => el("option", { value, text })));

function drawRules() {
  keep(one(".options", form()), rules(), ([name]) => `${game().name} ${name}`, ([name, values]) => {
    const take = (event) => { options[name] = event.target.value.trim(); drawRules(); };
    const words = optionName(game().name, name);
    if (!values.length) return field(words, el("input", { maxlength: 80, autocomplete: "off", placeholder: hintOf(game().name, name), value: options[name] ?? "", onchange: take }));
    const select = pickOf(`rule-${name}`, values.map((value) => [value, optionValue(game().name, name, value)]), take);
    if (options[name]) select.value = options[name];
    return field(words, select);
  });
}

function drawCount() {
  put(one(".count", form()), phraseCount("{count} name", "{count} names", names().length));
  show(input("goal").closest("label"), input("kind").value === "king");
}

// The names of the tables that are chosen; none where it is played at all.
const chosen = () => [...form().querySelectorAll("[name=table]:checked")].map((box) => box.value);

function drawTables(all, marked) {
  show(one(".where", form()), all.length > 1);
  keep(one(".where ul", form()), all, (name) => name, (name) => el("li", {}, el("label", { class: "check" }, el("input", { type: "checkbox", name: "table", value: name, checked: marked.includes(name) }), el("span", { text: name }))));
}

let marked = []; // tables of a list that was loaded before the tables were known

function fill({ kept: { version: number, by, entries }, games: offered }) {
  games = offered.filter((each) => each.seats_max >= LEAST);
  version = number;
  options = { ...entries.options };
  input("game").replaceChildren(...games.map((each) => el("option", { value: each.name, text: each.title })));
  for (const name of ["title", "kind", "game", "goal", "seeds"]) input(name).value = entries[name];
  input("number").value = entries.number ?? "";
  input("players").value = entries.players.join("\n");
  marked = entries.tables;
  one(".where ul", form()).replaceChildren();
  one(".options", form()).replaceChildren();
  put(one(".kept", form()), by ? phrase("Saved by {who}.", { who: by }) : "");
  dirty = false;
  drawRules();
  drawCount();
}

export async function loadEntries() {
  try {
    const response = await fetch("/organiser/entries", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) throw new Error(response.statusText);
    fill(await response.json());
  } catch {
    notice(phrase("The list cannot be loaded. Reload the page."));
  }
}

function asked() {
  const said = { seen: version, title: input("title").value.trim(), kind: input("kind").value, game: game().name, players: input("players").value, options: {}, tables: chosen() };
  for (const [name, values] of rules()) if (options[name] && options[name] !== values[0]) said.options[name] = options[name];
  if (said.kind === "king") said.goal = Number(input("goal").value || 0);
  said.seeds = Number(input("seeds").value || 0);
  if (input("number").value !== "") said.number = Number(input("number").value);
  return said;
}

async function post(path, body) {
  attr(form(), "aria-busy", "true");
  const answer = await ask(path, body);
  attr(form(), "aria-busy", null);
  put(one(".trouble", form()), answer.ok ? "" : answer.text);
  if (answer.ok) notice(answer.text, "good");
  return answer;
}

async function save() {
  const answer = await post("/organiser/entries", asked());
  if (!answer.ok) return false;
  version = answer.version;
  dirty = false;
  put(one(".kept", form()), "");
  return true;
}

async function drawPairs(event) {
  event.preventDefault();
  if (form().ariaBusy === "true") return;
  if (await save()) await post("/organiser/draw", { seen: version });
}

export function drawEntries(open, tables) {
  show(one("#entries"), open);
  drawTables(tables, marked);
  one("fieldset", form()).disabled = !mayAnswer();
}

export function makeEntries() {
  const number = (name, most) => el("input", { name, type: "number", min: 0, max: most });
  one("#entries").append(
    el("h2", { id: "entries-title", text: phrase("A new tournament") }),
    el("form", { autocomplete: "off", onsubmit: drawPairs, oninput: () => { dirty = true; drawCount(); } },
      el("fieldset", {},
        el("div", { class: "two" },
          el("div", { class: "names" },
            field(phrase("Players, one a line"), el("textarea", { name: "players", rows: 14, spellcheck: "false", maxlength: 6000 })),
            el("p", { class: "hint count", role: "status" })),
          el("div", { class: "rest" },
            field(phrase("Name"), el("input", { name: "title", maxlength: 40 })),
            field(phrase("Format"), pickOf("kind", KINDS, drawCount)),
            field(phrase("Wins that end it; 0 for no end"), number("goal", 999)),
            field(phrase("Seeds"), number("seeds", 64), phrase("So many players, the first ones in the list, are seeded in that order. The others are drawn by chance.")),
            field(phrase("Draw number"), number("number", 999999), phrase("Announce it before the draw, and anybody can draw again. Empty: the desk makes one by chance and shows it.")),
            field(phrase("Game"), pickOf("game", [], () => { options = {}; drawRules(); })),
            el("details", {}, el("summary", { text: phrase("Rules of each match") }), el("div", { class: "options" })),
            el("details", { class: "where" }, el("summary", { text: phrase("Only at some tables") }), el("ul")))),
        el("p", { class: "trouble", role: "alert" }),
        el("p", { class: "hint kept" }),
        el("div", { class: "row" },
          el("button", { class: "main", text: phrase("Draw the matches") }),
          el("button", { type: "button", text: phrase("Save list"), onclick: save }),
          el("button", { type: "button", class: "quiet", text: phrase("Load the saved list"), onclick: async () => { if (!dirty || confirm(phrase("Discard what you entered since it was saved?"))) await loadEntries(); } })))),
  );
}
