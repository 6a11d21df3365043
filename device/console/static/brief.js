// The rules of the game that is played, in short, with what was agreed for it. The full rules, numbered, head the rulebooks.

import { el, grouped, keep, one, show } from "./dom.js";
import { phrase, phraseCount, phraseLater } from "./phrase.js";
import { applies, nameOf, onlyOnce, valueOf } from "./rules.js";

// ZONK's cards, by the names that are printed on them.
export const CARDS = {
  "Magic Aura": phrase("One more die belongs to your set."),
  "Potion of Shrinking": phrase("A four-sided die takes the place of one of yours. It counts in every combo."),
  "Serpent's Stare": phrase("Two 1s of one cast score 500."),
  "Final Chance": phrase("When you cast one last die, you may cast it once more."),
  "Hot Hot Hot!": phrase("Your first hot cast of a round brings one more die, until the round ends."),
  "Time Warp Tonic": phrase("Put a die of this cast into an earlier pocket, if it makes combos there."),
  "Chaos Swap": phrase("Turn a die to its opposite face."),
  "Dictate Fate": phrase("Cast one die again; the others lie still."),
  "Dimensional Rift": phrase("Turn an even die to its half, and add a die that shows the same."),
  "Shadow Wizard's Money": phrase("One pocket of this turn counts double."),
};

// What was agreed, every option with the value that it has in this game, as the position's line tells it.
export function agreed({ game, choices }) {
  const told = new Map(game.line.split(" ").map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]));
  const options = choices.find((each) => each.name === game.game)?.options ?? {};
  const values = Object.entries(options).map(([name, offered]) => [name, told.get(name) ?? game.options[name] ?? offered[0] ?? ""]);
  return Object.fromEntries(values);
}

const points = (word) => grouped(Number(word));
const scores = (what, word) => (Number(word) ? [`${what}: ${points(word)}`] : []);
const sentence = (parts) => (parts.length ? `${parts.join("; ")}.`.replace(/^./, (letter) => letter.toUpperCase()) : "");

const KINDS = {
  double: phraseLater("A 1 is 100, a 5 is 50. Three alike: a hundred times the face, three 1s {points}; each die more doubles it."),
  printed: phraseLater("A 1 is 100, a 5 is 50. Three alike: a hundred times the face, three 1s {points}; each die more doubles it, but six pay three times the three."),
  add: phraseLater("A 1 is 100, a 5 is 50. Three alike: a hundred times the face, three 1s {points}; each die more adds the three again."),
  fixed: phraseLater("A 1 is 100, a 5 is 50. Three alike: a hundred times the face, three 1s {points}; four pay 1,000, five 2,000, six 3,000."),
  none: phraseLater("A 1 is 100, a 5 is 50. Three alike: a hundred times the face, three 1s {points}; more of a kind pay more."),
};

const BRIEF = {
  zoinx: (set) => [
    phrase("Everybody bets in secret how many dots the turn will gather: 0, 2, 4, 6, 8 or 10. Whoever rolls bets at least 2."),
    phrase("All four dice are thrown each time, and dots add up. Below the own bet: throw again. From there on: STOP, or throw on."),
    phrase("A throw without a dot is a ZOINX: the turn is over, and whoever rolled gets nothing."),
    phrase("Stopped at exactly the bet: the bet. Above it: bet plus dots. Everybody else whose bet was reached gets that bet, also when a ZOINX follows."),
    phrase("A bet of 0 gets 5 for a ZOINX."),
    set.last === "everybody"
      ? phrase("With 30 or more and alone in the lead the last round begins: everybody has one more turn.")
      : phrase("With 30 or more and alone in the lead the last round begins: each other player has one more turn."),
  ],
  "ten-thousand": (set) => [
    phrase("Throw all six dice, set at least one scoring die aside, then bank with CACHE or throw the rest."),
    phrase(KINDS[set.kinds] ?? KINDS.none, { points: points(set["three-ones"]) }),
    sentence([
      ...scores(phrase("straight 1 to 6"), set.straight),
      ...scores(phrase("straight 1 to 5"), set["low-straight"]),
      ...scores(phrase("straight 2 to 6"), set["high-straight"]),
      ...scores(phrase("three pairs"), set["three-pairs"]),
      ...scores(phrase("four of a kind and a pair"), set["four-and-pair"]),
      ...scores(phrase("two threes of a kind"), set["two-threes"]),
    ]),
    phrase("Nothing scores: the turn is over, and its points are lost. All six set aside: throw all six again."),
    ...(Number(set.opening) ? [phrase("Your first bank needs {points} in one turn.", { points: points(set.opening) })] : []),
    ...(Number(set.minimum) ? [phrase("Each bank needs {points}.", { points: points(set.minimum) })] : []),
    set.last === "none"
      ? phrase("Whoever banks to {points} wins at once.", { points: points(set.target) })
      : phrase("Whoever banks to {points} begins the last round: one turn for everybody else. The most points win.", { points: points(set.target) }),
  ],
  zonk: (set) => [
    phrase("A run has three rounds of three turns. Meet the quota of each round: 1,000, then 2,000, then 3,000. Miss one, and your run is over."),
    phrase("Cast all dice and pocket at least one combo. Then cast the rest, or CACHE: its points are yours."),
    phrase("A 1 is 100, a 5 is 50. Three alike: a hundred times the face, three 1s 1,000; four twice, five four times, six six times a hundred times the face."),
    set.pairs === "different" ? phrase("Three pairs 750, of three different faces. 1 to 6: 2,500.") : phrase("Three pairs 750. 1 to 6: 2,500."),
    phrase("No combo is a ZONK: the turn is over, and its points are lost. All dice pocketed: cast all again."),
    DECKS[set.deck] ?? DECKS.hand,
    set.winner === "all" ? phrase("Everybody who meets all quotas wins.") : phrase("Of those who meet all quotas the most points win."),
  ],
  "end-zone": (set, game) => [
    phrase("A die scores its number times the zone that it lies in: 20, 10, 5 or 2, and 1 before the sheet. The highest zone that it touches counts."),
    phrase("Throw one die at a time; they score after the last, each where it then lies. Take them up after your turn."),
    ...(MODES[game] ?? MODES.fast)(set),
    phrase("A die that covers the dot completely wins at once."),
    ...(Number(set.minus) ? [set["minus-for"] === "roller" ? phrase("A die off the table that nobody catches costs whoever threw it {points}.", { points: points(set.minus) }) : phrase("A die off the table that nobody catches costs whoever should have caught it {points}.", { points: points(set.minus) })] : []),
  ],
  tray: (set) => [phrase("Throw any number of dice: their sum is yours."), set.turn === "stop" ? phrase("Throw on as long as you like; STOP passes the turn.") : phrase("After each throw it is the next player’s turn."), phrase("The tray has no end.")],
};

