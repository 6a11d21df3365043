// The score pad, as it would be written on paper. The box says what stands where; here it is only drawn.

import { attr, el, grouped, keep, one, put, show, svg } from "./dom.js";
import { nameOf } from "./field.js";
import { phrase } from "./phrase.js";

const MANY = 4; // from more columns on the dice of each field are left out where there is little room
const FEW = 6; // a pad of so few turns is short already
const NEAR = 3; // so many turns before the one that is played stand on a short pad

// Strokes in bundles of five, as wins are counted on paper.
function tally(count) {
  const place = (stroke) => stroke * 7 + Math.floor(stroke / 5) * 8;
  const stroke = (_, nth) => (nth % 5 === 4 ? svg("path", { d: `M${place(nth - 4) - 3} 15 L${place(nth - 1) + 3} 3` }) : svg("path", { d: `M${place(nth)} 2 V16` }));
  const strokes = Array.from({ length: count }, stroke);
  return svg("svg", { viewBox: `-5 0 ${place(count) + 10} 18`, class: "tally", "aria-hidden": "true" }, ...strokes);
}

// What marks say to those who hear the page: the eye sees a frame, a cross, a dash, a star.
const HEARD = { now: phrase("now"), crossed: phrase("earned"), missed: phrase("missed"), won: phrase("won") };

const makeCell = () => el("td", {}, el("span", { class: "unseen heard" }), el("b"), el("span", { class: "words" }), el("small"));
const diceOf = (cell) => (cell.dice ?? []).map(([, words]) => words.replace(" x ", " × ")).join(" + ");

const isBlank = ({ points, words, dice, mark }) => (points ?? null) === null && !words && !dice && !mark;

function write(node, text) {
  put(node, text);
  show(node, text !== "");
}

function drawCell(counts) {
  return (node, cell) => {
    const points = cell.points ?? null;
    attr(node, "data-mark", cell.mark ?? null);
    write(one(".heard", node), cell.mark in HEARD && cell.words !== HEARD[cell.mark] ? `${HEARD[cell.mark]} ` : "");
    write(one("b", node), points === null ? "" : grouped(points));
    write(one(".words", node), cell.words ?? "");
    write(one("small", node), diceOf(cell));
    const strokes = counts && points > 0 && points <= 25 ? points : 0;
    if (Number(node.dataset.strokes ?? 0) === strokes) return;
    node.dataset.strokes = strokes;
    one(".tally", node)?.remove();
    if (strokes) node.append(tally(strokes));
  };
}

// A field that dice have filled is a button where `look` shows them; `field` is {player, line, dice}.
function drawLook(node, field, look) {
  const dice = field.dice ?? [];
  let button = one(".look", node);
  if (!look || !dice.length) return button?.remove();
  if (!button) {
    button = el("button", { type: "button", class: "look", onclick: () => node.look() });
    node.append(button);
  }
  node.look = () => look(field);
  attr(button, "aria-label", phrase("Look at {field}", { field: nameOf(field) }));
}

const isOf = (each, me) => me !== "" && each.players.includes(me);

// One's own column stands first.
function placesOf(columns, me) {
  const places = columns.map((_, place) => place);
  return places.sort((a, b) => Number(isOf(columns[b], me)) - Number(isOf(columns[a], me)) || a - b);
}

function drawTable(table, pad, me, look) {
  const places = placesOf(pad.columns, me);
  put(one("caption", table), pad.title);
  const makeHead = () => el("th", { scope: "col" });
  keep(one("thead tr", table), [null, ...places], (place, index) => `${index} ${place === null ? "" : pad.columns[place].name}`, (place) => (place === null ? el("td") : makeHead()), (node, place) => {
    if (place === null) return;
    put(node, pad.columns[place].name);
    node.classList.toggle("me", isOf(pad.columns[place], me));
  });
  const makeRow = () => el("tr", {}, el("th", { scope: "row" }, el("span"), el("small")));
  keep(one("tbody", table), pad.rows, (row, index) => `${index} ${row.role} ${places.length}`, makeRow, (node, row) => {
    attr(node, "data-role", row.role);
    node.classList.toggle("me", isOf(row, me));
    put(one("th span", node), row.name);
    write(one("th small", node), row.about);
    while (node.children.length <= places.length) node.append(makeCell());
    places.forEach((place, index) => {
      const cell = node.children[index + 1];
      drawCell(pad.kind === "king")(cell, row.cells[place]);
      drawLook(cell, { player: pad.columns[place].name, line: row.name, dice: row.cells[place].dice }, look);
      cell.classList.toggle("me", isOf(pad.columns[place], me));
    });
  });
}

// The turns about the one that is played, and all that is no turn: for a page that has little room.
function shorten(table, pad, me) {
  const own = pad.columns.findIndex((column) => isOf(column, me));
  const cellsOf = (row) => (own < 0 ? row.cells : [row.cells[own]]);
  const turns = pad.rows.filter((row) => row.role === "turn");
  const next = turns.findIndex((row) => cellsOf(row).some((cell) => cell.mark === "now" || isBlank(cell)));
  const at = next < 0 ? turns.length : next;
  [...table.tBodies[0].rows].forEach((node, index) => {
    const row = pad.rows[index];
    const nth = turns.indexOf(row);
    const waits = ["bonus", "extra"].includes(row.role) && cellsOf(row).every(isBlank);
    node.classList.toggle("far", turns.length > FEW && (nth < 0 ? waits : nth < at - NEAR || nth > at));
  });
}

function makePad(pad) {
  const title = el("h3", { text: pad.title });
  const table = el("table", {}, el("caption", { class: "unseen" }), el("thead", {}, el("tr")), el("tbody"));
  return el("div", { class: "paper", "data-kind": pad.kind }, title, el("div", { class: "sideways", role: "region", "aria-label": pad.title, tabindex: 0 }, table));
}

// Draws all papers of the game into a box; `me` is whose column comes first, "" for nobody's; `look` opens a filled field.
export function drawPads(box, pads, me = "", look = null) {
  keep(box, pads, (pad) => `${pad.kind} ${pad.title}`, makePad, (node, pad) => {
    node.classList.toggle("many", pad.columns.length > MANY);
    node.style.setProperty("--columns", pad.columns.length);
    drawTable(one("table", node), pad, me, look);
    shorten(one("table", node), pad, me);
  });
}

// The card of a page: hidden where the game has no paper.
export function drawPadCard(snapshot, me = "", look = null) {
  const section = one("#pad");
  const pads = snapshot.game?.pads ?? [];
  show(section, pads.length > 0);
  if (!pads.length) return;
  if (!section.firstElementChild) section.append(el("h2", { id: "pad-title", text: phrase("On paper") }), el("div", { class: "papers" }), wholeButton(section));
  drawPads(one(".papers", section), pads, me, look && ((field) => look(snapshot.game_id, field)));
  show(one("#whole-pad"), one("tr.far", section) !== null);
  settle(section, pads.some((pad) => pad.columns.length > MANY) ? one(".see #table") : one(".play #scores"));
}

// A paper for many is as wide as the pictures; one for few stands below the scores.
function settle(section, before) {
  if (before && section.previousElementSibling !== before) before.after(section);
}

// Short or whole: on a phone the whole card is longer than the page.
function wholeButton(section) {
  const button = el("button", { type: "button", class: "quiet", id: "whole-pad", "aria-pressed": "false", text: phrase("All lines") });
  button.addEventListener("click", () => {
    const whole = section.classList.toggle("whole");
    attr(button, "aria-pressed", whole);
  });
  return button;
}
