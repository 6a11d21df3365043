// What may be done that no button of the box says: dice to set aside, cards to draw or play. One button each.

import { attr, el, gained, keep, one, put, show } from "./dom.js";
import { phrase, phraseCount } from "./phrase.js";
import { ask, notice, tell } from "./post.js";

const FEW = 8; // more than that is a wall of buttons on a phone: the rest waits behind "more"
const SLACK = 2; // but nobody is asked to open a list for so few
const TITLES = {
  keep: phrase("Set aside"),
  pocket: phrase("Pocket"),
  choose: phrase("Pocket more, or play a card"),
  rescue: phrase("Play a card"),
  draw: phrase("Which card was drawn?"),
  confirm: phrase("Is the dot covered?"),
};

const box = { offered: "", choices: [], all: false, answered: null, hand: false };

async function take(event, choice) {
  // An offer is answered once; the second half of a double click meant the first one. But where the next offer stands
  // there already, it may be answered before the box has said yes to the last.
  if (box.answered === box.offered || event.detail > 1) return;
  const mine = (box.answered = box.offered);
  drawBusy();
  await say(choice);
  if (box.answered === mine) box.answered = null;
  drawBusy();
}

// On a simulated mat the players' hand says it with dice and cards, if it can, so that the camera sees it.
export async function say({ index, words }) {
  const chosen = { choice: index, words };
  const told = box.hand && (await ask("/hand/choices", chosen)).ok;
  if (told) notice("");
  else await tell("/choices", chosen);
}

const drawBusy = () => attr(one("#offer"), "aria-busy", box.answered === box.offered);

function makeChoice(choice) {
  const gain = choice.points === null ? null : el("b", { text: gained(choice.points) });
  const button = el(
    "button",
    {
      type: "button",
      onclick: (event) => take(event, choice),
      onkeydown: (event) => event.repeat && event.preventDefault(),
    },
    el("span", { text: choice.words }),
    gain,
  );
  return el("li", { class: choice.points === null ? "plain" : "" }, button);
}

// The places that stay in sight: the first few that bring points, and the first few that do not.
function first(choices) {
  const inSight = new Set();
  for (const scoring of [true, false]) {
    const places = choices.flatMap((choice, index) => ((choice.points !== null) === scoring ? [index] : []));
    const count = places.length <= FEW + SLACK ? places.length : FEW;
    for (const index of places.slice(0, count)) inSight.add(index);
  }
  return inSight;
}

function more() {
  box.all = !box.all;
  drawList(box.choices);
}

function drawList(choices) {
  const section = one("#offer");
  const inSight = first(choices);
  const rest = choices.length - inSight.size;
  const named = (choice) => `${choice.index} ${choice.points} ${choice.words}`;
  keep(one("ol", section), choices, named, makeChoice, (node, _, index) => show(node, box.all || inSight.has(index)));
  const button = one(".more", section);
  show(button, rest > 0);
  put(button, box.all ? phrase("Only the best") : phraseCount("{count} more", "{count} more", rest));
  attr(button, "aria-expanded", box.all);
}

export function makeOffer() {
  return el(
    "section",
    { id: "offer", "aria-labelledby": "offer-title", hidden: true },
    el("h3", { id: "offer-title", tabindex: "-1" }),
    el("ol"),
    el("button", { type: "button", class: "quiet more", onclick: more }),
  );
}

// The game's choices, each with its place among them, by which the box knows it.
export const choicesOf = ({ stage, game }) => (stage === "playing" ? game.choices.map((choice, index) => ({ ...choice, index })) : []);

// `belongs` says which of the choices stand in this list, where a page shows the others elsewhere.
export function drawOffer(snapshot, belongs = () => true) {
  const section = one("#offer");
  const { game } = snapshot;
  const choices = choicesOf(snapshot).filter(belongs);
  box.hand = snapshot.simulated && snapshot.places !== null;
  const title = snapshot.ask === "landing" ? phrase("What counts?") : (TITLES[game.phase] ?? phrase("Choose"));
  put(one("#offer-title"), `${game.active ?? ""}: ${title}`);
  const offered = JSON.stringify([snapshot.game_id, choices]);
  if (offered === box.offered) return;
  const held = section.contains(document.activeElement) ? document.activeElement : null;
  box.offered = offered;
  box.choices = choices;
  box.all = false;
  show(section, choices.length > 0);
  drawBusy();
  drawList(choices);
  // The focus never falls off the page, nor onto something that a second press of Enter would take.
  if (held && (!section.contains(held) || held.closest("[hidden]"))) {
    (section.hidden ? one("#play") : one("#offer-title")).focus({ preventScroll: true });
  }
}
