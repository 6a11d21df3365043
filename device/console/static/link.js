// The link to the box: who this page is, what it asks, and the stream of what it shows.

import { LANGUAGE } from "../words.js";
import { attr, el, load, one, phrase, put, recall, remember, show } from "./dom.js";

// Seals what this page sends, so that nobody who listens in the network can read it, repeat it, or pass for this page.
// A browser has no such means of its own on plain http; nacl.min.js is TweetNaCl.js 1.0.3, as it was published.

const toText = (bytes) => btoa(String.fromCharCode(...bytes));
const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
const LENGTH_STEP = 512; // the length of what is sent tells nothing

const box = { key: "", word: "", table: "family", offices: [] };
const scanned = new URLSearchParams(location.hash.slice(1)).get("key") ?? "";
let nacl = null; // loaded when this page first has something to seal
let mine = null;
let shared = null;
let count = Number(recall("count") ?? 0);

// The pair by which the box knows this page, also after it was closed.
function ownPair() {
  try {
    const kept = recall("page");
    if (kept) return nacl.box.keyPair.fromSecretKey(toBytes(kept));
  } catch {
    // What is kept is no key: a new one takes its place.
  }
  return nacl.box.keyPair();
}

async function prepareSeal() {
  if (shared) return;
  await load("./nacl.min.js");
  nacl = self.nacl;
  mine ??= ownPair();
  if (box.table !== "family") remember("page", toText(mine.secretKey)); // a family's page leaves no trace of its bets
  shared = nacl.box.before(toBytes(box.key), mine.secretKey);
}

// Asks the box for its key and word; true when it is there. A page that came by a code trusts that code's key alone.
async function meet() {
  try {
    Object.assign(box, await (await fetch("box", { cache: "no-store" })).json());
    if (box.table !== "family" && !isStranger()) await prepareSeal();
    return true;
  } catch {
    return false;
  }
}

let met = meet();

export async function identifyBox() {
  if (!(await met)) met = meet();
  return (await met) ? box : null;
}

const isStranger = () => scanned !== "" && box.key !== "" && scanned !== box.key;

// At a family's table everybody may do everything, so only what is secret is sealed.
export const mustSeal = (path) => box.table !== "family" || path === "/bets" || /^\/(persons|settings|maintenance)/.test(path);

// Returns what to send; `count` is what the answer must name.
export function seal(path, body) {
  count = Math.max(count + 1, Date.now()); // rises over all tabs of this page
  if (box.table !== "family") remember("count", String(count));
  const text = new TextEncoder().encode(JSON.stringify({ word: box.word, count, path, body }));
  const padded = new Uint8Array(Math.ceil(text.length / LENGTH_STEP) * LENGTH_STEP).fill(32);
  padded.set(text);
  const nonce = nacl.randomBytes(nacl.box.nonceLength);
  const sealed = nacl.box.after(padded, nonce, shared);
  return { count, letter: { key: toText(mine.publicKey), nonce: toText(nonce), sealed: toText(sealed) } };
}

// What the box answered; null for what it has not sealed for this very question.
export function unseal(answer, asked) {
  if (!answer.sealed) return null;
  const opened = nacl.box.open.after(toBytes(answer.sealed), toBytes(answer.nonce), shared);
  const told = opened && JSON.parse(new TextDecoder().decode(opened));
  return told?.count === asked ? told.said : null;
}

// What people do goes to the box as JSON, sealed where it must be; what the box says to it comes back as a sentence.

const NOTICE_MS = 9000;
export const SILENT = { ok: false, text: phrase("The box did not answer. Check that it is on and that this device is in its network.") };

// Whether the box answered, as the header of a page tells it that asks only at times.
export function showHeard(answer) {
  const heard = answer.text !== SILENT.text;
  put(one("#link"), heard ? phrase("Live") : phrase("No connection to the box; it comes back by itself"));
  attr(one("#link"), "data-link", heard ? "up" : "down");
}
const STRANGER = { ok: false, text: phrase("This is not the box whose code was scanned. Scan the code on the box's own screen again.") };
let closing = 0;
let refused = () => {}; // what to do when the box says that this page may not do that

