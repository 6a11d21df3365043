// A player's own cards: what each does, and how it may be played now.

import { attr, el, keep, one, put, show } from "./dom.js";
import { choicesOf, say } from "./offer.js";
import { phrase } from "./phrase.js";

// ZONK's cards, by the names that are printed on them.
const CARDS = {
  "Magic Aura": phrase("One more die belongs to your set."),
  "Potion of Shrinking": phrase("A four-sided die takes the place of one of yours. It counts in every combo."),
  "Serpent's Stare": phrase("Two 1s of one cast score 500."),
  "Final Chance": phrase("When you cast one last die, you may cast it once more."),
  "Hot Hot Hot!": phrase("Your first hot cast of a round brings one more die, until the round ends."),
  "Time Warp Tonic": phrase("Put a die of this cast into an earlier pocket, if it makes combos there."),
  "Chaos Swap": phrase("Turn a die to its opposite face."),
  "Dictate Fate": phrase("Cast one die again; the others lie still."),
  "Dimensional Rift": phrase("Turn an even die to its half, and add a die that shows the same."),
  "Shadow Wizard's Money": phrase("One pocket of this turn counts double."),
};

const KINDS = { items: phrase("to play"), modifiers: phrase("works by itself") };

let sent = "";

// What a choice says after the card's name and a colon, however the language writes that.
const withoutName = (words, name) => (words.startsWith(name) ? words.slice(name.length).replace(/^\s*:\s*/, "") : words);

export const isPlay = (choice) => choice.event.event === "play";

function makeCard({ name, kind }) {
  return el("li", { class: kind }, el("p", {}, el("b", { text: name }), el("span", { class: "hint", text: ` ${KINDS[kind]}` })), el("p", { class: "does", text: CARDS[name] ?? "" }), el("div", { class: "row" }));
}

async function play(event, choice, key) {
  if (event.detail > 1 || sent === key) return;
  sent = key;
  await say(choice);
  if (sent === key) sent = "";
}

export function drawCards(snapshot, me, mine) {
  const section = one("#cards");
  const held = snapshot.game.facts.filter((fact) => fact.player === me && fact.name in KINDS);
  const cards = held.flatMap((fact) => fact.words.map((name) => ({ name, kind: fact.name })));
  show(section, cards.length > 0);
  if (section.hidden) return;
  if (!section.firstElementChild) section.append(el("h2", { id: "cards-title", text: phrase("Your cards") }), el("ul"));
  const plays = mine ? choicesOf(snapshot).filter(isPlay) : [];
  const key = JSON.stringify([snapshot.game_id, snapshot.game.line]);
  keep(one("ul", section), cards, ({ name, kind }, index) => `${kind} ${name} ${index}`, makeCard, (node, { name }, index) => {
    const first = cards.findIndex((each) => each.name === name) === index; // two of a kind are played alike
    const ways = first ? plays.filter((choice) => choice.event.card === name) : [];
    const make = (choice) => el("button", { type: "button", text: withoutName(choice.words, name), onclick: (event) => play(event, choice, key) });
    keep(one(".row", node), ways, (choice) => `${choice.index} ${choice.words}`, make, (button) => attr(button, "aria-label", `${name}: ${button.textContent}`));
    put(one(".hint", node), ` ${ways.length ? phrase("play it:") : KINDS[cards[index].kind]}`);
  });
}
