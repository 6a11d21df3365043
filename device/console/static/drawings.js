// What is drawn of things: dice, marks on a picture, the scoreboard, a tournament's rounds.

import { attr, el, gained, grouped, keep, one, phrase, phraseCount, phraseLater, put, show, svg } from "./dom.js";

// The kinds of dice and how their faces are drawn and said.

export const FACES = {
  pip: [1, 2, 3, 4, 5, 6],
  zoinx: ["dot", "square"],
  bet: [0, 2, 4, 6, 8, 10],
  d4: [1, 2, 3, 4],
};

const KINDS = { pip: phrase("six-sided die"), zoinx: phrase("Zoinx die"), bet: phrase("betting die"), d4: phrase("four-sided die") };
const COUNTED = {
  pip: (count) => phraseCount("{count} die", "{count} dice", count),
  zoinx: (count) => phraseCount("{count} Zoinx die", "{count} Zoinx dice", count),
  bet: (count) => phraseCount("{count} betting die", "{count} betting dice", count),
  d4: (count) => phraseCount("{count} four-sided die", "{count} four-sided dice", count),
};

// Beside other kinds a usual die has to be told apart.
export const kindName = (kind) => KINDS[kind];

// "1 die", "4 Zoinx dice"; where no count is known, one of them.
export const diceOf = (kind, count) => (count ? COUNTED[kind](count) : KINDS[kind]);

const FACE_WORDS = { dot: phrase("dot"), square: phrase("square"), "-": phrase("off the table") };
export const faceWord = (value) => FACE_WORDS[value] ?? String(value);

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

function marks(kind, value) {
  if (value === "dot") return [svg("circle", { r: 4.2, class: "ink" })];
  if (value === "square") return [svg("rect", { x: -4, y: -4, width: 8, height: 8, class: "outline" })];
  if (kind === "pip" && PIPS[value]) {
    return PIPS[value].map(([x, y]) => svg("circle", { cx: x * 4.6, cy: y * 4.6, r: 1.9, class: "ink" }));
  }
  return [svg("text", { y: kind === "d4" ? 6 : 4.2, "text-anchor": "middle", class: "numeral", text: String(value) })];
}

// A drawn die: an svg of its own, in the middle of a 20 by 20 field.
export function face(kind, value, label = faceWord(value)) {
  return svg(
    "svg",
    { class: "face", viewBox: "-10 -10 20 20", role: "img", "aria-label": label },
    kind === "d4" ? svg("path", { d: "M0-9.2 9.4 8.2H-9.4Z", class: "body" }) : svg("rect", { x: -9, y: -9, width: 18, height: 18, rx: 4, class: "body" }),
    ...marks(kind, value),
  );
}

// A die cut out of the picture that was read, whose address is `url`: it is fetched once for all dice.
export function cutOut({ center: [x, y] }, table, url, props = {}) {
  const half = halfSize(table) * 1.5;
  return svg(
    "svg",
    { class: "crop", viewBox: `${x - half} ${y - half} ${2 * half} ${2 * half}`, ...props },
    // A pixel's coordinates name its centre, so the picture begins half a pixel before 0.
    svg("image", { href: url, x: -0.5, y: -0.5, width: table.width, height: table.height, preserveAspectRatio: "none" }),
  );
}

// The throw of a game that brought most, in a line that a page has made for it.
export function drawBest(line, best) {
  show(line, best !== null);
  if (best === null) return;
  put(one(".player", line), best.player);
  keep(one(".faces", line), best.dice, ([kind, value], index) => `${index} ${kind} ${value}`, ([kind, value]) => el("span", {}, face(kind, value)));
  show(one(".faces", line), best.dice.length > 0);
  put(one(".words", line), best.dice.length ? "" : best.words);
  put(one("b", line), gained(best.points));
}

// The match of a tournament that is next, or that is played.
export function nextMatch({ state, number, sides: [first, second] }) {
  return state === "begun" ? phrase("Now: match {number}, {first} against {second}", { number, first, second }) : phrase("Next: match {number}, {first} against {second}", { number, first, second });
}

// A close-up says what was measured: where people have ruled, it bears their word as a stamp.
export const stampOf = (past) => (past?.ruled ? phrase("Ruled: {words}", { words: past.words }) : "");

// The same of a picture that was read, where people have said that its dice show something else.
export const correctionOf = ({ game, ask }) => (game?.corrected && ask === "" ? phrase("Corrected: {words}", { words: game.last_dice.map(([, value]) => faceWord(value)).join(", ") }) : "");

export const makeStamped = (image) => el("span", { class: "stamped" }, image, el("b", { class: "stamp", hidden: true }));

export function drawStamp(root, text) {
  const stamp = one(".stamp", root);
  if (!stamp) return;
  put(stamp, text);
  show(stamp, text !== "");
}

// What is asked where a die lies on a line: it scores in one zone or the other.
export function inEither({ value, line }) {
  const [first, second] = line.split("|");
  return phrase("{value} in {first} or {second}?", { value, first, second });
}

