// The rulebooks' options in words for the lobby: names, values, which stand in front, which depend on another.

import { titled } from "./dom.js";

const NAMES = {
  edition: "Edition",
  youngest: "Youngest player",
  ties: "Ties",
  last: "Last round for",
  quota: "Towards a quota count",
  winner: "Of those who meet all quotas",
  pairs: "Three pairs",
  swap: "Chaos Swap turns",
  zonk: "A cast without a combo",
  copies: "Copies of each card",
  deck: "Cards",
  seed: "Shuffled by the word",
  first: "First turn",
  target: "Points to reach",
  opening: "First bank at least",
  minimum: "Each bank at least",
  kinds: "Four, five and six of a kind",
  "three-ones": "Three 1s",
  straight: "Straight 1 to 6",
  "low-straight": "Straight 1 to 5",
  "high-straight": "Straight 2 to 6",
  "three-pairs": "Three pairs",
  "four-and-pair": "Four of a kind and a pair",
  "two-threes": "Two threes of a kind",
  below: "With too few points to bank",
  turn: "The turn passes",
};

const VALUES = {
  ties: { edition: "As the edition has it", shared: "The win is shared", first: "Whoever was there first" },
  last: { opponents: "All others", everybody: "Everybody once more", others: "All others", none: "Nobody: the game ends at once" },
  quota: { round: "The points of its round", run: "All points of the run" },
  winner: { most: "The most points win", all: "All win" },
  pairs: { any: "Four alike are two pairs", different: "Only three different faces" },
  swap: { d6: "Six-sided dice only", all: "Four-sided dice too" },
  zonk: { waits: "Items may still save it", "at-once": "Is a zonk at once" },
  deck: { hand: "The real deck: tell the box what you draw", box: "The box deals", none: "No cards" },
  first: { "roll-off": "The highest die begins", named: "The first name begins" },
  kinds: {
    edition: "As the edition has it",
    double: "Each further die doubles",
    printed: "Each further die doubles, but six pay three times the three",
    add: "Each further die adds the three again",
    fixed: "1,000, 2,000 and 3,000",
  },
  below: { roll: "Roll on", nothing: "Roll on, or end with nothing" },
  turn: { throw: "After each throw", stop: "With STOP" },
};

const FRONT = { zonk: ["deck", "seed", "winner"], "ten-thousand": ["edition", "target", "first"] };
const FEW = 4; // so many options need no folding

const ONLY_WITH = { youngest: ["edition", "game-factory"], seed: ["deck", "box"] }; // one value of another brings it up
const PLAYER = new Set(["youngest"]); // free text that names a player
const ONCE = new Set(["seed"]); // the same word would deal the same cards again

export const nameOf = (option) => NAMES[option] ?? titled(option);
export const valueOf = (option, value) => VALUES[option]?.[value] ?? titled(value);
export const namesPlayer = (option) => PLAYER.has(option);
export const onlyOnce = (option) => ONCE.has(option);
export const hintOf = (option) => (ONCE.has(option) ? "a new one for each game" : "by edition");

// Whether an option stands in front; the others fold away.
export function inFront(game, option) {
  const names = Object.keys(game.options);
  return (FRONT[game.name] ?? (names.length > FEW ? names.slice(0, FEW - 1) : names)).includes(option);
}

// Whether an option means anything with what is chosen so far.
export function applies(game, chosen, option) {
  const [other, value] = ONLY_WITH[option] ?? [];
  if (!other || !(other in game.options)) return true;
  return (chosen[other] ?? game.options[other][0]) === value;
}
