// The big screen: one moment at a time, nothing to touch, never anything to scroll. `?overlay` shows the strip alone.

import { attr, el, factName, grouped, inWords, keep, one, phrase, phraseCount, put, show, svg } from "./dom.js";
import { correctionOf, drawBest, drawRounds, drawStamp, faceWord, inEither, makeStamped, nextMatch, overlay, stampOf } from "./drawings.js";
import { drawDice, drawPads, lastRollOf, shoutOf, targetOf, titleOf } from "./game.js";
import { follow, identifyBox, isFamily, lostWords } from "./link.js";
import { drawVoice, makeVoice } from "./voice.js";
import { advance, begin, counted, endReplay } from "./moments.js";

// Makes words as large as their place allows, so that nothing ever has to scroll.

const STEPS = 7;
const WHOLE = 0.5; // so much smaller are words made before one is broken in two

const fits = (node) => node.scrollHeight <= node.clientHeight + 1 && node.scrollWidth <= node.clientWidth + 1;

// The largest size between two at which the words fit; the lesser one where none does.
function largest(node, low, high) {
  const set = (size) => (node.style.fontSize = `${size}rem`);
  set(high);
  if (fits(node)) return true;
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    set(middle);
    if (fits(node)) low = middle;
    else high = middle;
  }
  set(low);
  return fits(node);
}

// Sets the size of a node's words, in hundredths of the screen's width, between `least` and `most`. Its own place in the
// page has to be fixed: what does not fit at the least is cut off.
export function fit(node, most, least) {
  if (node.clientHeight === 0 && node.textContent === "") return;
  const place = node.parentElement;
  const key = [node.textContent, node.clientWidth, place.clientWidth, place.clientHeight, most, innerWidth, innerHeight].join(" ");
  if (node.dataset.fitted === key) return; // measuring costs a layout
  node.style.overflowWrap = "normal";
  if (!largest(node, Math.max(most * WHOLE, least), most)) {
    node.style.overflowWrap = "anywhere";
    largest(node, least, most);
  }
  node.dataset.fitted = key;
}

export function fitAll(root, selector, most, least) {
  for (const node of root.querySelectorAll(selector)) fit(node, most, least);
}

// Every sentence that the big screen says by itself, in one place. What the box says comes in its snapshots.

export const WORDS = {
  connected: phrase("Live"),
  starting: phrase("Looking for the box…"),
  lobby: phrase("Who plays?"),
  lobbyLead: phrase("Scan the code, choose a game, and throw."),
  watchLead: phrase("Scan to watch. Whoever leads the game hands out the codes of the seats."),
  begin: phrase("Begin a game"),
  join: phrase("Join in"),
  watch: phrase("Watch"),
  game: phrase("This game, throw by throw"),
  over: phrase("The game is over"),
  paused: phrase("Pause"),
  bet: phrase("Secret bets"),
  thinking: phrase("thinking…"),
  locked: phrase("locked"),
  noPicture: phrase("No picture is kept of this."),

  thisTurn: phrase("this turn"),
  certain: phrase("certain"),
  decided: phrase("ruled"),
  replay: phrase("Replay"),
  wonTournament: (name, title) => phrase("{name} wins {tournament}", { name, tournament: title }),
  waitsForReferee: phrase("The result waits for the referee’s sign-off"),
  asked: { correct: phrase("What do the dice show?"), landing: phrase("Please look at the die") },
};

