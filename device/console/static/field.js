// What filled a field of the paper: each of its dice as the camera saw it, opened from the field itself.

import { el, one, put } from "./dom.js";
import { phrase } from "./phrase.js";

let asked = 0; // a field that is opened later is the one to be shown

const plain = (words) => words.replace(" x ", " × ");

// What that field holds, in words: {player, line, dice}, dice being [landing, words, points] each.
export const nameOf = ({ player, line, dice }) => phrase("{player}, {line}: {dice}", { player, line, dice: dice.map(([, words]) => plain(words)).join(" + ") });

// The game's throws, the newest first, until all that are looked for have been told.
async function lookUp(game, numbers) {
  const told = new Map();
  for (let before = 0; before !== 1 && !numbers.every((number) => told.has(number)); ) {
    const response = await fetch(`throws${before ? `?before=${before}` : ""}`);
    if (!response.ok) break;
    const page = await response.json();
    if (page.game_id !== game || !page.throws.length) break;
    for (const past of page.throws) if (past.landing && past.standing === "counts" && !told.has(past.landing)) told.set(past.landing, past);
    before = page.throws.at(-1).throw;
  }
  return told;
}

function pictureOf(game, past, words) {
  if (!past?.reading) return el("p", { class: "hint", text: phrase("There is no picture of it.") });
  const kind = past.evidence ? "evidence" : "reading";
  const image = el("img", { src: `${kind}/${past.reading}.jpg?of=${encodeURIComponent(`${game}/${past.evidence || past.reading}`)}`, alt: words });
  image.addEventListener("error", () => image.replaceWith(el("p", { class: "hint", text: phrase("There is no picture of it.") })), { once: true });
  return image;
}

function make(dialog) {
  dialog.append(el("h2", { id: "field-title" }), el("div", { class: "dice", "aria-live": "polite" }), el("form", { method: "dialog" }, el("button", { text: phrase("Close") })));
}

// Shows what filled that field of the game.
export async function openField(game, field) {
  const dialog = one("#field");
  if (!dialog.firstElementChild) make(dialog);
  const mine = (asked += 1);
  const { dice } = field;
  put(one("#field-title"), nameOf(field));
  const place = one(".dice", dialog);
  place.replaceChildren(el("p", { class: "hint", text: phrase("Looking for it…") }));
  dialog.showModal();
  const told = await lookUp(game, dice.map(([landing]) => landing)).catch(() => new Map());
  if (mine !== asked) return;
  place.replaceChildren(
    ...dice.map(([landing, words, points]) => {
      const past = told.get(landing);
      const shown = plain(words);
      const caption = past ? phrase("Throw {number}, {player}: {words}", { number: past.throw, player: past.player, words: past.words }) : `${shown} = ${points}`;
      return el("figure", {}, el("figcaption", { text: caption }), pictureOf(game, past, shown));
    }),
  );
}
