// The correction box: when the box is not sure, or was wrong, the players say what the dice show. Before that is done,
// it is said what it will change. A referee opens it for any roll of the game, with the picture that was read then.

import { attr, el, inWords, keep, one, put, show, svg } from "./dom.js";
import { FACES, diceOf, face, kindName } from "./faces.js";
import { foresee } from "./foresee.js";
import { throwDice } from "./hand.js";
import { phrase, phraseCount } from "./phrase.js";
import { tell } from "./post.js";
import { halfSize } from "./marks.js";
import { onReadingPicture } from "./table.js";

// `wants` says how many dice of each kind there should be: a number, or null for any.
const box = { open: "", asked: false, key: "", dice: [], wants: new Map(), table: null, wanted: "", picture: "", line: "", past: null, game: null, look: () => {} };
let serial = 0;

const newDie = (kind, value, center) => ({ id: (serial += 1), kind, value, center });

const counted = (dice, kind) => dice.filter((die) => die.kind === kind).length;

// The dice of the roll that is corrected, as (kind, value).
const thrown = (snapshot) => box.past?.dice ?? snapshot.game.last_dice;

function wantsNow(snapshot, how) {
  const { wanted_kind, wanted_count, wanted_more } = snapshot.game;
  if (how === "asked") return new Map([[wanted_kind || "pip", wanted_count], ...wanted_more.map(([kind, count]) => [kind, count || null])]);
  const dice = thrown(snapshot);
  return new Map(dice.map(([kind]) => [kind, dice.filter(([other]) => other === kind).length]));
}

// The kind of a die that nobody has named yet: one that is still missing, else the game's first.
function likelyKind(dice) {
  for (const [kind, count] of box.wants) if (count !== null && counted(dice, kind) < count) return kind;
  return box.wants.keys().next().value;
}

// What the box takes the dice for: the pending reading, or the last roll that counted.
function proposed(snapshot) {
  const { table } = snapshot;
  if (box.open === "asked") {
    const dice = table.dice.filter((die) => box.wants.has(die.kind)).map((die) => newDie(die.kind, die.value, die.center));
    for (const { value, center } of [...table.dice.filter((die) => !box.wants.has(die.kind)), ...table.unsure]) {
      const kind = likelyKind(dice);
      dice.push(newDie(kind, FACES[kind].includes(value) ? value : null, center));
    }
    return dice.sort((a, b) => a.center[0] - b.center[0]);
  }
  const dice = thrown(snapshot);
  const lies = (die, [kind, value]) => die.kind === kind && die.value === value;
  const newest = !box.past || box.past.reading === table.reading_id;
  const same = newest && table.dice.length === dice.length && table.dice.every((die, index) => lies(die, dice[index]));
  return dice.map(([kind, value], index) => newDie(kind, value, same ? table.dice[index].center : null));
}

function crop(die) {
  if (!die.center || !box.picture || !box.table.width) return el("span", { class: "crop none", "aria-hidden": "true" });
  const half = halfSize(box.table) * 1.5;
  const [x, y] = die.center;
  return svg(
    "svg",
    { class: "crop", viewBox: `${x - half} ${y - half} ${2 * half} ${2 * half}`, "aria-hidden": "true" },
    svg("image", { href: box.picture, x: -0.5, y: -0.5, width: box.table.width, height: box.table.height, preserveAspectRatio: "none" }),
  );
}

function faceChoice(die, value) {
  const input = el("input", {
    type: "radio",
    name: `die${die.id}`,
    value: String(value),
    autocomplete: "off",
    onchange: () => {
      die.value = value;
      changed();
    },
  });
  input.checked = die.value === value;
  return el("label", { class: "choice" }, input, face(die.kind, value));
}

// The picture may come while somebody is setting faces: only what it shows changes then, no button under a finger.
function drawCrop(node, die) {
  const picture = die.center ? box.picture : "";
  if (node.dataset.picture === picture) return;
  node.dataset.picture = picture;
  one(".crop", node).replaceWith(crop(die));
}

