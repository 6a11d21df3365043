// The panel on the screen. It moves pins and knows no rule: pushing goes out as "down", letting go as "up", so that a
// long press here is a long press there. Whatever happens to finger, key or page, an "up" follows each "down".

import { attr, el, keep, one, put, randomWord, show } from "./dom.js";
import { betByTap, drawBet } from "./bets.js";
import { may, seatOf } from "./people.js";
import { phrase } from "./phrase.js";
import { ask, farewell, notice } from "./post.js";

export const KEYS = { 1: "bet1", 2: "bet2", 3: "bet3", 4: "bet4", r: "roll_done", s: "stop", c: "cache", u: "undo" };
export const LABELS = { roll_done: "ROLL DONE", stop: "STOP", cache: "CACHE", undo: "UNDO" };

const SHORTEST_MS = 90; // a tap is shorter than the box may take for bouncing contacts
const holding = new Map(); // what holds (a pointer, a key) -> {button, finger}
let queue = Promise.resolve(); // one edge after the other, so that none overtakes

// On the box's own browser nothing crosses a network; elsewhere presses of BET could be counted there.
const AT_HOME = /^(localhost|127\.[0-9.]+|\[::1\])$/.test(location.hostname);
let players = [];
let redraw = () => {};

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const path = (button) => `/pins/${button}`;

function push(source, button) {
  if (holding.has(source)) return;
  if (!AT_HOME && button.startsWith("bet")) return openBet(players[Number(button.at(-1)) - 1]);
  const held = { button, finger: randomWord(), pushed_ms: performance.now(), landed_ms: 0 };
  holding.set(source, held);
  mark(button);
  queue = queue.then(async () => {
    const answer = await ask(path(button), { down: true, finger: held.finger });
    held.landed_ms = performance.now();
    notice(answer.ok ? "" : answer.text);
  });
}

function openBet(player) {
  betByTap(player);
  redraw();
  setTimeout(() => one("#bet-title")?.focus()); // once the finger's own focus is through
}

function letGo(source) {
  const held = holding.get(source);
  if (!held) return;
  holding.delete(source);
  mark(held.button);
  // The pin went down when the push arrived, behind others perhaps: it is held as long as the finger held.
  const hold_ms = Math.max(SHORTEST_MS, performance.now() - held.pushed_ms);
  queue = queue.then(async () => {
    await pause(Math.max(0, hold_ms - (performance.now() - held.landed_ms)));
    await ask(path(held.button), { down: false, finger: held.finger });
    await pause(SHORTEST_MS); // two quick taps stay two: up as long as a finger takes, not a bounce of one press
  });
}

function letGoOfAll() {
  for (const source of [...holding.keys()]) letGo(source);
}

// The page may never run again: nothing may wait in the queue. A press still on its way finds itself lifted.
function leave() {
  for (const held of holding.values()) farewell(path(held.button), { down: false, finger: held.finger });
  letGoOfAll();
}

function mark(button) {
  const pressed = [...holding.values()].some((held) => held.button === button);
  document.querySelector(`#panel [data-button="${button}"]`)?.classList.toggle("pressed", pressed);
}

function makeKey(name) {
  const pointer = (event) => `pointer ${event.pointerId}`;
  const end = (event) => letGo(pointer(event));
  const key = el(
    "button",
    {
      type: "button",
      class: `key ${name}`,
      "data-button": name,
      onpointerdown: (event) => {
        if (event.button !== 0) return;
        key.setPointerCapture(event.pointerId);
        push(pointer(event), name);
      },
      onpointerup: end,
      onpointercancel: end,
      onlostpointercapture: end,
      oncontextmenu: (event) => event.preventDefault(),
      onkeydown: (event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        if (!event.repeat) push(`key ${event.code}`, name);
      },
      onkeyup: (event) => event.key === " " && event.preventDefault(),
      onclick: (event) => {
        // Neither finger nor key: a screen reader's own way to press.
        if (event.detail !== 0 || event.pointerType) return;
        push("reader", name);
        letGo("reader");
      },
    },
    el("span", { class: "lamp", "aria-hidden": "true" }),
    el("span", { class: "what" }),
    el("span", { class: "who" }),
    el("span", { class: "unseen glow" }),
  );
  return key;
}

// The bar lies over the page's foot, so the page is longer by its height.
export function makePanel() {
  const bar = one("#panel");
  new ResizeObserver(() => document.body.style.setProperty("--foot", `${bar.offsetHeight}px`)).observe(bar);
}

const elsewhere = (target) => target instanceof Element && target.closest("input, select, textarea, dialog");

export function listen(singleKeysOn) {
  document.addEventListener("keydown", (event) => {
    const name = KEYS[event.key.toLowerCase()];
    if (!name || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!singleKeysOn() || elsewhere(event.target) || one("dialog[open]")) return;
    if (!document.querySelector(`#panel:not([hidden]) [data-button="${name}"]`)) return;
    push(`key ${event.code}`, name);
  });
  document.addEventListener("keyup", (event) => letGo(`key ${event.code}`));
  window.addEventListener("blur", letGoOfAll);
  window.addEventListener("pagehide", leave);
  document.addEventListener("visibilitychange", () => document.hidden && leave());
}

// The buttons of whose turn it is, for that player's own page: what ends the turn also while it is dark, others when lit.
export function turnKeys({ game, lamps }) {
  const played = ["roll_done", "stop", "cache"].filter((name) => lamps[name] || ["roll_done", game.turn_end].includes(name));
  return [...(may("play") ? played : []), ...(may("judge") ? ["undo"] : [])];
}

function allKeys({ game, lamps }) {
  const mine = seatOf();
  const played = ["roll_done", "stop", "cache"].filter((name) => game.buttons.includes(name) || lamps[name]);
  const bets = may("bet") ? betKeys(game).filter((_, index) => !mine || game.players[index] === mine) : [];
  return [...bets, ...(may("play") ? played : []), ...(may("judge") ? ["undo"] : [])];
}

const betKeys = (game) => (game.bets.length ? game.players.slice(0, 4).map((_, index) => `bet${index + 1}`) : []);

export function drawPanel(snapshot, keysOf = allKeys) {
  const section = one("#panel");
  const { game } = snapshot;
  show(section, game !== null);
  if (!game) return;
  players = game.players;
  redraw = () => drawBet(snapshot);
  const all = betKeys(game);
  const names = keysOf(snapshot);
  const bets = names.filter((name) => all.includes(name));
  show(section, names.length > 0);
  keep(one(".keys", section), names, (name) => name, makeKey, (node, name) => {
    const seat = all.indexOf(name);
    const pressable = Boolean(snapshot.lamps[name]);
    const lit = pressable !== snapshot.blinks.includes(name);
    put(one(".what", node), seat < 0 ? LABELS[name] : `BET ${seat + 1}`);
    put(one(".who", node), seat < 0 ? "" : game.players[seat]);
    put(one(".glow", node), pressable ? phrase("lamp lit") : phrase("lamp dark"));
    node.classList.toggle("lit", lit);
    attr(node, "data-lit", lit);
    attr(node, "title", (!pressable && game.dark[name]) || null);
  });
  attr(one(".keys", section), "data-bets", bets.length);
  attr(one(".keys", section), "data-keys", names.length - bets.length);
  show(one(".hint", section), bets.length > 0 && AT_HOME);
}
