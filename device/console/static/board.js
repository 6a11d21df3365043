// The scoreboard's seven-segment digits, drawn from the very frame buffer that the LEDs show.

import { attr, keep, one, show, svg } from "./dom.js";

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
