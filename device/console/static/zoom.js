// A picture as large as the window, to look closer: wheel, pinch, drag, buttons, and + - 0 with the arrows.

import { attr, el, one, phrase, put } from "./dom.js";
import { drawStamp } from "./drawings.js";

const MOST = 12; // times as large as the whole picture
const STEP = 1.5;
const MOVE_PX = 60;

const view = { scale: 1, x: 0, y: 0 };
const fingers = new Map();

const glass = () => one("#zoom .glass");
const middle = () => ({ x: glass().clientWidth / 2, y: glass().clientHeight / 2 });
const within = (value, low, high) => Math.min(Math.max(value, low), high);

function drawZoom() {
  const { clientWidth, clientHeight } = glass();
  view.x = within(view.x, clientWidth * (1 - view.scale), 0); // the picture never leaves the glass
  view.y = within(view.y, clientHeight * (1 - view.scale), 0);
  one("#zoom img").style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  put(one("#zoom .scale"), `${Math.round(view.scale * 100)} %`);
}

// What lies at that place stays there.
function zoom(times, at = middle()) {
  const scale = within(view.scale * times, 1, MOST);
  view.x = at.x - ((at.x - view.x) * scale) / view.scale;
  view.y = at.y - ((at.y - view.y) * scale) / view.scale;
  view.scale = scale;
  drawZoom();
}

function move(right, down) {
  view.x += right;
  view.y += down;
  drawZoom();
}

function whole() {
  Object.assign(view, { scale: 1, x: 0, y: 0 });
  drawZoom();
}

const KEYS = {
  "+": () => zoom(STEP),
  "=": () => zoom(STEP),
  "-": () => zoom(1 / STEP),
  "0": whole,
  ArrowLeft: () => move(MOVE_PX, 0),
  ArrowRight: () => move(-MOVE_PX, 0),
  ArrowUp: () => move(0, MOVE_PX),
  ArrowDown: () => move(0, -MOVE_PX),
};

function placeOf(event) {
  const box = glass().getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

const between = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) });

function drag(event) {
  const was = fingers.get(event.pointerId);
  if (!was) return;
  const now = placeOf(event);
  const other = [...fingers].find(([finger]) => finger !== event.pointerId)?.[1];
  fingers.set(event.pointerId, now);
  if (!other) return move(now.x - was.x, now.y - was.y);
  const [before, after] = [between(was, other), between(now, other)];
  move(after.x - before.x, after.y - before.y);
  if (before.apart > 0) zoom(after.apart / before.apart, after);
}

function makeZoom(dialog) {
  const button = (text, name, onclick) => el("button", { type: "button", class: "quiet", text, "aria-label": name, onclick });
  const pane = el("div", { class: "glass", tabindex: "0", role: "group", "aria-label": phrase("The picture: plus and minus zoom, arrows move") }, el("img", { alt: "", draggable: "false" }), el("b", { class: "stamp", hidden: true }));
  pane.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, placeOf(event));
  }, { passive: false });
  pane.addEventListener("pointerdown", (event) => {
    pane.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, placeOf(event));
  });
  pane.addEventListener("pointermove", drag);
  for (const name of ["pointerup", "pointercancel"]) pane.addEventListener(name, (event) => fingers.delete(event.pointerId));
  dialog.addEventListener("keydown", (event) => {
    const act = KEYS[event.key];
    if (!act || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  });
  dialog.append(
    el("h2", { id: "zoom-title" }),
    pane,
    el("div", { class: "row" }, button("−", phrase("Smaller"), () => zoom(1 / STEP)), button("+", phrase("Larger"), () => zoom(STEP)), button(phrase("Whole"), phrase("The whole picture"), whole), el("p", { class: "scale hint", role: "status" })),
    el("form", { method: "dialog" }, el("button", { text: phrase("Close") })),
  );
}

// Shows that picture; `words` says what it is of, `stamp` what counts instead of what it says.
export function openZoom(address, words, stamp = "") {
  const dialog = one("#zoom");
  if (!dialog.firstElementChild) makeZoom(dialog);
  put(one("#zoom-title"), words);
  attr(one("#zoom img"), "src", address);
  attr(one("#zoom img"), "alt", words);
  drawStamp(dialog, stamp);
  fingers.clear();
  dialog.showModal();
  whole();
  glass().focus();
}
