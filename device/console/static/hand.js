// The simulated table's own box: a hand that throws, and some mischief to see what the box makes of it.

import { el, keep, one, show } from "./dom.js";
import { phrase } from "./phrase.js";
import { tell } from "./post.js";

const act = (name) => tell("/hand/acts", { act: name });

export function throwDice() {
  return act("throw");
}

function button(each, index) {
  return el("button", { type: "button", "data-act": each.name, class: index ? "quiet" : "main", text: each.words, onclick: () => act(each.name) });
}

export function makeHand() {
  one("#hand").append(
    el("h2", { id: "hand-title", text: phrase("The hand") }),
    el("p", { class: "hint", text: phrase("This table is simulated: here you are the players' hand. The box knows only its pictures.") }),
    el("div", { class: "first" }),
    el("details", {}, el("summary", { text: phrase("Mischief") }), el("div", { class: "acts" })),
  );
}

// What the hand can do depends on the table: a tray, or an End Zone.
export function drawHand(snapshot) {
  const section = one("#hand");
  show(section, snapshot.simulated && snapshot.stage !== "lobby");
  const [first, ...rest] = snapshot.acts;
  const key = (each) => `${each.name} ${each.words}`;
  keep(one(".first", section), first ? [first] : [], key, (each) => button(each, 0));
  keep(one(".acts", section), rest, key, (each) => button(each, 1));
}