export const codeOf = (address) => phrase("QR code of {address}", { address });
export const plainAddress = (address) => address.replace(/^https?:\/\//, "").replace(/\/$/, "");
export const gained = (points) => `+${grouped(points)}`;
export const betOf = (bet) => phrase("bet {dots}", { dots: bet });
export const haveLocked = (count, all) => phrase("{count} of {all} locked", { count, all });
export const revealedTitle = () => phrase("The bets");
export const nowRolls = (name) => phrase("{player} rolls", { player: name });
export const signedBy = (who) => phrase("Signed off by {name}", { name: who });
export const winsOf = (winners) => phraseCount("{winners} wins", "{winners} share the win", winners.length, { winners: inWords(winners) });
export const dieOf = (words) => `${phrase("Die from straight above.")} ${words}`;
export const tableOf = (faces) => phrase("The table as the camera saw it: {dice}", { dice: faces.join(", ") || phrase("no dice") });

// The unit of what the turn has gathered.
export const runningUnit = (game) => game.unit || WORDS.thisTurn;

// "Round 2", "Quota 350 of 1,000": what else there is to see, as few words as it can be said in.
export const factWords = (fact) => `${factName(fact.name)} ${fact.words.join(", ")}`;


// What a landing was worth: as it counts, or as it was measured where nobody has counted it yet.
export function landingCall(landing, past) {
  if (past) return past.words;
  if (landing.value === null) return WORDS.asked.landing;
  if (landing.rolled) return String(landing.value);
  if (landing.call === "asked" && landing.line) return inEither(landing);
  return `${landing.value} × ${landing.zone} = ${landing.score}`;
}

export const sureOf = (landing, past) => (landing.rolled ? "" : landing.call === "certain" && !past?.ruled ? WORDS.certain : WORDS.decided);

// The bracket on the big screen: as much of it as can be read from across the room, else the standings.

const MOST_ROUNDS = 4; // side by side
const MOST_MATCHES = 8; // one above the other

let told = null;
let seen = null;

const isOver = (matches) => matches.every((match) => match.winner !== "");

// Rounds that are over make room for those to come.
export function inSight(matches) {
  let groups = [...new Set(matches.map((match) => match.group))];
  const of = (group) => matches.filter((match) => match.group === group);
  while (groups.length > 1 && (groups.length > MOST_ROUNDS || of(groups[0]).length > MOST_MATCHES) && isOver(of(groups[0]))) groups = groups.slice(1);
  groups = groups.slice(0, MOST_ROUNDS);
  return groups.some((group) => of(group).length > MOST_MATCHES) ? [] : matches.filter((match) => groups.includes(match.group));
}

function drawList(list, rows, words) {
  keep(list, rows, (row) => row.player, () => el("li", {}, el("span", { class: "place" }), el("span", { class: "name" }), el("b")), (node, row) => {
    put(one(".place", node), row.place ? `${row.place}.` : "–");
    put(one(".name", node), row.player);
    put(one("b", node), words(row));
  });
}

function drawTold(section) {
  put(one("h2", section), told.champion ? WORDS.wonTournament(told.champion, told.title) : told.title);
  const next = told.matches.find((match) => match.number === told.next);
  put(one(".next", section), next ? nextMatch(next) : told.kind);
  const upper = told.matches.filter((match) => !match.lower);
  const lower = told.matches.filter((match) => match.lower);
  const shown = told.ladder ? [inSight(upper), inSight(lower)] : [[], []];
  drawRounds(one(".upper", section), shown[0]);
  drawRounds(one(".lower", section), shown[1]);
  show(one(".lower", section), shown[1].length > 0);
  show(one(".upper", section), shown[0].length > 0);
  const list = one(".standings", section);
  show(list, shown[0].length === 0);
  drawList(list, told.standings.slice(0, 12), (row) => String(row.reigns || row.wins));
  fit(one("h2", section), 5, 2);
  for (const box of section.querySelectorAll(".rounds:not([hidden]), .standings:not([hidden])")) fit(box, 2.4, 0.9);
}

// Draws what is known of the tournament, and again once its newest state has come.
function withTournament(snapshot, drawIt) {
  if (told !== null) drawIt();
  if (seen === snapshot.tournament) return;
  seen = snapshot.tournament;
  fetch("tournament", { cache: "no-store" })
    .then((response) => response.json())
    .then((found) => {
      told = found;
      drawIt();
    })
    .catch(() => (seen = null)); // the next drawing asks again
}

export const drawBracket = (snapshot) => withTournament(snapshot, () => drawTold(one("#bracket")));

// The scores: whose turn it is, what it has gathered, and what everybody has. Also lobby, bets and winner.

const MANY = 6; // from more players on there are two columns

function lock() {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", class: "lock", "aria-hidden": "true" },
    svg("rect", { x: 3, y: 7, width: 10, height: 7, rx: 1.5 }),
    svg("path", { d: "M5 7V5a3 3 0 0 1 6 0v2" }),
  );
}