export function notice(text, tone = "refused") {
  const box = one("#notice");
  attr(box, "data-tone", tone);
  attr(box, "role", tone === "refused" ? "alert" : "status");
  put(one("p", box), text);
  show(box, text !== "");
  one("button", box).onclick = () => notice("");
  clearTimeout(closing);
  if (text) closing = setTimeout(() => notice(""), NOTICE_MS);
}

function request(body) {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), cache: "no-store" };
}

// Beside the page, wherever a proxy has put it; what is sealed names the box's own path.
const addressOf = (path) => path.slice(1);

async function askSealed(path, body, again) {
  await prepareSeal();
  const { count, letter } = seal(path, body);
  const response = await fetch(addressOf(path), request(letter));
  const answer = await response.json();
  if (answer.word && again) {
    box.word = answer.word; // the box was started anew since
    return askSealed(path, body, false);
  }
  const said = unseal(answer, count) ?? (answer.sealed ? SILENT : answer);
  if (response.status === 403) refused(path);
  return said;
}

// Returns {ok, text}. Never throws: a box that cannot be reached is an answer too.
export async function ask(path, body) {
  try {
    if (!(await identifyBox())) return SILENT;
    if (!mustSeal(path)) return await (await fetch(addressOf(path), request(body))).json();
    return isStranger() ? STRANGER : await askSealed(path, body, true);
  } catch {
    return SILENT;
  }
}

export async function tell(path, body) {
  const answer = await ask(path, body);
  notice(answer.ok ? "" : answer.text || phrase("The box did not take that."));
  return answer;
}

// For the moment at which the page goes away: sent at once, with nobody left to hear the answer.
export function farewell(path, body) {
  const sealed = mustSeal(path);
  if (sealed && !shared) return;
  fetch(addressOf(path), { ...request(sealed ? seal(path, body).letter : body), keepalive: true }).catch(() => {});
}

// Follows a live stream of the box or the desk: every page's one. Whatever ends it, silently or not, a new one is opened.

const SILENCE_MS = 25000; // there is an event or a beat every ten seconds
const FIRST_MS = 4000; // the first event comes with the stream
const LATE_MS = 15000;
const AGAIN_MS = 1000;
const SELDOM_MS = 30000;
const QUICK = 6; // a browser keeps so many connections of before, which may all be dead, and an attempt uses up one

// Why what is shown may be old; `heard_ms` is when something last came, by this device's clock, and 0 for never.
export function lostWords(heard_ms) {
  if (!heard_ms) return phrase("No connection. This page keeps trying.");
  const time = new Date(heard_ms).toLocaleTimeString(LANGUAGE, { hour: "2-digit", minute: "2-digit" });
  return phrase("Connection lost. Showing what was known at {time}.", { time });
}

// `onData` gets each event of that name, and whether it is the first of its stream; `onLink` whether the stream is there
// (true), or not (false, and when something last came).
export function followStream(name, onData, onLink) {
  let source = null;
  let timer = 0;
  let failures = 0;
  let heard_ms = 0;

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  const grown_ms = (ms, most_ms) => Math.min(ms * 2 ** Math.max(0, failures - QUICK), most_ms);

  // Seldomer each time, and not all pages of a room at the same moment.
  function lost() {
    close();
    onLink(false, heard_ms);
    const wait_ms = grown_ms(AGAIN_MS, SELDOM_MS);
    failures += 1;
    timer = setTimeout(open, wait_ms * (0.5 + Math.random() / 2));
  }

  function alive() {
    failures = 0;
    heard_ms = Date.now();
    onLink(true);
    clearTimeout(timer);
    timer = setTimeout(lost, SILENCE_MS);
  }

  function open() {
    close();
    if (document.hidden) return; // a browser allows a page's host six connections: leave them to who looks
    if (heard_ms && Date.now() - heard_ms > SILENCE_MS) onLink(false, heard_ms);
    timer = setTimeout(lost, grown_ms(FIRST_MS, LATE_MS));
    const mine = (source = new EventSource("events"));
    let first = true;
    mine.addEventListener(name, (event) => {
      alive();
      onData(JSON.parse(event.data), first);
      first = false;
    });
    mine.addEventListener("beat", alive);
    mine.addEventListener("crowded", (event) => {
      close(); // many look on: come again later, with what is shown still good
      timer = setTimeout(open, Number(event.data));
    });
    mine.addEventListener("error", () => {
      if (source === mine) lost();
    });
  }

  function wake() {
    failures = 0;
    open();
  }

  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", (event) => event.persisted && wake());
  window.addEventListener("pagehide", close);
  open();
}

