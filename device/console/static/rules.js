// The rulebooks' options in words for the lobby: names, values, which stand in front, which depend on another.

import { titled } from "./dom.js";
import { phrase } from "./phrase.js";

const NAMES = {
  edition: phrase("Edition"),
  youngest: phrase("Youngest player"),
  ties: phrase("Ties"),
  last: phrase("Last round for"),
  quota: phrase("Towards a quota count"),
  winner: phrase("When several meet all quotas"),
  pairs: phrase("Three pairs"),
  swap: phrase("Chaos Swap turns"),
  "in-play": phrase("A die in play for items"),
  aura: phrase("Magic Aura adds its die"),
  "hot-cast": phrase("A hot cast with seven dice"),
  money: phrase("Money doubles"),
  zonk: phrase("A cast without a combo"),
  copies: phrase("Copies of each card"),
  deck: phrase("Cards"),
  seed: phrase("Shuffled by the word"),
  first: phrase("First turn"),
  target: phrase("Points to reach"),
  opening: phrase("First bank at least"),
  minimum: phrase("Each bank at least"),
  kinds: phrase("Four, five and six of a kind"),
  "three-ones": phrase("Three 1s"),
  straight: phrase("Straight 1 to 6"),
  "low-straight": phrase("Straight 1 to 5"),
  "high-straight": phrase("Straight 2 to 6"),
  "three-pairs": phrase("Three pairs"),
  "four-and-pair": phrase("Four of a kind and a pair"),
  "two-threes": phrase("Two threes of a kind"),
  below: phrase("With too few points to bank"),
  "same-roll": phrase("From one roll is set aside"),
  turn: phrase("The turn passes"),
  mode: phrase("Mode"),
  game: phrase("Played in the mode"),
  teams: phrase("Teams of two"),
  shuffle: phrase("Shuffle play"),
  order: phrase("Who goes first"),
  tie: phrase("Roll-off on a tie"),
  "dot-wins": phrase("A covered dot wins"),
  "pushed-dot": phrase("A die pushed onto the dot"),
  minus: phrase("Minus points for a die nobody caught"),
  "minus-for": phrase("Minus points go to"),
  double: phrase("Double dice"),
  goal: phrase("Points to reach"),
  challenge: phrase("The challenge is against"),
  sets: phrase("Sets to win"),
  wins: phrase("Wins as King"),
  "king-wins": phrase("A win is marked"),
  "king-chooses": phrase("The King chooses the mode"),
};

const MODES = {
  "score-card": phrase("The official score card"),
  fast: "Fast Play",
  threes: "3’s",
  "threes-sets": "3’s Sets",
  "first-of-500": "First of 500",
  solo: "Solo Play",
  king: phrase("King"),
  "king-of-kings": "King of Kings",
  tournament: phrase("Tournament"),
};

const VALUES = {
  ties: { edition: phrase("As the edition has it"), shared: phrase("The win is shared"), first: phrase("Whoever was there first") },
  last: { opponents: phrase("All others"), everybody: phrase("Everybody once more"), others: phrase("All others"), none: phrase("Nobody: the game ends at once") },
  quota: { round: phrase("The points of its round"), run: phrase("All points of the run") },
  winner: { most: phrase("The most points win"), all: phrase("All win") },
  pairs: { any: phrase("Four alike are two pairs"), different: phrase("Only three different faces") },
  swap: { d6: phrase("Six-sided dice only"), all: phrase("Four-sided dice too") },
  "in-play": { cast: phrase("Lies in the cast"), all: phrase("May be pocketed, too") },
  aura: { set: phrase("To the first cast"), cast: phrase("To each cast") },
  "hot-cast": { all: phrase("Takes all of them"), six: phrase("Takes any six") },
  money: { pocket: phrase("The whole pocket"), now: phrase("What lies there when it is played") },
  zonk: { waits: phrase("Items may still save it"), "at-once": phrase("Is a zonk at once") },
  deck: { hand: phrase("The real deck: tell the box what you draw"), box: phrase("The box deals"), none: phrase("No cards") },
  first: { "roll-off": phrase("The highest die begins"), named: phrase("The first name begins") },
  kinds: {
    edition: phrase("As the edition has it"),
    double: phrase("Each further die doubles"),
    printed: phrase("Each further die doubles, but six pay three times the three"),
    add: phrase("Each further die adds the three again"),
    fixed: phrase("1,000, 2,000 and 3,000"),
  },
  "same-roll": { more: phrase("More, until the next throw"), once: phrase("Once only") },
  below: { roll: phrase("Roll on"), nothing: phrase("Roll on, or end with nothing") },
  turn: { throw: phrase("After each throw"), stop: phrase("With STOP") },
  mode: MODES,
  game: MODES,
  teams: { no: phrase("No"), own: phrase("Yes, points are added"), shared: phrase("Yes, on one margin") },
  shuffle: { no: phrase("No"), turns: phrase("Yes, turn by turn"), dice: phrase("Yes, die by die") },
  order: { roll: phrase("The lowest die"), seats: phrase("As you sit") },
  tie: { points: phrase("One die each, for points"), number: phrase("One die each, its number") },
  "dot-wins": { match: phrase("What is played for now"), mode: phrase("All that is played"), game: phrase("The game that is rolled") },
  challenge: { score: phrase("The score that began it"), leader: phrase("The leader’s points as they stand") },
  "pushed-dot": { no: phrase("Does not win"), wins: phrase("Wins too") },
  "minus-for": { catcher: phrase("Who should have caught it"), roller: phrase("Who threw it") },
  "king-wins": { "as-king": phrase("When the King wins"), all: phrase("For every game won") },
  "king-chooses": { no: phrase("No"), yes: phrase("Yes") },
};

const FRONT = { zonk: ["deck", "seed", "winner"], "ten-thousand": ["edition", "target", "first"], "end-zone": ["mode", "game", "goal", "sets", "wins", "shuffle", "order"] };
const FEW = 4; // so many options need no folding

const HINTS = { minus: phrase("none"), double: phrase("none; or die3, zone5"), goal: "500", sets: "1", wins: "5" };

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
export const hintOf = (option) => HINTS[option] ?? (ONCE.has(option) ? phrase("a new one for each game") : phrase("by edition"));

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
