// The rules of the game that is played, in short, with what was agreed for it: asked of the box once they are opened.

import { el, keep, one, show } from "./dom.js";
import { phrase } from "./phrase.js";

let drawn = ""; // the game whose rules stand there
let busy = false;
let current = null;

function makeSection(section) {
  const details = el("details", { ontoggle: fetchRules }, el("summary", { text: phrase("Rules in short") }), el("ul"), el("h3", { text: phrase("Agreed for this game") }), el("dl"));
  section.append(details);
}

// A game's rules change with nothing but the game, and with the mode that a King chooses: both stand in this key.
const keyOf = ({ game_id: id, game }) => JSON.stringify([id, game.game, game.edition, game.options, game.line.match(/ game=[^ ]+/)?.[0]]);

async function fetchRules() {
  const key = current && keyOf(current);
  if (!key || busy || drawn === key || !one("#rules details").open) return;
  busy = true;
  const rules = await fetch("rules", { cache: "no-store" }).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  busy = false;
  if (!rules) return;
  drawn = key;
  keep(one("#rules ul"), rules.brief, (text) => text, (text) => el("li", { text }));
  keep(one("#rules dl"), rules.agreed, (pair) => pair.join("="), ([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", { text: value })));
}

export function drawBrief(snapshot) {
  const section = one("#rules");
  show(section, snapshot.game !== null);
  current = snapshot.game && snapshot;
  if (section.hidden) return;
  if (!section.firstElementChild) makeSection(section);
  fetchRules();
}
