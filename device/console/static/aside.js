// A game, or the whole journal, that could not be opened: the ways on from there. Why stands in the message above.

import { el, one, show } from "./dom.js";
import { phrase } from "./phrase.js";
import { tell } from "./post.js";

let drawn = "";

export function drawAside(snapshot) {
  const section = one("#aside");
  const { aside } = snapshot;
  show(section, aside !== null);
  const next = JSON.stringify(aside);
  if (next === drawn) return;
  drawn = next;
  if (!aside) return section.replaceChildren();
  const ways = [];
  if (aside.way) ways.push(el("button", { type: "button", class: "main", text: aside.way, onclick: () => tell("/restore", {}) }));
  if (aside.game_id !== null) ways.push(el("a", { href: "aside.jsonl", download: `callbox-game-${aside.game_id}.jsonl`, text: phrase("Save what is there") }));
  section.replaceChildren(
    el("h2", { id: "aside-title", text: aside.game_id === null ? phrase("The journal was put aside") : phrase("Game {number} is set aside", { number: aside.game_id }) }),
    ...(ways.length ? [el("div", { class: "row" }, ...ways)] : []),
    el("p", { class: "hint", text: phrase("Or begin a new game below. What is set aside stays on the card.") }),
  );
}
