// Every sentence that the big screen says by itself, in one place. What the box says comes in its snapshots.

import { grouped, inWords, titled } from "../dom.js";
import { inEither } from "../faces.js";
import { factName } from "../facts.js";
import { phrase, phraseCount } from "../phrase.js";
import { editionOf } from "../rules.js";

export const WORDS = {
  connected: phrase("Live"),
  starting: phrase("Looking for the box…"),
  lobby: phrase("Who plays?"),
  lobbyLead: phrase("Scan the code, choose a game, and throw."),
  join: phrase("Join in"),
  over: phrase("The game is over"),
  paused: phrase("Pause"),
  bet: phrase("Secret bets"),
  thinking: phrase("thinking…"),
  locked: phrase("locked"),
  noPicture: phrase("No picture is kept of this."),

  thisTurn: phrase("this turn"),
  certain: phrase("certain"),
  decided: phrase("decided by people"),
  replay: phrase("Replay"),
  wonTournament: (name, title) => phrase("{name} wins {tournament}", { name, tournament: title }),
  waitsForReferee: phrase("The result waits for the referee’s sign-off"),
  asked: { correct: phrase("What do the dice show?"), landing: phrase("Somebody look, please") },
};

export const codeOf = (address) => phrase("QR code of {address}", { address });
export const plainAddress = (address) => address.replace(/^https?:\/\//, "").replace(/\/$/, "");
export const gained = (points) => `+${grouped(points)}`;
export const betOf = (bet) => phrase("bet {dots}", { dots: bet });
export const haveLocked = (count, all) => phrase("{count} of {all} locked", { count, all });
export const revealed = () => phrase("The bets");
export const nowRolls = (name) => phrase("{player} rolls", { player: name });
export const signedBy = (who) => phrase("Signed off by {name}", { name: who });
export const winsOf = (winners) => phraseCount("{winners} wins", "{winners} share the win", winners.length, { winners: inWords(winners) });
export const dieOf = (words) => `${phrase("Die from straight above.")} ${words}`;
export const tableOf = (faces) => phrase("The table as the camera saw it: {dice}", { dice: faces.join(", ") || phrase("no dice") });

export function nextMatch({ state, number, sides: [first, second] }) {
  return state === "begun" ? phrase("Now: match {number}, {first} against {second}", { number, first, second }) : phrase("Next: match {number}, {first} against {second}", { number, first, second });
}

// Which game, and in which mode or edition.
export function titleOf(snapshot) {
  const { game } = snapshot;
  const title = snapshot.choices.find((choice) => choice.name === game.game)?.title ?? titled(game.game);
  return game.edition ? `${title} · ${editionOf(game)}` : title;
}

// The unit of what the turn has gathered.
export const runningUnit = (game) => game.unit || WORDS.thisTurn;

// "Round 2", "Quota 350 of 1,000": what else there is to see, as few words as it can be said in.
export const factWords = (fact) => `${factName(fact.name)} ${fact.words.join(", ")}`;

// A banner is for seven segments; what it shouts in letters is a word for the big screen, too.
export const shoutOf = (banner) => (/^[A-Z]{3,}( [A-Z]+)?$/.test(banner) && !["END", "SHARED", "BANK"].includes(banner) ? `${banner}!` : "");

// What a landing was worth: as it counts, or as it was measured where nobody has counted it yet.
export function landingCall(landing, past) {
  if (past) return past.words;
  if (landing.value === null) return WORDS.asked.landing;
  if (landing.rolled) return String(landing.value);
  if (landing.call === "asked" && landing.line) return inEither(landing);
  return `${landing.value} × ${landing.zone} = ${landing.score}`;
}

export const sureOf = (landing, past) => (landing.rolled ? "" : landing.call === "certain" && !past?.ruled ? WORDS.certain : WORDS.decided);
