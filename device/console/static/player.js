// One player's page: what that player needs at this moment, and nothing else. The rest stands on the page of the whole table.

import { attr, el, gained, grouped, inWords, keep, lazyModule, one, phrase, phraseCount, phraseLater, put, recall, remember, show, svg } from "./dom.js";
import { outlined } from "./drawings.js";
import { LABELS, choicesOf, drawBet, drawFacts, drawHero, drawOdds, drawOffer, drawPadCard, drawPanel, drawPlayers, forgetWhenHidden, iAm, listen, makeOdds, makeOffer, makePanel, newsOf, ownPlayer, targetOf, tellChoice, titleOf, turnKeys } from "./game.js";
import { follow, followPeople, isFamily, link, makePeople, may, say } from "./link.js";
import { drawEnding } from "./lobby.js";
import { drawCorrect, drawHand, drawTable, drawTouched, makeHand, makeTable, onReadingPicture } from "./table.js";
import { drawVoice, makeVoice } from "./voice.js";

// The rules of the game that is played, in short, with what was agreed for it: asked of the box once they are opened.

let drawn = ""; // the game whose rules stand there
let busy = false;
let current = null;

function makeSection(section) {
  const details = el("details", { ontoggle: fetchRules }, el("summary", { text: phrase("Rules in short") }), el("ul"), el("h3", { text: phrase("Agreed for this game") }), el("dl"));
  section.append(details);
}

// A game's rules change with nothing but the game, and with the mode that a King chooses: both stand in this key.
const keyOf = ({ game_id: id, game }) => JSON.stringify([id, game.game, game.edition, game.options, game.line.match(/ game=[^ ]+/)?.[0]]);

