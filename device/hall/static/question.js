// What waits at one table, as its box shows it: the question, its pictures, its answers. While it is open the desk
// asks the box again and again; once it is closed the box shows nothing more.
import { attr, el, keep, one, phrase, put, show } from "/static/dom.js";
import { FACES, faceWord, kindName } from "/static/drawings.js";
import { ask } from "/static/link.js";
import { openZoom } from "/static/zoom.js";
import { mayAnswer, openSign } from "./sign.js";

const AGAIN_MS = 2000;
const PATIENCE_MS = 40000; // the desk waits for the box, and says so sooner
const TITLES = { landing: phrase("To be decided"), dot: phrase("Is the dot covered?"), dice: phrase("What do the dice show?"), touched: phrase("Dice were touched") };
const VIEWS = { "close-up": phrase("From straight above, with the lines"), whole: phrase("The picture that was read"), rested: phrase("As they came to rest") };
const NOT_A_DIE = "none";

const view = { table: null, told: null, trouble: "", drawn: "", timer: 0, sending: false };
const dialog = () => one("#question");
const waits = () => view.told?.question ?? null;

// Pictures

function makePicture({ view: how, address, words }) {
  const image = el("img", { src: address, alt: words });
  image.addEventListener("error", () => put(one("figcaption", image.closest("figure")), phrase("This picture cannot be loaded. Open the question again to retry.")));
  return el("figure", {}, el("button", { type: "button", class: "quiet", "aria-label": phrase("Look closer: {picture}", { picture: VIEWS[how] }), onclick: () => openZoom(address, words) }, image), el("figcaption", { text: VIEWS[how] }));
}

function picturesOf(question) {
  const { id, name } = view.table;
  const of = encodeURIComponent(question.id);
  return question.pictures.map((each, place) => ({ view: each.view, address: `/tables/${id}/pictures/${place}.jpg?of=${of}`, words: phrase("{table}: {picture}", { table: name, picture: VIEWS[each.view] }) }));
}

// Answers

async function send(said) {
  if (view.sending) return;
  view.sending = true;
  attr(dialog(), "aria-busy", "true");
  const { table } = view;
  say("", true);
  const told = await ask("/answers", { table: table.id, ...said });
  view.sending = false;
  attr(dialog(), "aria-busy", null);
  if (view.table !== table) return;
  say(told.ok ? phrase("Done: {table} has taken it.", { table: table.name }) : told.text, told.ok);
  one("#question-title").focus({ preventScroll: true });
  look();
}

function say(text, ok) {
  const line = one(".done", dialog());
  put(line, text);
  attr(line, "data-ok", ok);
}

const makeAnswer = ({ of, choice, words, changes }) =>
  el("button", { type: "button", onclick: () => send({ question: of, choice, words }) }, el("b", { text: words }), changes && el("span", { text: changes }));

const faceOf = (kind, value) => `${kind} ${value}`;

function dieSelect({ kind, value }, faces, index) {
  const kinds = Object.keys(faces);
  const options = kinds.flatMap((each) => faces[each].map((face) => el("option", { value: faceOf(each, face), text: kinds.length > 1 ? `${kindName(each)}: ${faceWord(face)}` : faceWord(face) })));
  const select = el("select", { name: "die", required: true }, el("option", { value: "", text: phrase("choose") }), ...options, el("option", { value: NOT_A_DIE, text: phrase("not a die") }));
  select.value = value === null ? "" : faceOf(kind, value);
  return el("label", {}, el("span", { text: phrase("Die {number}", { number: index + 1 }) }), select);
}

function sendDice(event, question) {
  event.preventDefault();
  const said = new FormData(event.target).getAll("die").filter((each) => each !== NOT_A_DIE).map((each) => each.split(" "));
  const dice = said.map(([kind, face]) => ({ kind, value: FACES[kind].find((each) => String(each) === face) }));
  send({ question: question.id, dice });
}

