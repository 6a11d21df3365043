// The set-up: asks the box twice a second where it stands, and shows the step that is open.

import { attr, el, keep, one, phrase, put, randomWord, show, svg } from "./dom.js";
import { LANGUAGE } from "../words.js";
import { drawBoard } from "./drawings.js";
import { drawFindings } from "./findings.js";
import { ask, makePeople, showHeard, tell } from "./link.js";

const LOOK_MS = 500;
const BELOW = matchMedia("(max-width: 59.99rem)"); // as in setup.css: one thing below the other
const LEAST_PX = 12; // what is written into the picture is at least so high on the screen
let latest = null;
let sending = false;
let wanted = ""; // the step that was asked for while the box was still busy with something else
let wasOpen = "";

function when(at) {
  return new Date(at).toLocaleDateString(LANGUAGE, { day: "numeric", month: "long", year: "numeric" });
}

function drawSteps({ step, steps }) {
  keep(
    one("#steps ol"),
    steps,
    (each) => each.name,
    (each) => el("li", {}, el("button", { type: "button", onclick: () => send(each.name, "") }, el("b"), el("small"))),
    (node, each) => {
      const button = one("button", node);
      attr(button, "data-done", each.at !== "");
      attr(button, "aria-current", each.name === step ? "step" : null);
      put(one("b", node), each.title);
      put(one("small", node), each.at ? phrase("{figure}, on {date}", { figure: each.figure, date: when(each.at) }) : "");
    },
  );
}

function drawActs({ step, acts }) {
  keep(
    one("#acts"),
    acts,
    (each) => `${step} ${each.name}`,
    (each) => el("button", { type: "button", onclick: () => send(step, each.name) }),
    (node, each) => {
      put(node, each.text);
      attr(node, "class", each.main ? "main" : null);
    },
  );
}

function drawPins({ step, pins, lines }) {
  const buttons = pins && step === "panel" ? lines : [];
  show(one("#pins"), buttons.length > 0);
  keep(
    one("#pins"),
    buttons,
    (each) => each.name,
    (each) => el("button", { type: "button", text: each.name.replace("_", " ").toUpperCase(), onclick: () => pushPin(each.name) }),
  );
}

function drawLights({ lamps, rows }) {
  show(one("#lamps"), lamps.length > 0);
  keep(
    one("#lamps"),
    lamps,
    (each) => each.name,
    () => el("li", {}, el("span", { class: "lamp", "aria-hidden": "true" }), el("b"), el("span", { class: "unseen" })),
    (node, each) => {
      attr(node, "data-lit", each.lit);
      attr(one(".lamp", node), "data-colour", each.colour || null);
      put(one("b", node), each.label);
      put(one(".unseen", node), each.lit ? phrase("lamp lit") : phrase("lamp dark"));
    },
  );
  drawBoard({ segments: rows });
}

async function pushPin(name) {
  const finger = randomWord();
  await tell(`/pins/${name}`, { down: true, finger });
  await tell(`/pins/${name}`, { down: false, finger });
  await look();
}

function drawMarks({ marks, width, height }) {
  const readable = (LEAST_PX * width) / (one(".view").clientWidth || width); // on a phone the picture is small
  const shapes = marks.map((mark) => svg(mark.closed ? "polygon" : "polyline", { "data-kind": mark.kind, points: mark.points.map((point) => point.join(",")).join(" ") }));
  const labels = marks.filter((mark) => mark.label).map((mark) => {
    const middle = [0, 1].map((axis) => mark.points.reduce((sum, point) => sum + point[axis], 0) / mark.points.length);
    // What is said of a die stands above it: its face is to be seen.
    const die = ["die", "unsure"].includes(mark.kind);
    const y = die ? Math.min(...mark.points.map((point) => point[1])) - width / 160 : middle[1];
    return svg("text", { x: middle[0], y, "font-size": Math.max(readable, width / (die ? 45 : 36)), text: mark.label });
  });
  attr(one("#marks"), "viewBox", `0 0 ${width || 4} ${height || 3}`);
  one("#marks").replaceChildren(...shapes, ...labels);
}