export const seat = (number) => el("span", { class: `seat seat${number + 1}`, text: String(number + 1), "aria-hidden": "true" });

const readingOf = ({ table, game_id }) => `reading/${table.reading_id}.jpg?of=${encodeURIComponent(`${game_id}/${table.picture}`)}`;

const reading = { url: "", came: false };

// The address of the picture that was read, once it has come; "" before, and where it is not kept.
function pictureRead(snapshot) {
  if (!snapshot.table.reading_id) return "";
  const url = readingOf(snapshot);
  if (url !== reading.url) {
    Object.assign(reading, { url, came: false });
    const loaded = el("img", { src: url });
    loaded.addEventListener("load", () => {
      if (url !== reading.url) return;
      reading.came = true;
      draw();
    });
  }
  return reading.came ? url : "";
}

function makePlayer(_, index) {
  return el(
    "li",
    {},
    seat(index),
    el("div", { class: "who" }, el("span", { class: "name" }), el("span", { class: "facts" })),
    el("span", { class: "bet" }, lock(), el("span")),
    el("span", { class: "gain" }),
    el("b", { class: "score" }),
  );
}

function betWords(bet) {
  if (bet === undefined) return "";
  return typeof bet === "number" ? betOf(bet) : WORDS[bet];
}

function drawPlayer(game, gains) {
  return (node, name, index) => {
    const bet = game.winners.length ? undefined : game.bets[index];
    const active = name === game.active;
    node.classList.toggle("active", active);
    attr(node, "aria-current", active ? "true" : null);
    put(one(".name", node), name);
    put(one(".facts", node), game.facts.filter((fact) => fact.player === name).map(factWords).join(" · "));
    attr(one(".bet", node), "data-bet", typeof bet === "number" ? "open" : (bet ?? "none"));
    put(one(".bet > span", node), betWords(bet));
    put(one(".gain", node), gains[index] ? gained(gains[index]) : "");
    put(one(".score", node), grouped(game.scores[index]));
  };
}

// What the left side says in large: the dots or points of the turn, or how many bets are locked.
function drawRunning(section, snapshot) {
  const { game } = snapshot;
  const secret = game.bets.filter((bet) => typeof bet === "string");
  const betting = secret.length > 0 && !snapshot.paused;
  const running = betting ? haveLocked(secret.filter((bet) => bet === "locked").length, game.bets.length) : game.running === null ? "" : grouped(game.running);
  const node = one(".running", section);
  show(node, running !== "");
  node.classList.toggle("betting", betting);
  put(one("b", node), running);
  put(one("span", node), betting ? WORDS.bet : running && runningUnit(game));
  const most = one(".turn", section).classList.contains("dense") ? 7 : 12;
  if (running) fit(one("b", node), betting ? 5.6 : most, 3);
  if (betting) show(one(".turn .faces", section), false);
  show(one(".turn .by", section), !one(".turn .faces", section).hidden && game.thrower !== game.active);
}

export function drawScores(snapshot, gains) {
  const section = one("#scores");
  const { game } = snapshot;
  put(one(".game", section), titleOf(snapshot));
  put(one("#whose"), snapshot.paused ? WORDS.paused : (game.active ?? WORDS.over));
  const facts = game.facts.filter((fact) => fact.player === null).map(factWords);
  one(".turn", section).classList.toggle("dense", facts.length > 1);
  drawDice(one(".turn .faces", section), snapshot, pictureRead(snapshot));
  show(one(".turn .faces", section), game.last_roll.length > 0);
  attr(one(".turn .faces", section), "aria-label", lastRollOf(game));
  put(one(".turn .by", section), lastRollOf(game));
  drawRunning(section, snapshot);
  if (game.target !== null) facts.unshift(targetOf(game));
  keep(one(".turn .facts", section), facts, (text) => text, (text) => el("li", { text }));
  show(one(".turn .facts", section), facts.length > 0);
  const list = one(".players", section);
  list.classList.toggle("many", game.players.length > MANY);
  list.style.setProperty("--rows", Math.max(game.players.length > MANY ? Math.ceil(game.players.length / 2) : game.players.length, 3));
  attr(list, "data-bets", game.bets.length > 0);
  keep(list, game.players, (name) => name, makePlayer, drawPlayer(game, gains));
  fit(one(".game", section), 2, 1.2);
  fit(one("#whose"), 6.4, 1.8);
  fit(one(".turn .facts", section), 2.1, 1.4);
  fitAll(list, ".who", game.players.length > MANY ? 2.7 : 3.8, 0.9);
}

