// How the dice of the last roll came to lie there, in words.

import { el, one, show } from "./dom.js";

let drawn = "";

export function drawHistory(snapshot) {
  const lines = snapshot.history?.lines ?? [];
  const now = JSON.stringify(lines);
  if (now === drawn) return;
  drawn = now;
  const list = one("#history");
  list.replaceChildren(...lines.map((text) => el("li", { text })));
  show(list, lines.length > 0);
}
