// The games of an evening: pause the one that is played, put it away, abandon it; take up again what was put away.

import { phrase } from "./phrase.js";
import { LANGUAGE } from "../words.js";
import { attr, el, grouped, inWords, keep, one, put, show } from "./dom.js";
import { may } from "./people.js";
import { tell } from "./post.js";

const HERE = new Intl.DateTimeFormat(LANGUAGE, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

let atTable = null; // the game that is played: its number, players and scores
let listed = new Map();

const button = (text, kind, act) => el("button", { type: "button", class: kind, text, onclick: (event) => event.detail < 2 && act() });
const tend = (what, gameId) => tell(`/games/${what}`, { game_id: gameId });

function standing({ players, scores }) {
  return scores.length ? players.map((name, index) => `${name} ${grouped(scores[index])}`).join(", ") : inWords(players);
}

// Nothing brings an abandoned game back, so it takes a second touch, elsewhere.
function askToAbandon(game) {
  const dialog = one("#abandon");
  const leave = async () => {
    dialog.close();
    await tend("abandon", game.game_id);
  };
  dialog.replaceChildren(
    el("h2", { id: "abandon-title", text: phrase("Abandon this game?") }),
    el("p", { text: phrase("{standing}. It ends without a winner and cannot be gone on with. To play on another day, put it away instead.", { standing: standing(game) }) }),
    el("div", { class: "row" }, button(phrase("Abandon it"), "danger", leave), el("button", { type: "button", class: "main", autofocus: true, text: phrase("Keep it"), onclick: () => dialog.close() })),
  );
  dialog.showModal();
}

export function drawCourse(snapshot) {
  const section = one("#course");
  const { game, paused } = snapshot;
  show(section, snapshot.stage === "playing" && may("lead"));
  attr(document.body, "data-paused", paused ? "" : null);
  if (section.hidden) return;
  atTable = { game_id: snapshot.game_id, players: game.players, scores: game.scores };
  if (!section.firstElementChild) {
    section.append(
      el("h2", { id: "course-title", class: "unseen", text: phrase("This game") }),
      button(phrase("Go on"), "main go-on", () => tend("go-on", atTable.game_id)),
      button(phrase("Pause"), "quiet pause", () => tend("pause", atTable.game_id)),
      button(phrase("Put away"), "quiet put-away", () => tend("put-away", atTable.game_id)),
      button(phrase("Abandon…"), "quiet abandon", () => askToAbandon(atTable)),
    );
  }
  show(one(".go-on", section), paused);
  show(one(".pause", section), !paused);
}

function makeGame({ game_id: id }) {
  return el(
    "li",
    {},
    el("p", { class: "title" }),
    el("p", { class: "standing" }),
    el("p", { class: "hint when" }),
    el("div", { class: "row" }, button(phrase("Go on"), "main", () => tend("take-up", id)), button(phrase("Abandon…"), "quiet", () => askToAbandon(listed.get(id)))),
  );
}

function drawGame(node, game) {
  put(one(".title", node), game.title);
  put(one(".standing", node), standing(game));
  put(one(".when", node), HERE.format(new Date(game.when)));
  const [goOn, abandon] = node.querySelectorAll("button");
  attr(goOn, "aria-label", phrase("Go on: {game}, {standing}", { game: game.title, standing: standing(game) }));
  attr(abandon, "aria-label", phrase("Abandon: {game}, {standing}", { game: game.title, standing: standing(game) }));
}

export function drawPutAway(snapshot) {
  const section = one("#put-away");
  show(section, snapshot.put_away.length > 0 && may("lead"));
  if (section.hidden) return;
  if (!section.firstElementChild) section.append(el("h2", { id: "put-away-title", text: phrase("Games that wait") }), el("ol"));
  listed = new Map(snapshot.put_away.map((game) => [game.game_id, game]));
  keep(one("ol", section), snapshot.put_away, (game) => game.game_id, makeGame, drawGame);
}