async function fetchRules() {
  const key = current && keyOf(current);
  if (!key || busy || drawn === key || !one("#rules details").open) return;
  busy = true;
  const rules = await fetch("rules", { cache: "no-store" }).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  busy = false;
  if (!rules) return;
  drawn = key;
  keep(one("#rules ul"), rules.brief, (text) => text, (text) => el("li", { text }));
  keep(one("#rules dl"), rules.agreed, (pair) => pair.join("="), ([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", { text: value })));
}

export function drawBrief(snapshot) {
  const section = one("#rules");
  show(section, snapshot.game !== null);
  current = snapshot.game && snapshot;
  if (section.hidden) return;
  if (!section.firstElementChild) makeSection(section);
  fetchRules();
}

// A player's own cards: what each does, and how it may be played now.

// ZONK's cards, by the names that are printed on them.
const CARDS = {
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

const KINDS = { items: phrase("to play"), modifiers: phrase("works by itself") };

let sent = "";

// What a choice says after the card's name and a colon, however the language writes that.
const withoutName = (words, name) => (words.startsWith(name) ? words.slice(name.length).replace(/^\s*:\s*/, "") : words);

export const isPlay = (choice) => choice.event.event === "play";

function makeCard({ name, kind }) {
  return el("li", { class: kind }, el("p", {}, el("b", { text: name }), el("span", { class: "hint", text: ` ${KINDS[kind]}` })), el("p", { class: "does", text: CARDS[name] ?? "" }), el("div", { class: "row" }));
}

async function play(event, choice, key) {
  if (event.detail > 1 || sent === key) return;
  sent = key;
  await tellChoice(choice);
  if (sent === key) sent = "";
}

export function drawCards(snapshot, me, mine) {
  const section = one("#cards");
  const held = snapshot.game.facts.filter((fact) => fact.player === me && fact.name in KINDS);
  const cards = held.flatMap((fact) => fact.words.map((name) => ({ name, kind: fact.name })));
  show(section, cards.length > 0);
  if (section.hidden) return;
  if (!section.firstElementChild) section.append(el("h2", { id: "cards-title", text: phrase("Your cards") }), el("ul"));
  const plays = mine ? choicesOf(snapshot).filter(isPlay) : [];
  const key = JSON.stringify([snapshot.game_id, snapshot.game.line]);
  keep(one("ul", section), cards, ({ name, kind }, index) => `${kind} ${name} ${index}`, makeCard, (node, { name }, index) => {
    const first = cards.findIndex((each) => each.name === name) === index; // two of a kind are played alike
    const ways = first ? plays.filter((choice) => choice.event.card === name) : [];
    const make = (choice) => el("button", { type: "button", text: withoutName(choice.words, name), onclick: (event) => play(event, choice, key) });
    keep(one(".row", node), ways, (choice) => `${choice.index} ${choice.words}`, make, (button) => attr(button, "aria-label", `${name}: ${button.textContent}`));
    put(one(".hint", node), ` ${ways.length ? phrase("play it:") : KINDS[cards[index].kind]}`);
  });
}

// Dice to set aside, tapped in the very picture that was read; each legal choice with its points; one button that says it.

const TARGET_PX = 44; // a finger's
const APART_PX = TARGET_PX + 2;
const AROUND = 1.4; // so many dice wide is what is shown beyond the outermost dice
const LEAST = 6; // and so many the least that is shown
const SHAPES = [1, 4 / 3]; // a phone's picture is at least as wide as high, and no wider than a camera's
const FEW = 3; // ways in sight; the rest folds away
const POCKET = phraseLater("Pocket {dice}: +{points}");
const SET_ASIDE = phraseLater("Set aside {dice}: +{points}");

const box = { on: false, key: "", ways: [], free: [], chosen: new Set(), gone: new Map(), table: null, game: null, picture: "", all: false, sent: "" };

const dieOf = (die) => (typeof die === "object" ? die : { kind: typeof die === "number" ? "pip" : "zoinx", value: die });
const faceOf = ({ kind, value }) => `${kind} ${value}`;
const sorted = (dice) => dice.map(faceOf).sort();
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

function tally(faces) {
  const counts = new Map();
  for (const face of faces) counts.set(face, (counts.get(face) ?? 0) + 1);
  return counts;
}

const holds = (many, few) => [...few].every(([face, count]) => (many.get(face) ?? 0) >= count);

function waysOf(snapshot) {
  return choicesOf(snapshot)
    .filter((choice) => choice.event.event === "pocket")
    .map((choice) => ({ ...choice, faces: sorted(choice.event.combos.flat().map(dieOf)) }));
}

// The dice of the picture that may still be set aside: of each face as many as some way takes. Of equal ones those
// that were set aside here before come last.
function freeDice(ways, dice, gone) {
  const most = new Map();
  for (const { faces } of ways) for (const [face, count] of tally(faces)) most.set(face, Math.max(count, most.get(face) ?? 0));
  if (!holds(tally(dice.map(faceOf)), most)) return []; // other dice lie there than count: the list alone is good
  const order = dice.map((_, index) => index).sort((a, b) => Number(gone.has(a)) - Number(gone.has(b)));
  return order.filter((index) => {
    const left = most.get(faceOf(dice[index])) ?? 0;
    most.set(faceOf(dice[index]), left - 1);
    return left > 0;
  }).sort((a, b) => dice[a].center[0] - dice[b].center[0]);
}

// The part of the picture in which all dice lie.
function windowOf({ dice, width, height }) {
  const xs = dice.flatMap((die) => die.corners.map(([x]) => x));
  const ys = dice.flatMap((die) => die.corners.map(([, y]) => y));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const edge = mean(dice.map(({ corners: [[x0, y0], [x1, y1]] }) => Math.hypot(x1 - x0, y1 - y0)));
  const room = 2 * AROUND * edge;
  let wide = Math.max(right - left + room, LEAST * edge);
  let high = Math.max(bottom - top + room, (LEAST * edge) / SHAPES[1]);
  if (wide / high < SHAPES[0]) wide = high * SHAPES[0];
  if (wide / high > SHAPES[1]) high = wide / SHAPES[1];
  wide = Math.min(wide, width);
  high = Math.min(high, height);
  const within = (middle, size, whole) => Math.min(Math.max(middle - size / 2, 0), whole - size) - 0.5;
  return { x: within((left + right) / 2, wide, width), y: within((top + bottom) / 2, high, height), wide, high };
}

// Targets that would lie on each other are pushed apart, along the way that is shorter, and stay on the picture.
export function spread(points, width, height) {
  const at = points.map(([x, y]) => [x, y]);
  const clamp = (value, size) => Math.min(Math.max(value, TARGET_PX / 2), size - TARGET_PX / 2);
  for (let round = 0, moved = true; moved && round < 200; round += 1) {
    moved = false;
    for (let i = 0; i < at.length; i += 1) {
      for (let j = i + 1; j < at.length; j += 1) {
        const apart = [at[j][0] - at[i][0], at[j][1] - at[i][1]];
        const axis = Math.abs(apart[0]) >= Math.abs(apart[1]) ? 0 : 1;
        const lack = APART_PX - Math.abs(apart[axis]);
        if (lack <= 0.01) continue;
        const way = apart[axis] < 0 ? -1 : 1;
        at[i][axis] -= (way * lack) / 2;
        at[j][axis] += (way * lack) / 2;
        moved = true;
      }
    }
    for (const point of at) [point[0], point[1]] = [clamp(point[0], width), clamp(point[1], height)];
  }
  return at;
}

const chosenFaces = () => [...box.chosen].map((index) => faceOf(box.table.dice[index])).sort();
const wayNow = () => box.ways.find(({ faces }) => faces.join() === chosenFaces().join());

// What the tapped dice are worth, or what they still want.
function sumWords() {
  const faces = chosenFaces();
  if (!faces.length) return phraseCount("One way scores:", "{count} ways score:", box.ways.length);
  const way = wayNow();
  if (way) return phraseCount("{dice}: {points} point", "{dice}: {points} points", way.points, { dice: way.words, points: grouped(way.points) });
  const more = box.ways.filter((each) => holds(tally(each.faces), tally(faces))).sort((a, b) => a.faces.length - b.faces.length)[0];
  return more ? phrase("Not yet: it takes {dice} for {points}.", { dice: more.words, points: grouped(more.points) }) : phrase("These dice do not score together.");
}

function drawChosen() {
  for (const node of one("#pick .targets").children) attr(node, "aria-pressed", box.chosen.has(Number(node.dataset.die)));
  for (const [index, node] of [...one("#pick .outlines").children].entries()) {
    attr(node, "class", box.chosen.has(index) ? "taken" : box.free.includes(index) ? "seen" : "idle");
  }
  put(one("#pick .sum"), sumWords());
  const way = wayNow();
  for (const node of one("#pick ol").children) attr(one("button", node), "aria-pressed", way?.index === Number(node.dataset.way));
  const button = one("#confirm");
  show(button, box.on && way !== undefined);
  const take = box.game === "zonk" ? POCKET : SET_ASIDE;
  put(button, way ? phrase(take, { dice: way.words, points: grouped(way.points) }) : "");
}

function tap(index) {
  if (!box.chosen.delete(index)) box.chosen.add(index);
  drawChosen();
}

// A way of the list is put in as if its dice were tapped.
function takeWay(way) {
  const wanted = tally(way.faces);
  box.chosen = new Set(box.free.filter((index) => {
    const left = wanted.get(faceOf(box.table.dice[index])) ?? 0;
    wanted.set(faceOf(box.table.dice[index]), left - 1);
    return left > 0;
  }));
  drawChosen();
}

async function confirm(event) {
  const way = wayNow();
  if (!way || event.detail > 1 || box.sent === box.key) return;
  const mine = (box.sent = box.key);
  attr(one("#pick"), "aria-busy", true);
  for (const index of box.chosen) box.gone.set(`${box.table.reading_id} ${index}`, true);
  await tellChoice(way);
  if (box.sent === mine) box.sent = "";
  attr(one("#pick"), "aria-busy", null);
}

function makeTarget(index) {
  const die = box.table.dice[index];
  const label = die.kind === "d4" ? phrase("Four-sided die {number}", { number: die.value }) : phrase("Die {number}", { number: die.value });
  return el("button", { type: "button", class: "target", "data-die": index, "aria-label": label, onclick: () => tap(index) }, el("span", { text: String(die.value) }));
}

// Where the targets lie on the page, and a line from each that had to give way to its die.
function layOut() {
  if (!box.on) return;
  const glass = one("#pick .glass");
  const view = windowOf(box.table);
  const scale = glass.clientWidth / view.wide;
  if (!scale) return;
  const dice = box.free.map((index) => box.table.dice[index].center.map((value, axis) => (value - [view.x, view.y][axis]) * scale));
  const at = spread(dice, glass.clientWidth, glass.clientHeight);
  [...one("#pick .targets").children].forEach((node, place) => {
    node.style.left = `${at[place][0]}px`;
    node.style.top = `${at[place][1]}px`;
  });
  const lines = dice.flatMap(([x, y], place) => (Math.hypot(at[place][0] - x, at[place][1] - y) < 8 ? [] : [[x, y, ...at[place]]]));
  one("#pick .leads").replaceChildren(
    ...lines.map(([x1, y1, x2, y2]) => svg("line", { x1: x1 / scale + view.x, y1: y1 / scale + view.y, x2: x2 / scale + view.x, y2: y2 / scale + view.y })),
  );
}

function drawPicture() {
  const { table } = box;
  const view = windowOf(table);
  const glass = one("#pick .glass");
  glass.style.aspectRatio = `${view.wide} / ${view.high}`;
  one("svg", glass)?.remove();
  glass.prepend(
    svg(
      "svg",
      { class: "overlay", viewBox: `${view.x} ${view.y} ${view.wide} ${view.high}`, "aria-hidden": "true" },
      svg("image", { href: box.picture, x: -0.5, y: -0.5, width: table.width, height: table.height, preserveAspectRatio: "none" }),
      svg("g", { class: "outlines" }, ...table.dice.map((die) => outlined(die, "idle"))),
      svg("g", { class: "leads" }),
    ),
  );
  const targets = one("#pick .targets");
  targets.replaceChildren(...box.free.map(makeTarget));
  layOut();
}

function drawWays() {
  const list = one("#pick ol");
  const make = (way) => el("li", { "data-way": way.index }, el("button", { type: "button", onclick: () => takeWay(way) }, el("span", { text: way.words }), el("b", { text: gained(way.points) })));
  keep(list, box.ways, (way) => `${way.index} ${way.words} ${way.points}`, make, (node, _, place) => show(node, box.all || place < FEW));
  const more = one("#pick .more");
  show(more, box.ways.length > FEW);
  put(more, box.all ? phrase("Only the best") : phraseCount("{count} more way", "{count} more ways", box.ways.length - FEW));
  attr(more, "aria-expanded", box.all);
}

export function makePick() {
  one("#pick").append(
    el("h2", { id: "pick-title", text: phrase("Tap the dice that you keep") }),
    el("div", { class: "glass" }, el("div", { class: "targets", role: "group", "aria-label": phrase("Dice of this roll") })),
    el("p", { class: "sum", role: "status" }),
    el("ol"),
    el("button", { type: "button", class: "quiet more", onclick: () => { box.all = !box.all; drawWays(); } }),
    el("ul", { class: "now hint" }),
  );
  one("#confirm").addEventListener("click", confirm);
  new ResizeObserver(layOut).observe(one("#pick .glass"));
  onReadingPicture((url) => {
    box.picture = url;
    const image = one("#pick image");
    if (image) attr(image, "href", url);
    if (latest) draw(latest); // dice are cut out of it
  });
}

// True where the dice of the picture are those that may be set aside: else the list of choices has to do.
export function drawPick(snapshot, mine) {
  const section = one("#pick");
  const ways = mine ? waysOf(snapshot) : [];
  const gone = new Set(snapshot.table.dice.flatMap((_, index) => (box.gone.has(`${snapshot.table.reading_id} ${index}`) ? [index] : [])));
  const free = ways.length ? freeDice(ways, snapshot.table.dice, gone) : [];
  box.on = free.length > 0;
  show(section, box.on);
  const key = JSON.stringify([snapshot.game_id, snapshot.table.reading_id, snapshot.table.picture, ways, free]);
  if (box.on && key !== box.key) {
    Object.assign(box, { key, ways, free, table: snapshot.table, game: snapshot.game.game, all: false });
    box.chosen.clear();
    drawPicture();
    drawWays();
  }
  if (!box.on) box.key = "";
  const held = document.activeElement;
  if (box.on) drawChosen();
  else show(one("#confirm"), false);
  // The focus never falls off the page.
  if (held?.closest("[hidden]") && (held.id === "confirm" || section.contains(held))) one("#play").focus({ preventScroll: true });
  return box.on;
}

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
function whyDark(snapshot) {
  const { game, lamps } = snapshot;
  const dark = turnKeys(snapshot).filter((name) => name in lamps && name !== "undo" && !lamps[name]);
  const told = dark.filter((name) => game.dark[name]).map((name) => phrase("{button} is dark: {why}", { button: LABELS[name], why: game.dark[name].replace(/ \([^()]*\d[^()]*\)$/, "") }));
  if (told.length || !dark.includes("roll_done")) return told;
  const awaited = game.allowed.some((each) => each.button === "roll_done");
  return [awaited ? phrase("ROLL DONE is dark until dice are thrown.") : phrase("ROLL DONE is dark: choose first.")];
}

const barKeys = { mine: turnKeys, asked: (snapshot) => (may("judge") ? turnKeys(snapshot).filter((name) => snapshot.lamps[name]) : []) };

function drawBar(moment, snapshot) {
  drawPanel(snapshot, barKeys[moment] ?? (() => []));
  if (moment === "bet") show(one("#panel"), true); // at the foot, where nothing that the page tells moves the numbers from under a finger
  const why = moment === "mine" && !one("#panel").hidden ? whyDark(snapshot) : [];
  put(one("#why"), why.join(" "));
  show(one("#why"), why.length > 0);
}

const endZone = lazyModule("./landing.js", () => draw(latest));

function drawGame(moment, snapshot, me) {
  const { game } = snapshot;
  const mine = moment === "mine";
  const picking = drawPick(snapshot, mine && may("play"));
  drawTurn(moment, snapshot, me, picking);
  drawOffer(snapshot, (choice) => !isPlay(choice) && !(picking && choice.event.event === "pocket"));
  show(one("#offers"), ["mine", "asked"].includes(moment) && !one("#offer").hidden && may(moment === "asked" ? "judge" : "play"));
  drawCards(snapshot, me, mine && may("play"));
  drawPlayers(one("#standing .players"), snapshot);
  for (const row of one("#standing .players").children) {
    row.classList.toggle("me", one(".name", row).textContent === me);
    attr(one(".name", row), "data-you", phrase("(you)"));
  }
  const own = game.facts.filter((fact) => fact.player === me && !["items", "modifiers"].includes(fact.name));
  drawFacts(one("#standing > .facts"), own);
  endZone(game.game === "end-zone")?.drawLanding(snapshot);
  drawTouched(snapshot);
  if (may("judge")) drawCorrect(snapshot);
  drawTable(snapshot);
  drawHero(snapshot);
  if (picking) show(one("#hero"), false); // the same dice are tapped above
  attr(one("#table"), "data-view", snapshot.table.fresh ? "read" : "live");
  show(one("#glance"), !picking && !(mine && snapshot.ask === "correct" && may("judge")) && ["mine", "other"].includes(moment));
  if (mine || moment === "bet") drawOdds(snapshot);
  drawHand(snapshot);
  show(one("#hand"), snapshot.simulated && mine && may("hand"));
}

function draw(snapshot, first = false) {
  latest = snapshot;
  drawVoice(snapshot);
  followPeople(snapshot);
  const me = ownPlayer();
  const moment = momentOf(snapshot, me);
  attr(document.body, "data-stage", snapshot.stage);
  attr(document.body, "data-moment", moment);
  put(one("#name"), me || "Callbox");
  put(one("#title"), [titleOf(snapshot), targetOf(snapshot.game)].filter(Boolean).join(" · "));
  say(one("#message"), newsOf(snapshot));
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
  drawBet(snapshot, first);
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
makeHand(() => latest && draw(latest));
forgetWhenHidden();
iAm(new URLSearchParams(location.search).get("player") || recall("player") || "");
remember("player", ownPlayer());
makePeople(() => latest && draw(latest));
follow(draw, link);