// The box's: each snapshot as it comes.
export const follow = (onSnapshot, onLink) => followStream("snapshot", onSnapshot, onLink);

// The head of each view: what the box says, and whether the page still hears it.

// One of the boxes at the top, with its message; hidden when there is none.
export function say(box, message) {
  attr(box, "data-tone", message.tone);
  put(one("p", box), message.text);
  show(box, message.text !== "");
}

let linked = false;
export const isLinked = () => linked;

export function link(up, heard_ms) {
  linked = up;
  one("#table")?.classList.toggle("stale", !up);
  put(one("#link"), up ? phrase("Live") : lostWords(heard_ms));
  attr(one("#link"), "data-link", up ? "up" : "down");
}

// Who this page is to the box, and what it may do: watch, play from a seat, or lead as referee or host.

const ROLES = { referee: phrase("Referee"), host: phrase("Host"), player: phrase("Player"), viewer: phrase("Viewer"), table: phrase("Table") };
const SIGNED = { referee: phrase("Signed in as referee"), host: phrase("Signed in as host") };

const FAMILY = { role: "table", name: "", may: ["bet", "play", "hand", "judge", "lead", "rematch", "seat", "setup"] };

let me = FAMILY;
let seen = "";
let changed = () => {};
let token = ""; // of the seat whose code was scanned, while it is being taken

export const may = (deed) => me.may.includes(deed);
export const isFamily = () => box.table === "family";
export const seatOf = () => (me.role === "player" ? me.name : "");

function draw() {
  const leaders = box.offices;
  attr(document.body, "data-may", me.may.join(" "));
  show(one("#open-sign"), leaders.length > 0);
  put(one("#open-sign"), ROLES[leaders[0]] ?? "");
  const name = me.role === "player" ? me.name : `${ROLES[me.role] ?? ""} ${me.name}`.trim();
  put(one("#me"), leaders.length && me.role !== "viewer" ? name : "");
  put(one("#watching p"), leaders[0] === "host" ? phrase("You are watching. To play, scan the code of your seat: the host has it under Phones.") : phrase("You are watching. To play, scan the code of your seat: the referee has it under Phones."));
  show(one("#watching"), leaders.length > 0 && me.role === "viewer" && token === "");
  changed();
}

async function learn() {
  const told = await ask("/me", {});
  if (told.ok) me = told;
  draw();
}

// A seat ends with the next game of other players, and another page may have taken it: asked anew when either may be so.
export function followPeople(snapshot) {
  const now = `${snapshot.game_id} ${snapshot.stage}`;
  if (now === seen || isFamily()) return;
  seen = now;
  learn();
}

// Referee or host

function signForm(leaders) {
  const office = el("select", { name: "office" }, ...leaders.map((each) => el("option", { value: each, text: ROLES[each] })));
  return el(
    "form",
    { autocomplete: "off", onsubmit: signIn },
    el("label", { class: "option", hidden: leaders.length < 2 }, el("span", { text: phrase("As") }), office),
    el("label", { class: "option" }, el("span", { text: phrase("PIN") }), el("input", { name: "pin", type: "password", inputmode: "numeric", maxlength: 12, required: true, autocomplete: "off" })),
    el("label", { class: "option" }, el("span", { text: phrase("Your name for the journal, if you like") }), el("input", { name: "name", maxlength: 40, autocomplete: "off" })),
    el("p", { class: "trouble", role: "alert" }),
    el("div", { class: "row" }, el("button", { class: "main", text: phrase("Sign in") }), el("button", { type: "button", class: "quiet", text: phrase("Close"), onclick: () => one("#sign").close() })),
  );
}

