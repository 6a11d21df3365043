// The strip for streaming software: the scores along the foot of a picture that is otherwise transparent.

import { attr, el, grouped, keep, one, put, show } from "../dom.js";
import { fitAll } from "./fit.js";
import { counted } from "./moments.js";
import { seat } from "./scores.js";
import { WORDS, betOf, landingCall, revealed, runningUnit, shoutOf, titleOf, winsOf } from "./words.js";

// One line above the scores, for the moments that pass and for the winner.
function callOf({ name, snapshot }) {
  const { game, landing } = snapshot;
  const past = landing && counted(snapshot);
  if (name === "landing" || name === "replay") return [past?.player ?? "", landingCall(landing, past)];
  if (name === "throw") return [shoutOf(game.banner), game.news];
  if (name === "bets") return [revealed(), game.players.map((player, seat) => `${player} ${game.bets[seat]}`).join(" · ")];
  if (name === "winner") return [winsOf(game.winners), game.cause];
  return name === "question" ? [WORDS.asked[snapshot.ask], ""] : ["", ""];
}

const make = (_, index) => el("li", {}, seat(index), el("span", { class: "name" }), el("span", { class: "bet" }), el("b"));

export function drawStrip(state) {
  const { moment, newest: snapshot } = state;
  const strip = one("#strip");
  show(strip, snapshot !== null && snapshot.game !== null && moment.name !== "lobby");
  if (strip.hidden) return;
  const { game } = snapshot;
  const [lead, text] = callOf(moment);
  show(one(".call", strip), lead + text !== "");
  put(one(".call b", strip), lead);
  put(one(".call span", strip), text);
  put(one(".turn b", strip), game.running === null ? titleOf(snapshot) : grouped(game.running));
  put(one(".turn span", strip), game.running === null ? "" : runningUnit(game));
  const list = one("ol", strip);
  list.style.setProperty("--columns", game.players.length > 8 ? Math.ceil(game.players.length / 2) : game.players.length);
  keep(list, game.players, (name) => name, make, (node, name, index) => {
    const bet = game.winners.length ? undefined : game.bets[index];
    node.classList.toggle("active", name === game.active);
    attr(node, "aria-current", name === game.active ? "true" : null);
    put(one(".name", node), name);
    put(one(".bet", node), bet === undefined ? "" : typeof bet === "number" ? betOf(bet) : WORDS[bet]);
    put(one("b", node), grouped(game.scores[index]));
  });
  fitAll(strip, ".call", 2.4, 1.2);
  fitAll(strip, ".turn b", 2.6, 1.1);
  fitAll(list, ".name", 1.7, 1.15);
}
