// Who this page is to the desk: somebody who looks, or a referee who gave the desk's PIN.
import { attr, el, one, phrase, put, show } from "/static/dom.js";
import { ask, identifyBox, notice } from "/static/link.js";

const me = { name: "", may: [] };
let changed = () => {};

export const mayAnswer = () => me.may.includes("judge");

function draw() {
  attr(document.body, "data-may", me.may.join(" "));
  put(one("#open-sign"), mayAnswer() ? phrase("Referee {name}", { name: me.name }).trim() : phrase("Referee"));
  changed();
}

async function learn() {
  const told = await ask("/me", {});
  if (told.ok) Object.assign(me, { name: told.name, may: told.may });
  draw();
}

async function signIn(event) {
  event.preventDefault();
  const form = new FormData(event.target);
  const said = await ask("/sign-in", { office: "referee", pin: form.get("pin").trim(), name: form.get("name").trim() });
  put(one("#sign .trouble"), said.ok ? "" : said.text);
  if (!said.ok) return;
  one("#sign").close();
  await learn();
}

async function leave() {
  one("#sign").close();
  const said = await ask("/leave", {});
  if (!said.ok) notice(said.text);
  await learn();
}

const closing = () => el("button", { type: "button", class: "quiet", text: phrase("Close"), onclick: () => one("#sign").close() });

function signForm() {
  return el(
    "form",
    { autocomplete: "off", onsubmit: signIn },
    el("label", {}, el("span", { text: phrase("PIN of the desk’s referee") }), el("input", { name: "pin", type: "password", inputmode: "numeric", maxlength: 12, required: true, autocomplete: "off" })),
    el("label", {}, el("span", { text: phrase("Your name, for the tables’ journals") }), el("input", { name: "name", maxlength: 40, required: true, autocomplete: "off" })),
    el("p", { class: "trouble", role: "alert" }),
    el("div", { class: "row" }, el("button", { class: "main", text: phrase("Sign in") }), closing()),
  );
}

export function openSign() {
  const dialog = one("#sign");
  const inside = mayAnswer()
    ? el("div", { class: "row" }, el("button", { type: "button", class: "main", text: phrase("Sign out"), onclick: leave }), closing())
    : signForm();
  dialog.replaceChildren(
    el("h2", { id: "sign-title", text: mayAnswer() ? phrase("Signed in as referee") : phrase("Referee") }),
    inside,
    el("p", { class: "hint", text: phrase("Set the PIN on the desk’s machine, or replace a forgotten one: callbox desk pin.") }),
  );
  dialog.showModal();
}

export async function makeSign(onChange) {
  changed = onChange;
  one("#open-sign").addEventListener("click", openSign);
  show(one("#open-sign"), true);
  draw();
  if (await identifyBox()) await learn();
}
