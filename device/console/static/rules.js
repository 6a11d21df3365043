// The rulebooks' options in words, as the rulebooks have them: names, values, which stand in front, which depend on another.

import { RULEBOOKS } from "../rulebooks.js";
import { titled } from "./dom.js";

const FEW = 4; // so many options need no folding
const UNKNOWN = { values: {}, only_with: {}, seats: {}, hint: "", free: "", front: false };

const wordsOf = (game, option) => RULEBOOKS[game]?.options[option] ?? UNKNOWN;

export const nameOf = (game, option) => wordsOf(game, option).name ?? titled(option);
export const valueOf = (game, option, value) => wordsOf(game, option).values[value] ?? titled(value);
export const namesPlayer = (game, option) => wordsOf(game, option).free === "player";
export const onlyOnce = (game, option) => wordsOf(game, option).free === "once"; // the same word would deal the same cards again
export const hintOf = (game, option) => wordsOf(game, option).hint;
export const riskOf = (game) => RULEBOOKS[game]?.risk ?? ""; // empty where no odds are known

// The edition or mode that a running game is played in.
export const editionOf = ({ game, edition }) => valueOf(game, "mode", edition);

// Whether an option stands in front; the others fold away.
export function inFront(game, option) {
  return Object.keys(game.options).length <= FEW || wordsOf(game.name, option).front;
}

// How few and how many may play with what is chosen so far.
export function seatsOf(game, chosen) {
  for (const [option, values] of Object.entries(game.options)) {
    const seats = wordsOf(game.name, option).seats[chosen[option] ?? values[0]];
    if (seats) return [Math.max(seats[0], game.seats_min), Math.min(seats[1], game.seats_max)];
  }
  return [game.seats_min, game.seats_max];
}

// A value of an option with which so few could play.
export function valueForFew(game, count) {
  for (const option of Object.keys(game.options)) {
    const found = Object.entries(wordsOf(game.name, option).seats).find(([, [least, most]]) => least <= count && count <= most);
    if (found) return valueOf(game.name, option, found[0]);
  }
  return "";
}

// Whether an option means anything with what is chosen so far.
export function applies(game, chosen, option) {
  return Object.entries(wordsOf(game.name, option).only_with).every(([other, values]) => values.includes(chosen[other] ?? game.options[other]?.[0]));
}
