// A bet from a player's own phone. The number is on this page only between touching it and locking it: after that
// nothing here knows it, and the box tells nobody before all are locked.

import { el, one, put, show } from "./dom.js";
import { isFamily, seatOf } from "./people.js";
import { phrase } from "./phrase.js";
import { notice, tell } from "./post.js";

let named = ""; // at a family's table: who said so on this page
let tapped = ""; // whose BET key was tapped on this page
let shown = ""; // what the box now holds: its own words for the state, never the bet

// Whose page this is: at a family's table whoever said so, else whoever has the seat; "" for everybody's page.
export const ownPlayer = () => (isFamily() ? named : seatOf());
export function iAm(player) {
  named = player;
}
const bettor = () => ownPlayer() || tapped;

// Presses of BET on a page could be counted in the network: there the key opens the sealed bet instead.
export function betByTap(player) {
  tapped = player;
  shown = "";
}

function picker(choices) {
  const chip = (dots) =>
    el("label", { class: "choice" }, el("input", { type: "radio", name: "dots", value: dots, required: true, autocomplete: "off" }), el("span", { text: String(dots) }));
  const form = el(
    "form",
    { autocomplete: "off", onsubmit: lock },
    el("fieldset", {}, el("legend", { text: phrase("How many dots will this turn gather?") }), el("div", { class: "choices" }, ...choices.map(chip))),
    el("button", { class: "main", text: phrase("Lock my bet") }),
  );
  return form;
}

async function lock(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const dots = Number(new FormData(form).get("dots"));
  form.remove(); // before it is sent: whatever comes, no trace of it stays
  put(one("#bet .where"), phrase("Sending your bet…"));
  const player = bettor();
  const answer = await tell("/bets", { player, dots });
  if (!answer.ok) shown = "";
  else if (!ownPlayer()) {
    tapped = "";
    show(one("#bet"), false);
    notice(phrase("{player}’s bet is locked.", { player }));
  }
  else put(one("#bet .where"), phrase("Your bet is locked. All bets are shown when everybody has locked one."));
}

function words(snapshot, player, seat) {
  const { game } = snapshot;
  if (!game) return phrase("The game has not begun yet.");
  if (seat < 0) return phrase("{player} does not play in this game. Players: {players}.", { player, players: game.players.join(", ") });
  if (snapshot.stage === "ended") return phrase("The game is over.");
  const bet = game.bets[seat];
  if (bet === "locked") return phrase("Your bet is locked. All bets are shown when everybody has locked one.");
  return phrase("No bet is asked for now.");
}

// While the page is out of sight, a number that was touched but not locked is forgotten.
export function forgetWhenHidden() {
  document.addEventListener("visibilitychange", () => document.hidden && one("#bet form")?.reset());
}

export function drawBet(snapshot) {
  const section = one("#bet");
  const player = bettor();
  show(section, player !== "" && snapshot.game?.bets.length !== 0);
  if (section.hidden) return;
  if (!section.firstElementChild) section.append(el("h2", { id: "bet-title", tabindex: "-1" }), el("p", { class: "where", role: "status" }));
  put(one("#bet-title"), phrase("{player}: your secret bet", { player }));
  const { game } = snapshot;
  const seat = game ? game.players.indexOf(player) : -1;
  const mine = game?.allowed.find((each) => each.button === "bet" && each.player === player);
  const next = JSON.stringify([player, snapshot.game_id, game?.active, mine?.choices ?? null, mine ? "" : words(snapshot, player, seat)]);
  if (next === shown) return;
  shown = next;
  one("form", section)?.remove();
  put(one(".where", section), mine ? phrase("Nobody sees it before all are locked.") : words(snapshot, player, seat));
  if (mine) section.append(picker(mine.choices));
}
