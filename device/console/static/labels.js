// Where the words on a picture go: beside their die, on no other die and on no other words.

import { svg } from "./dom.js";

const STEPS = [1, 1.8, 2.6, 3.6]; // so many times as far as right beside it, as long as there is no room
const WAYS = [[0, 1], [0, -1], [1, 0], [-1, 0], [0.8, 0.8], [-0.8, 0.8], [0.8, -0.8], [-0.8, -0.8]];
const GAP = 0.25; // between a die and its words, in heights of a letter

const box = (x, y, width, height) => ({ left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 });
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
      const hidden = harm(box(x, y, wide, high), taken, picture);
      if (found === null || hidden < found.hidden - 1e-6) found = { x, y, far: step > STEPS[0], hidden };
      if (found.hidden <= 0) return found;
    }
  }
  return found;
}

function drawn(thing, place, wide, high) {
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
  const taken = things.map((thing) => box(thing.x, thing.y, 2 * thing.half, 2 * thing.half));
  return things.map((thing) => {
    const wide = letters * (0.62 * thing.words.length + 0.8);
    const place = best(thing, wide, high, taken, picture);
    taken.push(box(place.x, place.y, wide, high));
    return drawn(thing, place, wide, high);
  });
}
