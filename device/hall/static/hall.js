// The hall's page: the desk says which tables changed, and what changed is drawn anew.
import { el, grouped, keep, one, phrase, phraseCount, put, show } from "/static/dom.js";
import { followStream, lostWords } from "/static/link.js";
import { followCalls } from "./calls.js";
import { drawQuestion, openQuestion } from "./question.js";
import { makeSign } from "./sign.js";

const tables = new Map(); // ID of a table: what the desk last said of it
let ahead_s = 0; // how far the desk's clock is ahead of this page's

function inOrder(some, key) {
  return [...some].sort((a, b) => (key(a) > key(b) ? 1 : key(a) < key(b) ? -1 : 0));
}

function forHowLong(since_s) {
  const minutes = Math.max(0, Math.floor((Date.now() / 1000 + ahead_s - since_s) / 60));
  return minutes ? phrase("for {minutes} min", { minutes }) : phrase("just now");
}

function told(table) {
  const game = table.game;
  if (!game) return phrase("nobody plays");
  if (game.winners.length) return game.winners.length > 1 ? phrase("ended") : phrase("won");
  return table.paused ? phrase("paused") : game.game.replaceAll("-", " ");
}

function makeScores({ players, scores, winners, active }) {
  const lines = players.flatMap((player, seat) => {
    const won = winners.includes(player) ? "won" : null;
    const turn = player === active && !winners.length ? "turn" : won;
    return [el("dt", { text: player, class: turn }), el("dd", { text: grouped(scores[seat] ?? 0), class: won })];
  });
  return el("dl", {}, ...lines);
}

function makeTable(table) {
  const game = table.game;
  return el(
    "li",
    { class: [table.waits && "waits", !table.online && "away"].filter(Boolean).join(" ") },
    el("h3", { text: table.name }, el("small", { text: told(table) })),
    game && makeScores(game),
    game && el("p", { text: game.news }),
    el("p", { class: "box", text: phraseCount("one row kept", "{rows} rows kept", table.rows, { rows: grouped(table.rows) }) }),
  );
}

function makeWaiting({ id, name }) {
  return el("li", {}, el("b", { text: name }), el("span"), el("time"), el("button", { type: "button", "aria-label": phrase("Look at {table}", { table: name }), text: phrase("Look"), onclick: () => openQuestion({ id, name }) }));
}

function drawWaiting(row, { waits, waits_since, asks }) {
  put(one("span", row), waits);
  put(one("time", row), forHowLong(waits_since));
  show(one("button", row), asks);
}

function draw(disk) {
  const all = inOrder(tables.values(), (each) => each.name.replace(/\d+/g, (digits) => digits.padStart(8, "0")));
  const waiting = inOrder(all.filter((each) => each.waits), (each) => each.waits_since ?? 0);
  const playing = all.filter((each) => each.stage === "playing").length;
  const troubles = all.flatMap((each) => each.troubles);
  put(one("#sums"), phraseCount("{count} table, {playing} playing, {waiting} waiting", "{count} tables, {playing} playing, {waiting} waiting", all.length, { playing, waiting: waiting.length }));
  show(one("#queue"), waiting.length > 0);
  keep(one("#waiting"), waiting, ({ id }) => id, makeWaiting, drawWaiting);
  show(one("#ill"), troubles.length > 0);
  one("#troubles").replaceChildren(...troubles.map((each) => el("li", { text: each })));
  one("#tables").replaceChildren(...all.map(makeTable));
  document.body.style.setProperty("--columns", Math.max(4, Math.ceil(Math.sqrt(all.length))));
  alarm(disk);
}

function alarm(text) {
  show(one("#alarm"), Boolean(text));
  put(one("#alarm"), text);
}

document.body.classList.toggle("screen", new URLSearchParams(location.search).has("screen"));
if (!document.body.classList.contains("screen")) makeSign(drawQuestion);
followStream(
  "tables",
  (said, first) => {
    if (first) tables.clear();
    ahead_s = said.now - Date.now() / 1000;
    said.tables.forEach((each) => tables.set(each.id, each));
    if (tables.size !== said.count) location.reload();
    draw(said.disk);
    followCalls(said.tournament);
  },
  (up, heard_ms) => !up && alarm(lostWords(heard_ms)),
);