export function drawLobby(snapshot) {
  put(one("#lobby-title"), WORDS.lobby);
  put(one("#lobby .lead"), isFamily() ? WORDS.lobbyLead : WORDS.watchLead);
}

export function drawBets(snapshot) {
  const section = one("#bets");
  const { game } = snapshot;
  put(one("#bets-title"), revealedTitle());
  const make = (name, index) => el("li", {}, seat(index), el("p", { class: "name" }), el("b"));
  keep(one("ol", section), game.players, (name) => name, make, (node, name, index) => {
    node.classList.toggle("active", name === game.active);
    put(one(".name", node), name);
    put(one("b", node), String(game.bets[index]));
  });
  put(one(".next", section), nowRolls(game.active));
  fitAll(section, ".name", 3.6, 1.6);
  fit(one(".next", section), 3.6, 2);
}

// Who plays next, once the match that is over is no longer the next one itself.
function drawNext(line) {
  const next = told.matches.find((match) => match.number === told.next && match.state !== "begun");
  put(line, next ? nextMatch(next) : "");
  show(line, next !== undefined);
}

export function drawWinner(snapshot) {
  const section = one("#winner");
  const { game } = snapshot;
  const ranking = game.players.map((name, index) => ({ name, index, score: game.scores[index], won: game.winners.includes(name) }));
  ranking.sort((a, b) => Number(b.won) - Number(a.won) || b.score - a.score);
  put(one("#winner-title"), winsOf(game.winners));
  put(one(".cause", section), game.cause);
  const list = one("ol", section);
  list.style.setProperty("--columns", Math.ceil(ranking.length / 4));
  const make = ({ index }) => el("li", {}, seat(index), el("span", { class: "name" }), el("b"));
  keep(list, ranking, (each) => each.name, make, (node, each) => {
    node.classList.toggle("won", each.won);
    put(one(".name", node), each.name);
    put(one("b", node), grouped(each.score));
  });
  const { sign_off: stands } = snapshot;
  put(one(".signed", section), stands === null ? "" : stands.standing === "signed" ? signedBy(stands.by) : WORDS.waitsForReferee);
  show(one(".signed", section), stands !== null);
  drawBest(one(".best", section), game.best_throw);
  show(one(".next", section), false);
  if (snapshot.tournament > 0) withTournament(snapshot, () => drawNext(one(".next", section)));
  fit(one("#winner-title"), 9, 3);
  fit(one(".cause", section), 3, 1.6);
  fitAll(list, ".name", 2.6, 1.2);
}

// Pictures that fill the screen: a throw as the camera saw it, a landing's close-up, its replay, and what is asked.

const SLOWER = 0.5;
const NEAREST = 2.6; // more would show the camera's pixels
const AROUND = 0.09; // of the picture's width stays to be seen around the dice, their words among it

let shown = ""; // which picture is on the screen

const closeUp = ({ landing, game_id }) => `evidence/${landing.number}.jpg?of=${encodeURIComponent(`${game_id}/${landing.evidence}`)}`;

function image(src, alt) {
  const node = el("img", { src, alt });
  node.addEventListener("error", () => node.replaceWith(el("p", { class: "none", text: WORDS.noPicture })), { once: true });
  return node;
}

