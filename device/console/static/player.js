// One player's page: what that player needs at this moment, and nothing else. The rest stands on the page of the whole table.

import { drawBet, forgetWhenHidden, iAm, ownPlayer } from "./bets.js";
import { drawBrief } from "./brief.js";
import { drawCards, isPlay } from "./cards.js";
import { drawCorrect } from "./correct.js";
import { attr, el, grouped, inWords, keep, one, put, show } from "./dom.js";
import { follow } from "./feed.js";
import { drawHand, makeHand } from "./hand.js";
import { drawLanding } from "./landing.js";
import { drawEnding } from "./lobby.js";
import { drawOdds, makeOdds } from "./odds.js";
import { drawOffer, makeOffer } from "./offer.js";
import { drawPadCard } from "./pad.js";
import { LABELS, drawPanel, listen, makePanel, turnKeys } from "./panel.js";
import { followPeople, isFamily, makePeople, may } from "./people.js";
import { phrase, phraseCount, phraseLater } from "./phrase.js";
import { drawPick, makePick } from "./pick.js";
import { link, say } from "./said.js";
import { drawFacts, drawPlayers, titleOf } from "./scores.js";
import { recall, remember } from "./storage.js";
import { drawTable, makeTable } from "./table.js";
import { drawTouched } from "./touched.js";
import { drawVoice, makeVoice } from "./voice.js";

let latest = null;

// Which moment of the evening it is for this player.
function momentOf({ stage, game, paused, ask }, me) {
  if (!game || stage === "lobby") return "waiting";
  if (!game.players.includes(me)) return isFamily() ? "who" : "watching";
  if (stage === "ended") return "ended";
  if (paused) return "paused";
  if (ask === "landing") return "asked";
  if (game.phase === "bet") return "bet";
  return game.active === me || game.allowed.some((each) => each.player === me) ? "mine" : "other";
}

// A family's page is whose it was said to be, also when it is opened again.
function become(name) {
  iAm(name);
  remember("player", name);
  const address = new URL(location.href);
  if (name) address.searchParams.set("player", name);
  else address.searchParams.delete("player");
  history.replaceState(null, "", address);
  if (latest) draw(latest);
}

function drawWho({ game }, me) {
  const hint = one("#who .hint");
  put(hint, me ? phrase("{player} does not play in this game.", { player: me }) : "");
  show(hint, me !== "");
  const make = (name) => el("button", { type: "button", text: phrase("I am {name}", { name }), onclick: () => become(name) });
  keep(one("#who .names"), game?.players ?? [], (name) => name, make);
}

function titleFor(moment, { game, paused }, me) {
  if (paused) return phrase("The game waits");
  if (moment === "asked") return phrase("What counts?");
  const mine = game.active === me;
  if (moment === "bet") return mine ? phrase("You will roll") : phrase("{player} will roll", { player: game.active });
  return moment === "mine" ? phrase("Your turn") : phrase("{player}’s turn", { player: game.active });
}

const THROW = { roll_done: phraseLater("Throw {dice}, then press ROLL DONE."), at_rest: phraseLater("Throw {dice}, the box reads them when they lie still.") };
const OR_THROW = { roll_done: phraseLater("Or throw {dice}, then press ROLL DONE."), at_rest: phraseLater("Or throw {dice}, the box reads them when they lie still.") };
const THROW_OTHERS = {
  roll_done: phrase("Or throw the others, then press ROLL DONE: the best of what stays lying counts."),
  at_rest: phrase("Or throw the others, the box reads them when they lie still: the best of what stays lying counts."),
};

// What to do now, in sentences to this player.
function nowFor(moment, snapshot, picking) {
  const { game, reads } = snapshot;
  const lit = (button) => game.allowed.some((each) => each.button === button);
  if (moment === "paused") return [phrase("Dice and buttons mean nothing until it goes on, at the page of the whole table.")];
  if (moment === "asked") return [may("judge") ? phrase("Look at the close-up, and answer below.") : phrase("The referee or host answers.")];
  if (moment === "bet") {
    const open = game.allowed.filter((each) => each.button === "bet").map((each) => each.player);
    return open.length ? [phraseCount("{players} still bets.", "{players} still bet.", open.length, { players: inWords(open) })] : [];
  }
  if (moment !== "mine") return [];
  if (snapshot.ask === "correct") return [may("judge") ? phrase("Throw again, or say below what the dice show.") : phrase("Throw again, or have the dice told by whoever leads the game.")];
  const words = game.phase === "draw" ? [phrase("Draw cards, and say which.")] : game.choices.length && !picking ? [game.choices.every(isPlay) ? phrase("You may play a card.") : phrase("Choose below.")] : [];
  if (lit("roll_done")) {
    const others = picking && game.wanted_count === null;
    words.push(others ? THROW_OTHERS[reads] : phrase((words.length || picking ? OR_THROW : THROW)[reads], { dice: game.wanted || phrase("the dice") }));
  }
  if (lit("stop")) words.push(game.allowed.some((each) => each.button === "stop" && !each.scores) ? phrase("Or STOP: the turn ends with nothing.") : phrase("Or STOP: the turn ends, and scores."));
  if (lit("cache")) words.push(phrase("Or CACHE: the turn ends, and its points are yours."));
  return words;
}

