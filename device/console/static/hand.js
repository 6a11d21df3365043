// The simulated table's own box: a hand that throws, and some mischief to see what the box makes of it.

import { el, one, show } from "./dom.js";
import { tell } from "./post.js";

export const ACTS = {
  throw: "Throw the dice",
  throw_one_less: "One die too few",
  throw_one_more: "One die too many",
  stack: "Stack two",
  cock: "Lean one",
  floor: "One on the floor",
  nudge: "Nudge one",
  hand: "Hand in the picture",
  clear: "Take all away",
};

const act = (name) => tell("/world", { act: name });

export function throwDice() {
  return act("throw");
}

export function makeHand() {
  const button = (name) =>
    el("button", { type: "button", "data-act": name, class: name === "throw" ? "main" : "quiet", text: ACTS[name], onclick: () => act(name) });
  one("#hand").append(
    el("h2", { id: "hand-title", text: "The hand" }),
    el("p", { class: "hint", text: "This table is simulated: here you are the players' hand. The box knows only its pictures." }),
    button("throw"),
    el("details", {}, el("summary", { text: "Mischief" }), el("div", { class: "acts" }, ...Object.keys(ACTS).slice(1).map(button))),
  );
}

export function drawHand(snapshot) {
  show(one("#hand"), snapshot.simulated && snapshot.stage !== "lobby");
}