function video(snapshot, onEnd) {
  const node = el("video", { playsinline: true, preload: "auto", "aria-label": WORDS.replay });
  node.muted = true;
  node.defaultPlaybackRate = SLOWER;
  node.playbackRate = SLOWER;
  node.addEventListener("ended", onEnd);
  node.addEventListener("error", onEnd);
  node.src = `film/${snapshot.landing.number}.mp4?of=${snapshot.game_id}`;
  node.play().catch(onEnd);
  return node;
}

// How far the picture is brought nearer, and around which point of it, in hundredths: all dice stay in sight.
export function nearOf({ width, height, dice, unsure }) {
  const corners = [...dice.flatMap((die) => die.corners), ...unsure.map((place) => place.center)];
  const ratio = width / height;
  if (!corners.length) return { ratio, scale: 1, x: "50%", y: "50%" };
  const spans = [0, 1].map((axis) => corners.map((corner) => corner[axis])).map((all) => [Math.min(...all), Math.max(...all)]);
  const scale = Math.min(NEAREST, ...spans.map(([low, high], axis) => [width, height][axis] / (high - low + 2 * AROUND * width)));
  if (scale <= 1) return { ratio, scale: 1, x: "50%", y: "50%" };
  const middle = ([low, high], whole) => {
    const shown = whole / scale;
    const start = Math.min(Math.max((low + high - shown) / 2, 0), whole - shown);
    return `${(100 * start) / (whole - shown)}%`;
  };
  return { ratio, scale, x: middle(spans[0], width), y: middle(spans[1], height) };
}

function camera(snapshot) {
  const { table } = snapshot;
  if (!table.reading_id || !table.width) return [el("p", { class: "none", text: WORDS.noPicture })];
  const glass = el("div", { class: "glass" }, image(readingOf(snapshot), tableOf(table.dice.map((die) => faceWord(die.value)))), overlay(table));
  const near = nearOf(table);
  for (const name of ["ratio", "scale", "x", "y"]) glass.style.setProperty(`--${name}`, near[name]);
  return [glass];
}

// Which picture belongs to the moment, by a key, and how it is made.
function pictureOf(moment, onEnd) {
  const { snapshot } = moment;
  const { landing, table } = snapshot;
  if (moment.name === "replay") return { kind: "film", key: `film ${landing.number} ${moment.since_ms}`, make: () => [video(snapshot, onEnd)] };
  const call = landing && landingCall(landing, counted(snapshot));
  if (landing?.evidence && landing.number === table.reading_id) return { kind: "close-up", key: `close ${landing.evidence}`, make: () => [makeStamped(image(closeUp(snapshot), dieOf(call)))] };
  return { kind: "camera", key: `read ${snapshot.game_id} ${table.reading_id} ${table.picture}`, make: () => [...camera(snapshot), el("b", { class: "stamp", hidden: true })] };
}

const firstOf = (text) => text.split(/(?<=[.!?])\s/)[0];

// A sum breaks before its result and nowhere else.
const together = (sum) => sum.replace(/ × /, "\u00a0×\u00a0").replace(/= /, "=\u00a0");

// Whose throw it was: the game has gone on to the next one already.
function throwerOf(snapshot) {
  const { game } = snapshot;
  const past = snapshot.landing && counted(snapshot);
  return past ? past.player : game.thrower;
}

function wordsOf({ name, snapshot }) {
  const { game, landing, message } = snapshot;
  const past = landing && counted(snapshot);
  if (name === "question") {
    const close = snapshot.ask === "landing" && landing?.line && landing.value !== null;
    return { player: game.active ?? "", call: close ? landingCall(landing, null) : WORDS.asked[snapshot.ask], sure: "", more: message.text };
  }
  if (landing) {
    const sure = name === "replay" ? WORDS.replay : sureOf(landing, past);
    return { player: throwerOf(snapshot), call: together(landingCall(landing, past)), sure, more: name === "replay" ? "" : landing.gap || landing.note };
  }
  const shout = shoutOf(game.banner);
  return { player: shout ? throwerOf(snapshot) : "", call: shout || firstOf(game.news), sure: "", more: shout ? game.news.replace(/^[A-Z ]+! /, "") : game.news.slice(firstOf(game.news).length).trim() };
}

