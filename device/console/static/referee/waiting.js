// What waits for the referee now: the question about a throw, with the likeliest answer first, or the covered dot.

import { attr, el, keep, one, put } from "../dom.js";
import { phrase } from "../phrase.js";
import { tell } from "../post.js";

const NOTHING = { kind: "", title: phrase("Nothing waits"), text: phrase("The next question about a throw comes here, with its close-up.") };

// What is asked; `asked` is the throw of the log that waits, where the log has it already.
function questionOf(snapshot, asked) {
  const game = snapshot.game;
  if (!game || snapshot.stage !== "playing") return NOTHING;
  const dot = game.choices.filter((choice) => choice.event?.event === "confirmed");
  if (snapshot.ask === "landing") return { kind: "landing", title: phrase("To be decided"), text: asked?.asked || snapshot.message.text };
  if (dot.length) return { kind: "dot", title: phrase("Is the dot covered?"), text: snapshot.message.text };
  if (snapshot.ask === "correct") return { kind: "correct", title: phrase("What do the dice show?"), text: snapshot.message.text };
  if (snapshot.touched) return { kind: "touched", title: phrase("Dice were touched"), text: snapshot.message.text };
  return NOTHING;
}

// The likeliest answer leads; those that a deciding die gives come last.
function answersOf(snapshot, kind, asked) {
  if (kind !== "landing" && kind !== "dot") return [];
  const all = snapshot.game.choices.map((each, choice) => ({ ...each, choice }));
  const mine = kind === "dot" ? all.filter(({ event }) => event?.event === "confirmed") : all;
  const rank = ({ words, by_die }) => (words === asked?.likeliest ? 0 : by_die ? 2 : 1);
  return mine.toSorted((one, other) => rank(one) - rank(other));
}

async function answer(choice, words) {
  const said = await tell("/choices", { choice, words });
  if (said.ok) one("#waiting-title").focus({ preventScroll: true });
}

// Returns the question as it stands there.
export function drawWaiting(snapshot, throws) {
  const section = one("#waiting");
  const asked = throws.find((each) => each.standing === "asked");
  const { kind, title, text } = questionOf(snapshot, asked);
  attr(document.body, "data-waits", kind || null);
  put(one("#waiting-title"), title);
  put(one(".question", section), text);
  keep(
    one(".answers", section),
    answersOf(snapshot, kind, asked),
    ({ choice, words }) => `${choice} ${words}`,
    ({ choice, words }) => el("button", { type: "button", text: words, onclick: () => answer(choice, words) }),
    (button, { words }) => button.classList.toggle("main", words === asked?.likeliest),
  );
  return text;
}