// The dice of that roll as the newest picture has them, die by die; null where it shows others, or none.
export function seenDice({ dice: seen }, rolled) {
  const same = seen.length === rolled.length && seen.every((die, index) => die.kind === rolled[index][0] && die.value === rolled[index][1]);
  return same ? seen : null;
}

export const kindOf = (word) => (word === "dot" || word === "square" ? "zoinx" : "pip");
export const valueOf = (word) => (word in FACE_WORDS ? word : Number(word));

// Where the words on a picture go: beside their die, on no other die and on no other words.

const STEPS = [1, 1.8, 2.6, 3.6]; // so many times as far as right beside it, as long as there is no room
const WAYS = [[0, 1], [0, -1], [1, 0], [-1, 0], [0.8, 0.8], [-0.8, 0.8], [0.8, -0.8], [-0.8, -0.8]];
const GAP = 0.25; // between a die and its words, in heights of a letter

const boxAround = (x, y, width, height) => ({ left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 });
const span = (low, high) => Math.max(0, high - low);
const shared = (a, b) =>
  span(Math.max(a.left, b.left), Math.min(a.right, b.right)) * span(Math.max(a.top, b.top), Math.min(a.bottom, b.bottom));
const area = (a) => (a.right - a.left) * (a.bottom - a.top);

// How much of what should be seen words would hide there, and how much of them would be outside the picture.
function harm(words, taken, picture) {
  return taken.reduce((sum, other) => sum + shared(words, other), area(words) - shared(words, picture));
}

function best(thing, wide, high, taken, picture) {
  let found = null;
  for (const step of STEPS) {
    for (const [right, down] of WAYS) {
      const x = thing.x + right * step * (thing.half + wide / 2 + GAP * high);
      const y = thing.y + down * step * (thing.half + high / 2 + GAP * high);
      const hidden = harm(boxAround(x, y, wide, high), taken, picture);
      if (found === null || hidden < found.hidden - 1e-6) found = { x, y, far: step > STEPS[0], hidden };
      if (found.hidden <= 0) return found;
    }
  }
  return found;
}

function makeLabel(thing, place, wide, high) {
  const letters = high / 1.3;
  return svg(
    "g",
    { class: `tag ${thing.kind}` },
    place.far ? svg("line", { x1: thing.x, y1: thing.y, x2: place.x, y2: place.y }) : null,
    svg("rect", { x: place.x - wide / 2, y: place.y - high / 2, width: wide, height: high, rx: letters * 0.3 }),
    svg("text", { x: place.x, y: place.y + letters * 0.35, "font-size": letters, "text-anchor": "middle", text: thing.words }),
  );
}

// Words for each of the things {x, y, half, words, kind}, half being half of its size, all in pixels of the picture.
export function labels(things, width, height) {
  const letters = width / 40;
  const high = letters * 1.3;
  const picture = { left: 0, top: 0, right: width, bottom: height };
  const taken = things.map((thing) => boxAround(thing.x, thing.y, 2 * thing.half, 2 * thing.half));
  return things.map((thing) => {
    const wide = letters * (0.62 * thing.words.length + 0.8);
    const place = best(thing, wide, high, taken, picture);
    taken.push(boxAround(place.x, place.y, wide, high));
    return makeLabel(thing, place, wide, high);
  });
}

// What was read, drawn over its picture: an outline for each die, with its face beside it.

const points = (corners) => corners.map(([x, y]) => `${x},${y}`).join(" ");
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / (numbers.length || 1);

// Half the size of a die on the picture, for marks where no outline is known.
export function halfSize(table) {
  const spans = table.dice.map((die) => {
    const xs = die.corners.map(([x]) => x);
    return (Math.max(...xs) - Math.min(...xs)) / 2;
  });
  return spans.length ? mean(spans) : table.width / 36;
}

// A die's outline on the picture; `kind` says how it looks.
export function outlined(die, kind, ...more) {
  const corners = points(die.corners);
  return svg("g", { class: kind }, svg("polygon", { points: corners, class: "halo" }), svg("polygon", { points: corners }), ...more);
}

// Half of what a die covers on the picture, turned as it is.
function reachOf(die) {
  return Math.max(...die.corners.map(([x, y]) => Math.max(Math.abs(x - die.center[0]), Math.abs(y - die.center[1]))));
}

function drawnUnsure(place, half) {
  const [x, y] = place.center;
  return svg("g", { class: "unsure" }, svg("circle", { cx: x, cy: y, r: half, class: "halo" }), svg("circle", { cx: x, cy: y, r: half }));
}

export function overlay(table) {
  // A pixel's coordinates name its centre, so the picture begins half a pixel before 0.
  const node = svg("svg", {
    class: "overlay",
    viewBox: `-0.5 -0.5 ${table.width} ${table.height}`,
    "aria-hidden": "true", // the picture's own text says what was read
  });
  const half = halfSize(table) * 1.35;
  const things = [
    ...table.dice.map((die) => ({ x: die.center[0], y: die.center[1], half: reachOf(die), words: faceWord(die.value), kind: "sure" })),
    // Why it was not read stands below the picture: on it the words would hide other dice.
    ...table.unsure.map(({ center: [x, y] }) => ({ x, y, half, words: "?", kind: "doubt" })),
  ];
  node.append(
    ...table.dice.map((die) => outlined(die, "seen")),
    ...table.unsure.map((place) => drawnUnsure(place, half)),
    ...labels(things, table.width, table.height),
  );
  return node;
}