export function drawPicture(moment, onEnd) {
  const section = one("#picture");
  const { snapshot } = moment;
  const picture = pictureOf(moment, onEnd);
  const figure = one("figure", section);
  attr(section, "data-kind", picture.kind);
  if (shown !== picture.key) {
    shown = picture.key;
    figure.replaceChildren(...picture.make());
  }
  drawStamp(figure, snapshot.landing ? stampOf(counted(snapshot)) : correctionOf(snapshot));
  const words = wordsOf(moment);
  put(one(".player", section), words.player);
  put(one("#called"), words.call);
  put(one(".certainty", section), words.sure);
  show(one(".certainty", section), words.sure !== "");
  attr(one(".certainty", section), "data-sure", words.sure === WORDS.certain);
  put(one(".more", section), words.more);
  show(one(".faces", section), moment.name === "throw");
  if (moment.name === "throw") drawDice(one(".faces", section), snapshot, "");
  fit(one(".player", section), 4, 2);
  fit(one("#called"), 8, 2.6);
  fit(one(".more", section), 3, 1.5);
}

// A film that nobody sees any more lets its connection go.
export function leavePicture() {
  if (shown === "") return;
  shown = "";
  one("#picture figure").replaceChildren();
}

// The strip for streaming software: the scores along the foot of a picture that is otherwise transparent.

// One line above the scores, for the moments that pass and for the winner.
function callOf({ name, snapshot }) {
  const { game, landing } = snapshot;
  const past = landing && counted(snapshot);
  if (name === "landing" || name === "replay") return [past?.player ?? "", landingCall(landing, past)];
  if (name === "throw") return [shoutOf(game.banner), game.news];
  if (name === "bets") return [revealedTitle(), game.players.map((player, seat) => `${player} ${game.bets[seat]}`).join(" · ")];
  if (name === "winner") return [winsOf(game.winners), game.cause];
  return name === "question" ? [WORDS.asked[snapshot.ask], ""] : ["", ""];
}

const make = (_, index) => el("li", {}, seat(index), el("span", { class: "name" }), el("span", { class: "bet" }), el("b"));

export function drawStrip(state) {
  const { moment, newest: snapshot } = state;
  const strip = one("#strip");
  show(strip, snapshot !== null && snapshot.game !== null && moment.name !== "lobby");
  if (strip.hidden) return;
  const { game } = snapshot;
  const [lead, text] = callOf(moment);
  show(one(".call", strip), lead + text !== "");
  put(one(".call b", strip), lead);
  put(one(".call span", strip), text);
  put(one(".turn b", strip), game.running === null ? titleOf(snapshot) : grouped(game.running));
  put(one(".turn span", strip), game.running === null ? "" : runningUnit(game));
  const list = one("ol", strip);
  list.style.setProperty("--columns", game.players.length > 8 ? Math.ceil(game.players.length / 2) : game.players.length);
  keep(list, game.players, (name) => name, make, (node, name, index) => {
    const bet = game.winners.length ? undefined : game.bets[index];
    node.classList.toggle("active", name === game.active);
    attr(node, "aria-current", name === game.active ? "true" : null);
    put(one(".name", node), name);
    put(one(".bet", node), bet === undefined ? "" : typeof bet === "number" ? betOf(bet) : WORDS[bet]);
    put(one("b", node), grouped(game.scores[index]));
  });
  fitAll(strip, ".call", 2.4, 1.2);
  fitAll(strip, ".turn b", 2.6, 1.1);
  fitAll(list, ".name", 1.7, 1.15);
}

const VIEWS = { lobby: "lobby", scores: "scores", pads: "pads", throw: "picture", landing: "picture", replay: "picture", question: "picture", bets: "bets", winner: "winner", bracket: "bracket" };

const asOverlay = new URLSearchParams(location.search).has("overlay");
const now_ms = () => performance.now();

let state = begin(window.matchMedia("(prefers-reduced-motion: reduce)").matches);
let timer = 0;
let lost = ""; // why what is shown may be old