function diceForm(question) {
  const { dice, faces, wanted } = question;
  const fields = el("div", { class: "dice" }, ...dice.map((die, index) => dieSelect(die, faces, index)));
  const more = () => fields.append(dieSelect({ kind: Object.keys(faces)[0], value: null }, faces, fields.childElementCount));
  return el(
    "form",
    { autocomplete: "off", onsubmit: (event) => sendDice(event, question) },
    wanted && el("p", { class: "hint", text: phrase("The game waits for {dice}.", { dice: wanted }) }),
    fields,
    el("div", { class: "row" }, el("button", { class: "main", text: phrase("Save correction") }), el("button", { type: "button", class: "quiet", text: phrase("Add a die"), onclick: more })),
  );
}

// Why nothing can be answered here, and what to do about it; "" where it can.
function whyNot(question) {
  if (!question) return "";
  if (question.kind === "touched") return phrase("This is settled at the table: ROLL DONE once more counts the dice as they lie now; or they are thrown again.");
  if (!view.told.takes_answers) return phrase("This box takes no answers from the desk: answer at the table. Its owner allows them with answers = true under [venue] in its callbox.toml.");
  return mayAnswer() ? "" : phrase("Who has the desk’s PIN may answer from here.");
}

// Drawing

export function drawQuestion() {
  const { table, told } = view;
  if (!table) return;
  const box = dialog();
  const question = waits();
  const title = question ? TITLES[question.kind] : told ? phrase("Nothing waits there") : phrase("The box is asked.");
  put(one("#question-title"), phrase("{table}: {title}", { table: table.name, title }));
  put(one(".text", box), view.trouble || question?.text || (told ? phrase("It was answered at the table, or thrown again.") : ""));
  attr(one(".text", box), "data-ok", !view.trouble);
  put(one(".measured", box), question?.measured ?? "");
  keep(one(".pictures", box), question ? picturesOf(question) : [], ({ address }) => address, makePicture);
  const why = view.trouble ? "" : whyNot(question);
  put(one(".why", box), why);
  show(one(".sign", box), Boolean(question && told.takes_answers && question.kind !== "touched" && !mayAnswer()));
  const offered = question && !why && !view.trouble ? question.answers : [];
  keep(one(".answers", box), offered.map((each) => ({ ...each, of: question.id })), ({ of, choice, words, changes }) => `${of} ${choice} ${words} ${changes}`, makeAnswer, (button, { likeliest }) => button.classList.toggle("main", likeliest));
  drawDice(one(".said", box), question, why);
}

// What somebody has set stays while the same question waits.
function drawDice(place, question, why) {
  const form = question?.kind === "dice" && !why && !view.trouble;
  const key = form ? question.id : "";
  if (place.dataset.of === key) return;
  place.dataset.of = key;
  place.replaceChildren(...(form ? [diceForm(question)] : []));
}

// Asking

async function look() {
  clearTimeout(view.timer);
  const { table } = view;
  if (!table) return;
  let said;
  try {
    said = await (await fetch(`/tables/${encodeURIComponent(table.id)}/question`, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) })).json();
  } catch {
    said = { ok: false, text: phrase("The desk does not answer.") };
  }
  if (view.table !== table) return;
  if (said.ok) view.told = said.told;
  view.trouble = said.ok ? "" : said.text;
  drawQuestion();
  clearTimeout(view.timer);
  view.timer = setTimeout(look, AGAIN_MS);
}

function stop() {
  clearTimeout(view.timer);
  Object.assign(view, { table: null, told: null, trouble: "" });
  one(".pictures", dialog()).replaceChildren();
}

function make(box) {
  box.append(
    el("h2", { id: "question-title", tabindex: "-1" }),
    el("p", { class: "text", role: "status" }),
    el("p", { class: "hint measured" }),
    el("div", { class: "pictures" }),
    el("p", { class: "why" }),
    el("button", { type: "button", class: "sign main", text: phrase("Sign in as referee"), hidden: true, onclick: openSign }),
    el("div", { class: "answers" }),
    el("div", { class: "said" }),
    el("p", { class: "done", role: "status" }),
    el("div", { class: "row" }, el("button", { type: "button", class: "quiet", text: phrase("Close"), onclick: () => box.close() })),
  );
  box.addEventListener("close", stop);
}

// Opens what waits at that table; `table` has `id` and `name`.
export function openQuestion(table) {
  const box = dialog();
  if (!box.firstElementChild) make(box);
  Object.assign(view, { table, told: null, trouble: "" });
  say("", true);
  drawQuestion();
  box.showModal();
  look();
}
