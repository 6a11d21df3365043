// The kinds of dice and how their faces are drawn and said.

import { svg } from "./dom.js";
import { phrase, phraseCount } from "./phrase.js";

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

const FACE_WORDS = { dot: phrase("dot"), square: phrase("square") };
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

// What is asked where a die lies on a line: it scores in one zone or the other.
export function inEither({ value, line }) {
  const [first, second] = line.split("|");
  return phrase("{value} in {first} or {second}?", { value, first, second });
}

export const kindOf = (word) => (word === "dot" || word === "square" ? "zoinx" : "pip");
export const valueOf = (word) => (FACES.zoinx.includes(word) ? word : Number(word));