async function signIn(event) {
  event.preventDefault();
  const form = new FormData(event.target);
  const answer = await ask("/sign-in", { office: form.get("office"), pin: form.get("pin").trim(), name: form.get("name").trim() });
  put(one("#sign .trouble"), answer.ok ? "" : answer.text);
  if (!answer.ok) return;
  one("#sign").close();
  await learn();
}

async function leave() {
  one("#sign").close();
  await tell("/leave", {});
  await learn();
}

function openSign() {
  const dialog = one("#sign");
  const leaders = box.offices;
  const signed = leaders.includes(me.role);
  dialog.replaceChildren(
    el("h2", { id: "sign-title", text: signed ? SIGNED[me.role] : leaders.length > 1 ? phrase("{first} or {second}", { first: ROLES[leaders[0]], second: ROLES[leaders[1]] }) : ROLES[leaders[0]] }),
    signed
      ? el("div", { class: "row" }, el("button", { type: "button", class: "main", text: phrase("Sign out"), onclick: leave }), el("button", { type: "button", class: "quiet", text: phrase("Close"), onclick: () => dialog.close() }))
      : signForm(leaders),
    el("p", { class: "hint", text: phrase("PINs are set on the box itself, forgotten ones too: callbox pin.") }),
  );
  dialog.showModal();
}

// A player's seat, by its code

async function sit(pin) {
  const sat = await ask("/sit", { token, pin });
  const card = one("#seat");
  if (sat.ok) {
    token = "";
    seated(card, sat);
    await learn();
  } else if (sat.wants_pin) askPin(card, sat);
  else {
    token = "";
    show(card, false);
    notice(sat.text);
    draw();
  }
}

function seated(card, { player, pin }) {
  show(card, pin !== "");
  if (!pin) return;
  const [before, after] = phrase("Your PIN is {pin}. With it and the same code you come back on another phone.", { pin: "\n" }).split("\n");
  card.replaceChildren(
    el("h2", { id: "seat-title", text: phrase("{player}, this page is your seat", { player }) }),
    el("p", {}, before, el("b", { class: "pin", text: pin }), after),
    el("button", { type: "button", class: "main", text: phrase("Got it"), onclick: () => show(card, false) }),
  );
}

function askPin(card, { player, text }) {
  show(card, true);
  const send = (event) => {
    event.preventDefault();
    sit(new FormData(event.target).get("pin").trim());
  };
  card.replaceChildren(
    el("h2", { id: "seat-title", text: phrase("{player}’s seat", { player }) }),
    el("p", { role: "alert", text }),
    el(
      "form",
      { class: "row", autocomplete: "off", onsubmit: send },
      el("label", { class: "option" }, el("span", { text: phrase("PIN of the seat") }), el("input", { name: "pin", type: "password", inputmode: "numeric", maxlength: 4, required: true, autocomplete: "off" })),
      el("button", { class: "main", text: phrase("Take the seat over") }),
    ),
  );
}

// The code is used up, and leaves the address: nobody takes the seat by looking at it.
function takeCode() {
  token = new URLSearchParams(location.hash.slice(1)).get("seat") ?? "";
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  if (token) sit("");
}

export async function makePeople(onChange) {
  changed = onChange;
  refused = (path) => path !== "/me" && path !== "/sit" && learn();
  one("#open-sign").addEventListener("click", openSign);
  window.addEventListener("hashchange", takeCode);
  if (!(await identifyBox())) return;
  if (isFamily()) return takeCode();
  takeCode();
  await learn();
}
