// Every sentence that the big screen says by itself, in one place. What the box says comes in its snapshots.

import { grouped, inWords, titled } from "../dom.js";
import { valueOf as ruleValue } from "../rules.js";

export const WORDS = {
  connected: "Live",
  alone: "No connection to the box. It comes back by itself.",
  starting: "Looking for the box…",
  lobby: "Who plays?",
  lobbyLead: "Scan the code, choose a game, and throw.",
  join: "Join in",
  over: "The game is over",
  paused: "Pause",
  bet: "Secret bets",
  thinking: "thinking…",
  locked: "locked",
  noPicture: "No picture is kept of this.",
  dot: "dot",
  dots: "dots",
  thisTurn: "this turn",
  lastThrow: "last throw",
  certain: "certain",
  decided: "decided by people",
  replay: "Replay",
  wonTournament: (name, title) => `${name} wins ${title}`,
  waitsForReferee: "The result waits for the referee’s sign-off",
  asked: { correct: "What do the dice show?", landing: "Somebody look, please" },
};

export const codeOf = (address) => `QR code of ${address}`;
export const plainAddress = (address) => address.replace(/^https?:\/\//, "").replace(/\/$/, "");
export const gained = (points) => `+${grouped(points)}`;
export const betOf = (bet) => `bet ${bet}`;
export const haveLocked = (count, all) => `${count} of ${all} locked`;
export const revealed = () => "The bets";
export const nowRolls = (name) => `${name} rolls`;
export const nextMatch = (match) => `${match.state === "begun" ? "Now" : "Next"}: match ${match.number}, ${match.sides.join(" against ")}`;
export const signedBy = (who) => `Signed off by ${who}`;
export const winsOf = (winners) => `${inWords(winners)} ${winners.length > 1 ? "share the win" : "wins"}`;
export const dieOf = (words) => `Die from straight above. ${words}`;
export const tableOf = (faces) => `The table as the camera saw it: ${faces.join(", ") || "no dice"}`;

// Which game, and in which mode or edition.
export function titleOf(snapshot) {
  const { game } = snapshot;
  const title = snapshot.choices.find((choice) => choice.name === game.game)?.title ?? titled(game.game);
  return game.edition ? `${title} · ${ruleValue("mode", game.edition)}` : title;
}

// The unit of what the turn has gathered. At the tray a turn can be over with its throw: then the sum is the last one's.
export function runningUnit(game) {
  if (game.game === "zoinx") return game.running === 1 ? WORDS.dot : WORDS.dots;
  return /^tray turn=throw/.test(game.line) ? WORDS.lastThrow : WORDS.thisTurn;
}

// "Round 2", "Quota 350 of 1,000": what else there is to see, as few words as it can be said in.
export const factWords = (fact) => `${fact.name.charAt(0).toUpperCase()}${fact.name.slice(1)} ${fact.words.join(", ")}`;

// A banner is for seven segments; what it shouts in letters is a word for the big screen, too.
export const shoutOf = (banner) => (/^[A-Z]{3,}( [A-Z]+)?$/.test(banner) && !["END", "SHARED", "BANK"].includes(banner) ? `${banner}!` : "");

// What a landing was worth: as it counts, or as it was measured where nobody has counted it yet.
export function landingCall(landing, past) {
  if (past) return past.words;
  if (landing.value === null) return WORDS.asked.landing;
  if (landing.rolled) return String(landing.value);
  if (landing.call === "asked" && landing.line) return `${landing.value} in ${landing.line.replace("|", " or ")}?`;
  return `${landing.value} × ${landing.zone} = ${landing.score}`;
}

export const sureOf = (landing, past) => (landing.rolled ? "" : landing.call === "certain" && !past?.ruled ? WORDS.certain : WORDS.decided);
