// Dice that a hand touched after they came to rest: both pictures beside each other, the dice outlined in each.

import { el, one, show, svg } from "./dom.js";
import { faceWord } from "./faces.js";
import { outlined } from "./marks.js";
import { phrase } from "./phrase.js";

const ASPECT = 4 / 3;
const AROUND = 4; // so many dice wide is what is shown on each side of the touched ones

let drawn = "";

const spanOf = (numbers) => [Math.min(...numbers), Math.max(...numbers)];

// The part of the picture that holds all touched dice, as they lay and as they lie, with what is around them.
function windowOf(dice, table) {
  const corners = dice.flatMap(({ rested, now }) => [...rested.corners, ...now.corners]);
  const [left, right] = spanOf(corners.map(([x]) => x));
  const [top, bottom] = spanOf(corners.map(([, y]) => y));
  const [[x0, y0], [x1, y1]] = dice[0].rested.corners;
  const room = 2 * AROUND * Math.hypot(x1 - x0, y1 - y0);
  const high = Math.min(table.height, table.width / ASPECT, Math.max(bottom - top + room, (right - left + room) / ASPECT));
  const wide = high * ASPECT;
  const within = (middle, size, whole) => Math.min(Math.max(middle - size / 2, 0), whole - size);
  return { x: within((left + right) / 2, wide, table.width), y: within((top + bottom) / 2, high, table.height), width: wide, height: high };
}

function pictureOf(caption, number, key, dice, table) {
  const part = windowOf(dice.both, table);
  const words = `${caption}: ${dice.shown.map((die) => faceWord(die.value)).join(", ")}`;
  const glass = number
    ? svg(
        "svg",
        { class: "overlay", viewBox: `${part.x} ${part.y} ${part.width} ${part.height}`, role: "img", "aria-label": words },
        // A pixel's coordinates name its centre, so the picture begins half a pixel before 0.
        svg("image", { href: `reading/${number}.jpg?of=${encodeURIComponent(key)}`, x: -0.5, y: -0.5, width: table.width, height: table.height, preserveAspectRatio: "none" }),
        ...dice.lay.map((die) => outlined(die, "lay")),
        ...dice.shown.map((die) => outlined(die, "seen")),
      )
    : el("p", { class: "none", text: phrase("This picture is not kept") });
  const figure = el("figure", { class: "picture" }, el("div", { class: "glass" }, glass), el("figcaption", { text: words }));
  figure.classList.toggle("empty", !number);
  return figure;
}

export function drawTouched(snapshot) {
  const section = one("#touched");
  const { touched, table } = snapshot;
  show(section, touched !== null);
  const key = touched ? `${snapshot.game_id}/${touched.picture}/${touched.now}` : "";
  if (key === drawn) return;
  drawn = key;
  if (!touched) return section.replaceChildren();
  const both = touched.dice;
  const rested = both.map((one) => one.rested);
  section.replaceChildren(
    el("h2", { id: "touched-title", text: both.length > 1 ? phrase("These dice were touched") : phrase("This die was touched") }),
    el(
      "div",
      { class: "pictures" },
      pictureOf(both.length > 1 ? phrase("As they came to rest") : phrase("As it came to rest"), touched.rested, key, { both, lay: [], shown: rested }, table),
      pictureOf(both.length > 1 ? phrase("As they lie now") : phrase("As it lies now"), touched.now, key, { both, lay: rested, shown: both.map((one) => one.now) }, table),
    ),
    el("p", { class: "hint", text: phrase("Dashed: as it lay. ROLL DONE once more counts the dice as they lie now; or throw again.") }),
  );
}
