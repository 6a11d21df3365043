// Who this page is to the box, and what it may do: watch, play from a seat, or lead as referee or host.

import { attr, el, one, put, show } from "./dom.js";
import { phrase } from "./phrase.js";
import { ask, notice, tell, whenRefused } from "./post.js";
import { known, officesNow, tableNow } from "./seal.js";

const ROLES = { referee: phrase("Referee"), host: phrase("Host"), player: phrase("Player"), viewer: phrase("Viewer"), table: phrase("Table") };
const SIGNED = { referee: phrase("Signed in as referee"), host: phrase("Signed in as host") };

const FAMILY = { role: "table", name: "", may: ["bet", "play", "hand", "judge", "lead", "seat", "setup"] };

let me = FAMILY;
let seen = "";
let changed = () => {};
let token = ""; // of the seat whose code was scanned, while it is being taken

export const may = (deed) => me.may.includes(deed);
export const isFamily = () => tableNow() === "family";
export const seatOf = () => (me.role === "player" ? me.name : "");

function draw() {
  const leaders = officesNow();
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

// A seat ends with its game, and another page may have taken it: asked anew when either may be so.
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
  const leaders = officesNow();
  const signed = leaders.includes(me.role);
  dialog.replaceChildren(
    el("h2", { id: "sign-title", text: signed ? SIGNED[me.role] : leaders.length > 1 ? phrase("{first} or {second}", { first: ROLES[leaders[0]], second: ROLES[leaders[1]] }) : ROLES[leaders[0]] }),
    signed
      ? el("div", { class: "row" }, el("button", { type: "button", class: "main", text: phrase("Sign out"), onclick: leave }), el("button", { type: "button", class: "quiet", text: phrase("Close"), onclick: () => dialog.close() }))
      : signForm(leaders),
    el("p", { class: "hint", text: phrase("PINs are set on the box itself, a forgotten one anew: callbox pin.") }),
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
  whenRefused((path) => path !== "/me" && path !== "/sit" && learn());
  one("#open-sign").addEventListener("click", openSign);
  window.addEventListener("hashchange", takeCode);
  if (!(await known())) return;
  if (isFamily()) return takeCode();
  takeCode();
  await learn();
}