const DECKS = {
  none: phrase("No cards are played."),
  box: phrase("After each turn the box draws two cards for you. Some work by themselves, some are yours to play."),
  hand: phrase("After each turn draw two cards. Some work by themselves, some are yours to play."),
};

const THREE = phrase("Each player throws three dice; the highest total wins.");
const MODES = {
  "score-card": () => [
    phrase("Everybody takes the lines of the card downwards: 14 throws of one die, two of two dice, one of three."),
    phrase("100 or more after line 7: 50 more. 250 or more after line 14: 100 more."),
    phrase("A 2 in the 2 zone, a 5 in the 5 zone, a 1 in the 10 zone and a 2 in the 20 zone each win one extra throw. The most points win."),
  ],
  fast: () => [THREE],
  threes: () => [THREE, phrase("Whoever first wins three such games has won. The loser of a game goes first in the next.")],
  "threes-sets": (set) => [THREE, phraseCount("Three games won are a 3’s, five 3’s are a set; one set wins.", "Three games won are a 3’s, five 3’s are a set; {count} sets win.", Number(set.sets || 1))],
  "first-of-500": (set) => [
    phrase("A turn is three dice, and totals add up."),
    set.challenge === "leader"
      ? phrase("Whoever first has {points} is challenged: everybody else has one turn to reach the leader’s points. Who does not is out.", { points: points(set.goal || 500) })
      : phrase("Whoever first has {points} is challenged: everybody else has one turn to reach that score. Who does not is out.", { points: points(set.goal || 500) }),
  ],
  solo: () => [phrase("Throw three dice, and beat their total from the other end, again and again.")],
  king: (set) => [phrase("The winner of each game stays as King, the next in line challenges. STOP before a game’s first die ends it: the King wins."), ...ofKing(set)],
  "king-of-kings": (set) => [phrase("The winner of each game stays as King, the next in line challenges."), phraseCount("{count} win as King wins it all.", "{count} wins as King win it all.", Number(set.wins || 5)), ...ofKing(set)],
  tournament: (set) => [phrase("Two by two: the winner of each match moves on, until one is left."), ...ofKing(set)],
};
const ofKing = (set) => (set.game in MODES ? [phrase("Played is {mode}.", { mode: valueOf("game", set.game) }), ...MODES[set.game](set)] : []);

function valueWords(option, value) {
  return /^[0-9]+$/.test(value) ? points(value) : valueOf(option, value);
}

export function drawBrief(snapshot) {
  const section = one("#rules");
  const { game } = snapshot;
  show(section, game !== null && game.game in BRIEF);
  if (section.hidden) return;
  if (!section.firstElementChild) {
    section.append(el("details", {}, el("summary", { text: phrase("Rules in short") }), el("ul"), el("h3", { text: phrase("Agreed for this game") }), el("dl")));
  }
  const set = agreed(snapshot);
  const said = BRIEF[game.game](set, set.mode).filter(Boolean);
  keep(one("ul", section), said, (text) => text, (text) => el("li", { text }));
  const offered = snapshot.choices.find((each) => each.name === game.game) ?? { options: {} };
  const options = Object.entries(set).filter(([name, value]) => applies(offered, set, name) && !onlyOnce(name) && !["", "0", "-"].includes(value));
  const make = ([name, value]) => el("div", {}, el("dt", { text: nameOf(name) }), el("dd", { text: valueWords(name, value) }));
  keep(one("dl", section), options, (each) => each.join("="), make);
}