// The code leads to where its words say: a game is begun and watched on the page of the whole table, and joined on
// one's own; where seats are handed out, nobody joins by this code. Beside the winner it leads to the game's own page.
const QUERIES = { join: "play&", begin: "", watch: "" };

function drawJoin(snapshot) {
  const address = snapshot.address || location.origin;
  const here = !isFamily() ? "watch" : snapshot.stage === "playing" ? "join" : "begin";
  for (const figure of document.querySelectorAll(".join")) {
    const way = figure.parentElement.id === "winner" ? "game" : here;
    put(one("figcaption b", figure), WORDS[way]);
    const query = way === "game" ? `game=${snapshot.game_id}&` : QUERIES[way];
    if (figure.dataset.leads === `${query} ${address}`) continue;
    figure.dataset.leads = `${query} ${address}`;
    const image = one("img", figure);
    image.src = `qr.svg?${query}of=${encodeURIComponent(address)}`;
    attr(image, "alt", codeOf(address));
    put(one("figcaption span", figure), plainAddress(address));
  }
}

// What the box says, where the moment does not say it already; and trouble, above all else.
function drawSaid({ name, snapshot }) {
  const { message, camera, panel, game } = snapshot;
  const quiet = VIEWS[name] !== "scores" && VIEWS[name] !== "lobby";
  const said = message.text ? message : { text: game?.news ?? "", tone: "info" };
  put(one("#said p"), quiet ? "" : said.text);
  attr(one("#said"), "data-tone", said.tone);
  show(one("#said"), !quiet && said.text !== "");
  const trouble = lost || camera.text || panel.text;
  put(one("#trouble p"), trouble);
  show(one("#trouble"), trouble !== "");
  for (const line of document.querySelectorAll(".say:not([hidden]) p")) fit(line, 2.8, 1.4);
}

// As large as all of it fits.
function drawPapers({ game }) {
  const section = one("#pads");
  drawPads(one(".papers", section), game.pads);
  fitAll(section, ".paper", 2.6, 0.7);
}

function drawMoment() {
  const { moment } = state;
  const view = VIEWS[moment.name];
  for (const section of document.querySelectorAll("#stage > section")) show(section, section.id === view);
  if (view !== "picture") leavePicture();
  if (moment.name === "lobby") drawLobby();
  if (moment.name === "scores") drawScores(moment.snapshot, state.gains);
  if (moment.name === "pads") drawPapers(moment.snapshot);
  if (moment.name === "bets") drawBets(moment.snapshot);
  if (moment.name === "winner") drawWinner(moment.snapshot);
  if (moment.name === "bracket") drawBracket(state.newest);
  if (view === "picture") drawPicture(moment, () => go(endReplay(state, now_ms())));
}

function draw() {
  const { moment } = state;
  attr(document.body, "data-moment", moment.name);
  if (moment.snapshot === null) return;
  drawJoin(moment.snapshot);
  if (asOverlay) return drawStrip(state);
  drawSaid({ name: moment.name, snapshot: state.newest });
  drawMoment();
}

function go(next) {
  const anew = next !== state;
  state = next;
  if (anew) draw();
  clearTimeout(timer);
  const { until_ms } = state.moment;
  if (until_ms !== null) timer = setTimeout(() => go(advance(state, state.newest, now_ms())), Math.max(until_ms - now_ms(), 0) + 1);
}

function link(up, heard_ms) {
  attr(one("#link"), "data-link", up ? "up" : "down");
  const words = up ? "" : lostWords(heard_ms);
  if (lost === words && one("#link").textContent) return;
  lost = words;
  put(one("#link"), up ? WORDS.connected : lost);
  if (state.newest) draw();
}

document.documentElement.classList.toggle("overlay", asOverlay);
show(one("#stage"), !asOverlay);
put(one("#said p"), WORDS.starting);
show(one("#said"), !asOverlay);
window.addEventListener("resize", draw);
document.fonts?.ready.then(draw);
makeVoice();
identifyBox().then(() => state.newest && draw());
follow((snapshot) => {
  drawVoice(snapshot);
  go(advance(state, snapshot, now_ms()));
}, link);