function makeDie(die) {
  const legend = el("legend");
  const kinds = box.wants.size > 1 ? kindChoice(die) : null;
  const remove = el("button", { type: "button", class: "quiet", text: phrase("Not a die"), onclick: () => { box.dice = box.dice.filter((each) => each !== die); changed(); one("#correct .add").focus(); } });
  // Where one die was thrown and others lie beside it, one touch says which.
  const only = el("button", { type: "button", class: "quiet only", text: phrase("Only this one"), onclick: () => { box.dice = [die]; changed(); one("#correct-title").focus(); } });
  return el("fieldset", { class: "die" }, legend, el("span", { class: "crop" }), el("div", { class: "choices" }, ...FACES[die.kind].map((value) => faceChoice(die, value))), el("div", { class: "row" }, kinds, remove, only));
}

// Where dice of several kinds are thrown together, each may have been taken for another.
function kindChoice(die) {
  const change = (event) => {
    die.kind = event.target.value;
    if (!FACES[die.kind].includes(die.value)) die.value = null;
    changed();
    one(`#correct [data-die="${die.id}"]`).focus();
  };
  const options = [...box.wants.keys()].map((kind) => el("option", { value: kind, text: kindName(kind), selected: kind === die.kind }));
  return el("select", { "aria-label": phrase("Kind of die"), "data-die": die.id, autocomplete: "off", onchange: change }, ...options);
}

// What is wrong with the dice as they stand, in sentences.
function wrongWords() {
  const wrong = [...box.wants].some(([kind, count]) => count !== null && counted(box.dice, kind) !== count);
  const open = box.dice.filter((die) => die.value === null).length;
  const kinds = [...box.wants.keys()].filter((kind) => counted(box.dice, kind));
  const here = box.wants.size > 1 && kinds.length ? inWords(kinds.map((kind) => diceOf(kind, counted(box.dice, kind)))) : String(box.dice.length);
  const words = [];
  if (wrong) words.push(phraseCount("The game wants {wanted}; here is one.", "The game wants {wanted}; here are {dice}.", box.dice.length, { wanted: box.wanted, dice: here }));
  if (open) words.push(phraseCount("One die still has no face.", "{count} dice still have no face.", open));
  return words.join(" ");
}

function drawDice() {
  const section = one("#correct");
  keep(one(".dice", section), box.dice, (die) => `${die.id}${die.kind}`, makeDie, (node, die, index) => {
    drawCrop(node, die);
    put(one("legend", node), die.value === null ? phrase("Die {number}: what does it show?", { number: index + 1 }) : phrase("Die {number}", { number: index + 1 }));
    node.classList.toggle("open", die.value === null);
    show(one(".only", node), [...box.wants.values()].join() === "1" && box.dice.length > 1);
  });
  put(one(".check-words", section), wrongWords());
  one(".confirm", section).disabled = !isWhole();
}

const isWhole = () => box.dice.length > 0 && box.dice.every((die) => die.value !== null);

const said = () => ({ dice: box.dice.map(({ kind, value }) => ({ kind, value })), reason: one("#correct [name=reason]").value.trim(), roll: box.past?.roll ?? 0 });

// Somebody has touched a die: what that would change is told.
function changed() {
  drawDice();
  foresee(one("#correct .foresight"), "/correct/preview", isWhole() ? said() : null);
}

async function confirm(event) {
  event.preventDefault();
  const answer = await tell("/correct", said());
  if (answer.ok) close();
}

function close() {
  const section = one("#correct");
  if (section.contains(document.activeElement)) one("#play").focus({ preventScroll: true });
  box.open = "";
  foresee(one(".foresight", section), "", null);
  show(section, false);
}

function skeleton(section) {
  section.append(
    el("h2", { id: "correct-title", tabindex: "-1" }),
    el("p", { class: "why" }),
    el(
      "form",
      { autocomplete: "off", onsubmit: confirm },
      el("button", { type: "button", class: "whole", hidden: true, onclick: () => box.look(one(".whole img").getAttribute("src"), titleNow(box.open)) }, el("img", { alt: "", onerror: hideWhole })),
      el("div", { class: "dice" }),
      el("p", { class: "check-words", role: "status" }),
      el("p", { class: "foresight", role: "status" }),
      el("div", { class: "row" },
        el("button", { type: "button", class: "quiet add", text: phrase("Add a die"), onclick: () => { box.dice.push(newDie(likelyKind(box.dice), null, null)); changed(); } }),
        el("label", { class: "grow" }, `${phrase("Why, if you like")} `, el("input", { name: "reason", maxlength: 200, autocomplete: "off" })),
      ),
      el("div", { class: "row" },
        el("button", { class: "main confirm", text: phrase("This is what they show") }),
        el("button", { type: "button", class: "quiet again", text: phrase("Throw again") }),
        el("button", { type: "button", class: "quiet cancel", text: phrase("Leave it as it was"), onclick: close }),
      ),
    ),
  );
  onReadingPicture((url) => {
    box.picture = url;
    if (box.open) drawDice();
  });
}

