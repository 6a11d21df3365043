// The rulebooks' options in words for the lobby: names, values, which stand in front, which depend on another.

import { titled } from "./dom.js";

const NAMES = {
  edition: "Edition",
  youngest: "Youngest player",
  ties: "Ties",
  last: "Last round for",
  quota: "Towards a quota count",
  winner: "When several meet all quotas",
  pairs: "Three pairs",
  swap: "Chaos Swap turns",
  "in-play": "A die in play for items",
  aura: "Magic Aura adds its die",
  "hot-cast": "A hot cast with seven dice",
  money: "Money doubles",
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
  "same-roll": "From one roll is set aside",
  turn: "The turn passes",
  mode: "Mode",
  game: "Played in the mode",
  teams: "Teams of two",
  shuffle: "Shuffle play",
  order: "Who goes first",
  tie: "Roll-off on a tie",
  "dot-wins": "A covered dot wins",
  "pushed-dot": "A die pushed onto the dot",
  minus: "Minus points for a die nobody caught",
  "minus-for": "Minus points go to",
  double: "Double dice",
  goal: "Points to reach",
  challenge: "The challenge is against",
  sets: "Sets to win",
  wins: "Wins as King",
  "king-wins": "A win is marked",
  "king-chooses": "The King chooses the mode",
};

const MODES = {
  "score-card": "The official score card",
  fast: "Fast Play",
  threes: "3’s",
  "threes-sets": "3’s Sets",
  "first-of-500": "First of 500",
  solo: "Solo Play",
  king: "King",
  "king-of-kings": "King of Kings",
  tournament: "Tournament",
};

const VALUES = {
  ties: { edition: "As the edition has it", shared: "The win is shared", first: "Whoever was there first" },
  last: { opponents: "All others", everybody: "Everybody once more", others: "All others", none: "Nobody: the game ends at once" },
  quota: { round: "The points of its round", run: "All points of the run" },
  winner: { most: "The most points win", all: "All win" },
  pairs: { any: "Four alike are two pairs", different: "Only three different faces" },
  swap: { d6: "Six-sided dice only", all: "Four-sided dice too" },
  "in-play": { cast: "Lies in the cast", all: "May be pocketed, too" },
  aura: { set: "To the first cast", cast: "To each cast" },
  "hot-cast": { all: "Takes all of them", six: "Takes any six" },
  money: { pocket: "The whole pocket", now: "What lies there when it is played" },
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
  "same-roll": { more: "More, until the next throw", once: "Once only" },
  below: { roll: "Roll on", nothing: "Roll on, or end with nothing" },
  turn: { throw: "After each throw", stop: "With STOP" },
  mode: MODES,
  game: MODES,
  teams: { no: "No", own: "Yes, points are added", shared: "Yes, on one margin" },
  shuffle: { no: "No", turns: "Yes, turn by turn", dice: "Yes, die by die" },
  order: { roll: "The lowest die", seats: "As you sit" },
  tie: { points: "One die each, for points", number: "One die each, its number" },
  "dot-wins": { match: "What is played for now", mode: "All that is played", game: "The game that is rolled" },
  challenge: { score: "The score that began it", leader: "The leader’s points as they stand" },
  "pushed-dot": { no: "Does not win", wins: "Wins too" },
  "minus-for": { catcher: "Who should have caught it", roller: "Who threw it" },
  "king-wins": { "as-king": "When the King wins", all: "For every game won" },
  "king-chooses": { no: "No", yes: "Yes" },
};

const FRONT = { zonk: ["deck", "seed", "winner"], "ten-thousand": ["edition", "target", "first"], "end-zone": ["mode", "game", "goal", "sets", "wins", "shuffle", "order"] };
const FEW = 4; // so many options need no folding

const HINTS = { minus: "none", double: "none; or die3, zone5", goal: "500", sets: "1", wins: "5" };

const CONTESTS = ["king", "king-of-kings", "tournament"];
const ONLY_WITH = { // some values of another option bring it up
  youngest: ["edition", "game-factory"],
  seed: ["deck", "box"],
  game: ["mode", ...CONTESTS],
  goal: ["mode", "first-of-500", ...CONTESTS],
  challenge: ["mode", "first-of-500", ...CONTESTS],
  sets: ["mode", "threes-sets", ...CONTESTS],
  wins: ["mode", "king-of-kings"],
  "king-wins": ["mode", "king-of-kings"],
  "king-chooses": ["mode", "king", "king-of-kings"],
};
const PLAYER = new Set(["youngest"]); // free text that names a player
const ONCE = new Set(["seed"]); // the same word would deal the same cards again

export const nameOf = (option) => NAMES[option] ?? titled(option);
export const valueOf = (option, value) => VALUES[option]?.[value] ?? titled(value);
export const namesPlayer = (option) => PLAYER.has(option);
export const onlyOnce = (option) => ONCE.has(option);
export const hintOf = (option) => HINTS[option] ?? (ONCE.has(option) ? "a new one for each game" : "by edition");

// Whether an option stands in front; the others fold away.
export function inFront(game, option) {
  const names = Object.keys(game.options);
  return (FRONT[game.name] ?? (names.length > FEW ? names.slice(0, FEW - 1) : names)).includes(option);
}

// How few and how many may play with what is chosen so far.
export function seatsOf(game, chosen) {
  if (game.name !== "end-zone") return [game.seats_min, game.seats_max];
  return (chosen.mode ?? game.options.mode[0]) === "solo" ? [1, 1] : [Math.max(2, game.seats_min), game.seats_max];
}

// Whether an option means anything with what is chosen so far.
export function applies(game, chosen, option) {
  const [other, ...values] = ONLY_WITH[option] ?? [];
  if (!other || !(other in game.options)) return true;
  return values.includes(chosen[other] ?? game.options[other][0]);
}