// The scoreboard's seven-segment digits, drawn from the very frame buffer that the LEDs show.

// Bits 0 to 6 are the segments a to g, as polygons on a field of 12 by 20; bit 7 is the point.
const SEGMENTS = [
  "2.2,1 9.8,1 8.2,2.8 3.8,2.8",
  "10.4,1.6 10.4,9.6 9.5,9.9 8.6,8.6 8.6,3.4",
  "10.4,10.4 10.4,18.4 8.6,16.6 8.6,11.4 9.5,10.1",
  "2.2,19 9.8,19 8.2,17.2 3.8,17.2",
  "1.6,10.4 1.6,18.4 3.4,16.6 3.4,11.4 2.5,10.1",
  "1.6,1.6 1.6,9.6 2.5,9.9 3.4,8.6 3.4,3.4",
  "3.2,10 4.1,9.1 7.9,9.1 8.8,10 7.9,10.9 4.1,10.9",
];

function digit() {
  return svg(
    "g",
    {},
    ...SEGMENTS.map((points) => svg("polygon", { points })),
    svg("circle", { cx: 12.2, cy: 18.3, r: 1.1 }),
  );
}

function row(masks) {
  const width = masks.length * 14 + 1;
  const node = svg("svg", { viewBox: `0 0 ${width} 20`, "aria-hidden": "true" });
  masks.forEach((_, index) => {
    const one_digit = digit();
    one_digit.setAttribute("transform", `translate(${index * 14 + 1} 0) skewX(-4)`);
    node.append(one_digit);
  });
  return node;
}

export function drawBoard(snapshot) {
  const section = one("#board");
  show(section, snapshot.segments.length > 0);
  keep(one(".rows", section), snapshot.segments, (masks, index) => `${index}x${masks.length}`, row, (node, masks) => {
    masks.forEach((mask, index) => {
      [...node.children[index].children].forEach((part, bit) => {
        attr(part, "class", (mask >> bit) & 1 ? "lit" : "dark");
      });
    });
  });
}

// The bracket, drawn round by round, for the tournament's page and the big screen alike.

const STATES = { waits: phrase("waits"), ready: phrase("ready"), begun: phrase("being played"), undecided: phrase("to be played again"), played: "" };

// The rounds in the order in which they stand side by side.
export function roundsOf(matches) {
  const rounds = new Map();
  for (const match of matches) rounds.set(match.group, [...(rounds.get(match.group) ?? []), match]);
  return [...rounds].map(([title, its]) => ({ title, matches: its }));
}

const makeSide = () => el("p", { class: "side" }, el("span", { class: "who" }), el("b", { class: "points" }));

function drawMatch(node, match) {
  attr(node, "data-state", match.state);
  put(one(".about", node), [phrase("Match {number}", { number: match.number }), STATES[match.state]].filter(Boolean).join(", "));
  node.querySelectorAll(".side").forEach((side, index) => {
    put(one(".who", side), match.sides[index]);
    put(one(".points", side), match.points[index] === null ? "" : grouped(match.points[index]));
    side.classList.toggle("open", !match.known[index]);
    side.classList.toggle("won", match.winner !== "" && match.winner === match.sides[index]);
  });
}

export function drawRounds(box, matches) {
  keep(
    box,
    roundsOf(matches),
    (round) => round.title,
    (round) => el("section", { "aria-label": round.title }, el("h3", { text: round.title }), el("ol")),
    (node, round) => keep(one("ol", node), round.matches, (match) => match.number, () => el("li", {}, el("p", { class: "about" }), makeSide(), makeSide()), drawMatch),
  );
}

// The heat list: every match that is still to be played, in the order in which that will be.

export const versus = ({ sides: [first, second] }) => phrase("{first} against {second}", { first, second });
const HEATS = { now: phraseLater("Now: {match}"), next: phraseLater("Next: {match}"), later: "{match}" };

function drawHeat(node, match, when) {
  attr(node, "data-when", when);
  put(one("b", node), phrase(HEATS[when], { match: versus(match) }));
  put(one("small", node), [phrase("Match {number}", { number: match.number }), match.group, match.table, match.state === "undecided" ? STATES.undecided : ""].filter(Boolean).join(", "));
}

export function drawHeats(list, matches) {
  const open = matches.filter((match) => match.state !== "played");
  const next = open.find((match) => match.state === "ready" || match.state === "undecided");
  const heats = [...open.filter((match) => match.state === "begun"), ...open.filter((match) => match.state !== "begun")];
  const when = (match) => (match.state === "begun" ? "now" : match === next ? "next" : "later");
  keep(list, heats, (match) => match.number, () => el("li", {}, el("b"), el("small")), (node, match) => drawHeat(node, match, when(match)));
  return heats.length;
}