function drawTurn(moment, snapshot, me, picking) {
  const { game } = snapshot;
  put(one("#turn-title"), titleFor(moment, snapshot, me));
  const running = ["bet", "paused"].includes(moment) ? null : game.running;
  show(one("#play .running"), running !== null);
  put(one("#play .running b"), running === null ? "" : grouped(running));
  put(one("#play .running span"), game.unit || phrase("this turn"));
  const now = nowFor(moment, snapshot, picking);
  // While dice are tapped, what else may be done stands behind them: the picture comes first.
  for (const [list, words] of [[one("#play .now"), picking ? [] : now], [one("#pick .now"), picking ? now : []]]) {
    show(list, words.length > 0);
    keep(list, words, (text) => text, (text) => el("li", { text }));
  }
}

// Why a button of the bar is dark, where it would end the turn or read the dice.
function whyDark({ game, lamps }) {
  const dark = turnKeys({ game, lamps }).filter((name) => name !== "undo" && !lamps[name]);
  const told = dark.filter((name) => game.dark[name]).map((name) => phrase("{button} is dark: {why}", { button: LABELS[name], why: game.dark[name].replace(/ \([^()]*\d[^()]*\)$/, "") }));
  if (told.length || !dark.includes("roll_done")) return told;
  const awaited = game.allowed.some((each) => each.button === "roll_done");
  return [awaited ? phrase("ROLL DONE is dark until dice are thrown.") : phrase("ROLL DONE is dark: choose first.")];
}

const barKeys = { mine: turnKeys, asked: (snapshot) => (may("judge") ? turnKeys(snapshot).filter((name) => snapshot.lamps[name]) : []) };

function drawBar(moment, snapshot) {
  drawPanel(snapshot, barKeys[moment] ?? (() => []));
  const why = moment === "mine" && !one("#panel").hidden ? whyDark(snapshot) : [];
  put(one("#why"), why.join(" "));
  show(one("#why"), why.length > 0);
}

function drawGame(moment, snapshot, me) {
  const { game } = snapshot;
  const mine = moment === "mine";
  const picking = drawPick(snapshot, mine && may("play"));
  drawTurn(moment, snapshot, me, picking);
  drawOffer(snapshot, (choice) => !isPlay(choice) && !(picking && choice.event.event === "pocket"));
  show(one("#offers"), ["mine", "asked"].includes(moment) && !one("#offer").hidden && may(moment === "asked" ? "judge" : "play"));
  drawCards(snapshot, me, mine && may("play"));
  drawPlayers(one("#standing .players"), snapshot);
  for (const row of one("#standing .players").children) row.classList.toggle("me", one(".name", row).textContent === me);
  const own = game.facts.filter((fact) => fact.player === me && !["items", "modifiers"].includes(fact.name));
  drawFacts(one("#standing > .facts"), own);
  drawLanding(snapshot);
  drawTouched(snapshot);
  if (may("judge")) drawCorrect(snapshot);
  drawTable(snapshot);
  attr(one("#table"), "data-view", snapshot.table.fresh ? "read" : "live");
  show(one("#glance"), !picking && !(mine && snapshot.ask === "correct" && may("judge")) && ["mine", "other"].includes(moment));
  if (mine || moment === "bet") drawOdds(snapshot);
  drawHand(snapshot);
  show(one("#hand"), snapshot.simulated && mine && may("hand"));
}

function draw(snapshot) {
  latest = snapshot;
  drawVoice(snapshot);
  followPeople(snapshot);
  const me = ownPlayer();
  const moment = momentOf(snapshot, me);
  attr(document.body, "data-stage", snapshot.stage);
  attr(document.body, "data-moment", moment);
  put(one("#name"), me || "Callbox");
  put(one("#title"), titleOf(snapshot));
  say(one("#message"), snapshot.message.text ? snapshot.message : { text: snapshot.game?.news ?? "", tone: "info" });
  say(one("#camera"), snapshot.camera);
  say(one("#stuck"), snapshot.panel);
  for (const part of document.querySelectorAll("[data-when]")) show(part, part.dataset.when.split(" ").includes(moment));
  put(one("#not-me"), phrase("I am not {name}", { name: me }));
  show(one("#not-me"), isFamily() && me !== "" && moment !== "who");
  drawWho(snapshot, me);
  drawPadCard(snapshot, me);
  drawBrief(snapshot);
  if (snapshot.game) drawBar(moment, snapshot);
  else show(one("#panel"), false);
  if (moment === "bet") drawBet(snapshot);
  if (moment === "ended") drawEnding(snapshot);
  if (["bet", "mine", "other", "asked", "paused"].includes(moment)) return drawGame(moment, snapshot, me);
  drawPick(snapshot, false);
  for (const part of ["#glance", "#hand"]) show(one(part), false);
}

one("#not-me").addEventListener("click", () => become(""));
one("#offers").append(makeOffer());
listen(() => false); // a phone has no single keys, but what is pressed is let go
makePanel();
makePick();
makeOdds();
makeTable();
makeVoice();
makeHand();
forgetWhenHidden();
iAm(new URLSearchParams(location.search).get("player") || recall("player") || "");
remember("player", ownPlayer());
makePeople(() => latest && draw(latest));
follow(draw, link);
