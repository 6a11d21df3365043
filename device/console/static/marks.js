// What was read, drawn over its picture: an outline for each die, with its face beside it.

import { svg } from "./dom.js";
import { faceWord } from "./faces.js";
import { labels } from "./labels.js";

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
