// The result of a game that is over: the referee signs it off, or opens it again with a reason.

import { phrase } from "../phrase.js";
import { LANGUAGE } from "../../words.js";
import { attr, el, grouped, keep, one, put, show } from "../dom.js";
import { tell } from "../post.js";

const clock = (iso) => new Date(iso).toLocaleTimeString(LANGUAGE, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const sign = (gameId) => tell("/sign-off", { game_id: gameId });

let latest = null;

// How the result stands, in a sentence.
export function standsHow({ result, standing, by, at, reason }) {
  if (standing === "signed") return phrase("Signed off by {name}, {time}: {result}.", { name: by, time: clock(at), result });
  if (standing === "opened") return phrase("Opened again by {name}, {time}: {reason}. It stands: {result}.", { name: by, time: clock(at), reason, result });
  return phrase("The result stands: {result}.", { result });
}

async function openAgain(event) {
  event.preventDefault();
  const form = event.target;
  const reason = new FormData(form).get("reason").trim();
  if ((await tell("/sign-off/open", { game_id: Number(form.dataset.game) || latest.game_id, reason })).ok) form.reset();
}

function reasonForm(gameId, words) {
  return el(
    "form",
    { class: "reopen", autocomplete: "off", "data-game": gameId, onsubmit: openAgain },
    el("label", { class: "option" }, el("span", { text: phrase("Why, for the journal") }), el("input", { name: "reason", maxlength: 200, required: true })),
    el("button", { class: "quiet", text: words }),
  );
}

function makeEarlier({ game_id: id }) {
  return el(
    "li",
    {},
    el("p"),
    el("div", { class: "acts row" }, el("button", { type: "button", text: phrase("Sign it off"), onclick: () => sign(id) })),
    el("details", {}, el("summary", { text: phrase("Look at it again") }), reasonForm(id, phrase("Put it on the table"))),
  );
}

function drawEarlier(node, game) {
  const result = game.scores.length ? game.players.map((name, index) => `${name} ${grouped(game.scores[index])}`).join(", ") : game.players.join(", ");
  put(one("p", node), phrase("Game {number}, {game}: {result}", { number: game.game_id, game: game.title, result }));
  attr(one("button", node), "aria-label", phrase("Sign game {number} off: {result}", { number: game.game_id, result }));
}

function make(section) {
  section.append(
    el("h2", { id: "sign-off-title", text: phrase("The result") }),
    el("p", { class: "stands", role: "status" }),
    el("button", { type: "button", class: "main sign", text: phrase("Sign it off"), onclick: () => sign(latest.game_id) }),
    el("details", { class: "again" }, el("summary", { text: phrase("Open it again") }), reasonForm(0, phrase("Open it again"))),
    el("div", { class: "earlier" }, el("h3", { text: phrase("Earlier results that wait") }), el("ol")),
  );
}

export function drawSignOff(snapshot) {
  const section = one("#sign-off");
  const { sign_off: stands, unsigned } = snapshot;
  latest = snapshot;
  show(section, stands !== null || unsigned.length > 0);
  if (section.hidden) return;
  if (!section.firstElementChild) make(section);
  put(one(".stands", section), stands ? standsHow(stands) : "");
  show(one(".stands", section), stands !== null);
  show(one(".sign", section), stands !== null && stands.standing !== "signed");
  show(one(".again", section), stands?.standing === "signed");
  if (stands?.standing !== "signed") one(".again", section).open = false;
  show(one(".earlier", section), unsigned.length > 0);
  keep(one("ol", section), unsigned, (game) => game.game_id, makeEarlier, drawEarlier);
}
