// Dice to set aside, tapped in the very picture that was read; each legal choice with its points; one button that says it.

import { attr, el, gained, grouped, keep, one, put, show, svg } from "./dom.js";
import { outlined } from "./marks.js";
import { choicesOf, say } from "./offer.js";
import { phrase, phraseCount, phraseLater } from "./phrase.js";
import { onReadingPicture } from "./table.js";

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
  await say(way);
  if (box.sent === mine) box.sent = "";
  attr(one("#pick"), "aria-busy", null);
}

function makeTarget(index) {
  const die = box.table.dice[index];
  const label = die.kind === "d4" ? `four-sided ${die.value}` : String(die.value);
  return el("button", { type: "button", class: "target", "data-die": index, "aria-label": phrase("Die {number}", { number: label }), onclick: () => tap(index) }, el("span", { text: String(die.value) }));
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