function draw(shown) {
  latest = shown;
  const there = shown.step !== "";
  show(one("#step"), there);
  show(one("#steps"), there);
  show(one("#trouble"), !there && Boolean(shown.text));
  put(one("#trouble p"), there ? "" : (shown.text ?? ""));
  if (!there) return;
  drawSteps(shown);
  attr(one("main"), "data-step", shown.step);
  put(one("#step-title"), shown.steps.find((each) => each.name === shown.step).title);
  put(one("#say"), shown.say);
  show(one("#count"), shown.wanted > 0);
  attr(one("progress"), "max", shown.wanted || 1);
  attr(one("progress"), "value", Math.min(shown.taken, shown.wanted));
  put(one("#count-words"), phrase("{taken} of {wanted}", { taken: shown.taken, wanted: shown.wanted }));
  drawFindings(one("#hints"), shown.hints, false);
  drawFindings(one("#lines"), shown.lines);
  show(one("#to-settings"), shown.step === "settings");
  drawPins(shown);
  drawLights(shown);
  drawActs(shown);
  drawMarks(shown);
  if (wasOpen && wasOpen !== shown.step) one("#step").focus({ preventScroll: true }); // who goes by the keyboard is led along
  if (wasOpen !== shown.step) bringIntoView(shown.step);
  wasOpen = shown.step;
}

// On a phone the step that was chosen lies far down, and its place among the others far to the side.
function bringIntoView(step) {
  one('#steps [aria-current="step"]').scrollIntoView({ block: "nearest", inline: "center" });
  if (wasOpen && BELOW.matches) one(step === "dice" ? "#live" : "#step").scrollIntoView({ block: "start" });
}

function take(shown) {
  showHeard(shown);
  draw({ step: "", steps: [], marks: [], lamps: [], rows: [], ...shown });
}

// While the box is busy nothing can be done twice, but another step that is asked for opens afterwards.
async function send(step, act) {
  if (sending) {
    if (!act) wanted = step;
    return;
  }
  sending = true;
  attr(one("#step"), "aria-busy", "true");
  put(one("#say"), phrase("One moment…"));
  try {
    const shown = await tell("/setup/do", { step, act });
    if (shown.steps) take(shown);
  } finally {
    sending = false;
    attr(one("#step"), "aria-busy", null);
  }
  const next = wanted;
  wanted = "";
  if (next) await send(next, "");
}

async function look() {
  if (sending || document.hidden) return;
  const shown = await ask("/setup/look", {});
  if (!sending) take(shown);
}

async function lookOn() {
  await look();
  setTimeout(lookOn, LOOK_MS);
}

// The picture as it is served everywhere, as often as the box says.
const live = { etag: "", url: "" };

async function picture() {
  let wait_ms = LOOK_MS;
  try {
    const headers = live.etag ? { "if-none-match": live.etag } : {};
    const response = await fetch("picture.jpg", { cache: "no-store", headers });
    wait_ms = Number(response.headers.get("callbox-next-ms")) || LOOK_MS;
    const picture = await response.blob(); // also where it is empty: a browser cancels an answer that nobody reads
    if (response.status === 200) await showPicture(response, picture);
    if (response.status === 204) one(".view").classList.remove("seen");
  } catch {
    // the other question says that the box is away
  }
  setTimeout(picture, wait_ms);
}

async function showPicture(response, picture) {
  live.etag = response.headers.get("etag") ?? "";
  const old = live.url;
  live.url = URL.createObjectURL(picture);
  const image = one("#live img");
  image.src = live.url;
  await image.decode().catch(() => {});
  one(".view").classList.add("seen");
  if (old) URL.revokeObjectURL(old);
}

makePeople(() => latest && look());
lookOn();
picture();