// Where the dice lay on an older picture is not known any more: it is shown whole.
function drawWhole(section, snapshot) {
  const { reading } = box.past ?? { reading: 0 };
  const whole = reading > 0 && box.dice.every((die) => die.center === null);
  const image = one(".whole img", section);
  attr(image, "src", whole ? `reading/${reading}.jpg?of=${encodeURIComponent(`${snapshot.game_id}/${reading}`)}` : null);
  attr(image, "alt", whole ? phrase("Look closer at throw {number}", { number: box.past.throw }) : "");
  show(image.parentElement, whole);
  attr(section, "data-older", whole || null);
}

// It is not kept any more.
function hideWhole() {
  show(one("#correct .whole"), false);
  attr(one("#correct"), "data-older", null);
}

function titleNow(how) {
  if (how === "asked") return phrase("What do the dice show?");
  return box.past ? phrase("Correct throw {number}, {player}", { number: box.past.throw, player: box.past.player }) : phrase("Correct the last roll");
}

function fresh(snapshot, how, past = null) {
  const section = one("#correct");
  if (!section.firstElementChild) skeleton(section);
  box.open = how;
  box.past = past;
  box.table = snapshot.table;
  box.wants = wantsNow(snapshot, how);
  box.wanted = how === "asked" ? snapshot.game.wanted : inWords([...box.wants].map(([kind, count]) => diceOf(kind, count)));
  box.dice = proposed(snapshot);
  box.key = keyOf(snapshot);
  box.game = snapshot.game_id;
  foresee(one(".foresight", section), "", null);
  put(one("#correct-title"), titleNow(how));
  put(one(".why", section), how === "asked" ? phrase("The box is not sure, and never guesses. Say what lies there, or throw again.") : phrase("Set the faces as they really were; all that followed is scored again."));
  one("[name=reason]", section).value = "";
  show(one(".again", section), how === "asked");
  show(one(".cancel", section), how === "by hand");
  one(".again", section).onclick = () => (snapshot.simulated ? throwDice() : close());
  show(section, true);
  drawWhole(section, snapshot);
  drawDice();
}

const keyOf = (snapshot) => JSON.stringify([snapshot.game_id, snapshot.table.reading_id, snapshot.game?.last_dice ?? []]);

export function openByHand(snapshot) {
  if (!snapshot?.game?.last_dice.length) return;
  fresh(snapshot, "by hand");
  one("#correct-title").focus();
}

// Opens the form on a throw of the referee's log; `look` shows a picture closer, given its address and what it is of.
export function openPast(past, snapshot, look) {
  if (!snapshot?.game) return;
  box.look = look;
  fresh(snapshot, "by hand", past);
  one("#correct-title").focus();
}

// Whether what the form is of has changed since; a throw of the log is held against the log.
function hasMoved(snapshot, throws) {
  if (!box.past || !box.open) return box.key !== keyOf(snapshot);
  const now = throws.find((each) => each.throw === box.past.throw);
  return box.game !== snapshot.game_id || (now !== undefined && (now.roll !== box.past.roll || now.words !== box.past.words));
}

export function drawCorrect(snapshot, throws = []) {
  const asked = snapshot.ask === "correct" && snapshot.game !== null;
  const moved = hasMoved(snapshot, throws);
  if (asked && (!box.asked || moved)) fresh(snapshot, "asked");
  else if (!asked && (box.open === "asked" || (box.open && moved))) close();
  box.asked = asked;
  const line = snapshot.game?.line ?? "";
  if (box.open && box.line !== line && one("#correct .foresight").textContent) changed(); // the game has moved on since
  box.line = line;
  attr(document.body, "data-ask", snapshot.ask || null);
}
