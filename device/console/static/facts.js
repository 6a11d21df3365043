// What else there is to see of a game, by the names that the rulebooks give it.

import { phrase } from "./phrase.js";

const NAMES = {
  "3's": "3’s",
  "on the table": phrase("On the table"),
  "wins as King": phrase("Wins as King"),
  card: phrase("Card"),
  cast: phrase("Cast"),
  challenged: phrase("Challenged"),
  extras: phrase("Extras"),
  "farkles in a row": phrase("Farkles in a row"),
  game: phrase("Game"),
  games: phrase("Games"),
  items: phrase("Items"),
  king: phrase("King"),
  modifiers: phrase("Modifiers"),
  quota: phrase("Quota"),
  round: phrase("Round"),
  run: phrase("Run"),
  sets: phrase("Sets"),
  team: phrase("Team"),
  through: phrase("Through"),
  turn: phrase("Turn"),
  waiting: phrase("Waiting"),
};

export function factName(name) {
  const [, number] = /^pocket (\d+)$/.exec(name) ?? [];
  return number ? phrase("Pocket {number}", { number }) : (NAMES[name] ?? name);
}
