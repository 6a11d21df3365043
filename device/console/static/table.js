// The picture of the table: what was read on it, what is corrected, and the simulated table's hand.

import { attr, el, inWords, keep, one, phrase, phraseCount, put, show, svg } from "./dom.js";
import { FACES, correctionOf, cutOut, diceOf, drawStamp, face, faceWord, kindName, outlined, overlay, seenDice } from "./drawings.js";
import { ask, isLinked, tell } from "./link.js";

// The mat's places, drawn on the live picture, and in words what lies in them.

let drawn_places = "";

// The mat itself is lettered: only a place where something may not lie is named once more.
function outline(place, high) {
  const points = place.corners.map(([x, y]) => `${x},${y}`).join(" ");
  const x = Math.min(...place.corners.map((corner) => corner[0]));
  const y = Math.max(...place.corners.map((corner) => corner[1]));
  const name = place.wrong ? svg("text", { x: x + high * 0.4, y: y - high * 0.4, "font-size": high, text: place.label }) : null;
  return svg("g", { class: place.wrong ? "place wrong" : "place" }, svg("polygon", { points }), name);
}

function mat(places) {
  const node = svg("svg", { class: "mat", viewBox: `-0.5 -0.5 ${places.width} ${places.height}`, "aria-hidden": "true" });
  node.append(...places.places.map((place) => outline(place, places.width / 52)));
  return node;
}

function listPlaces(places) {
  if (places.trouble) return places.trouble;
  const full = places.places.filter((place) => place.lies.length && place.kind !== "roll");
  const told = (place) => ({ place: place.label, dice: place.lies.join(", ") });
  const lies = full.map((place) => (place.wrong ? phrase("{place}: {dice} (may not lie there)", told(place)) : phrase("{place}: {dice}", told(place))));
  const all = lies.length ? `${lies.join("; ")}.` : phrase("Nothing is set aside.");
  return `${places.title}. ${all}`;
}

export function drawPlaces(snapshot) {
  const { places } = snapshot;
  const now = JSON.stringify(places);
  if (now === drawn_places) return;
  drawn_places = now;
  const glass = one("#live .glass");
  one(".mat", glass)?.remove();
  if (places?.places.length) glass.append(mat(places));
  let words = one("#places");
  if (!words) {
    words = el("p", { id: "places", class: "hint" });
    one("#table").append(words);
  }
  show(words, Boolean(places));
  put(words, places ? listPlaces(places) : "");
  words.classList.toggle("bad", Boolean(places?.trouble));
}

// The camera's picture as it is now, and beside it the very picture that was read, with what was read drawn on it.

const AWAY_MS = 200; // how soon it is seen that somebody looks again
const NONE_MS = 1000;

const STATES = {
  moving: phrase("dice are moving"),
  hand: phrase("a hand is in the picture: waiting"),
  still: phrase("the table is still"),
  "no picture": phrase("no picture"),
};

const reading = { key: "", url: "", of: "" }; // `of`: the key that the picture belongs to
let looking = false; // some of the live picture is on somebody's screen
let outlines_fit = false; // nothing has moved since the reading, so its outlines fit the live picture too
let listeners = [];

const unsureInWords = (table) => [...new Set(table.unsure.map((place) => place.reason))].join("; ");

function readingInWords(table) {
  const sure = table.dice.map((die) => faceWord(die.value)).join(", ");
  const unsure = unsureInWords(table);
  const told = { dice: sure || phrase("no dice"), unsure };
  return unsure ? phrase("Read: {dice}; not sure: {unsure}", told) : phrase("Read: {dice}", told);
}

function setOverlay(figure, table) {
  const glass = one(".glass", figure);
  one(".overlay", glass)?.remove();
  if (table?.width) glass.append(overlay(table));
}

function setPicture(figure, url) {
  const image = one("img", figure);
  if (url) image.src = url;
  else image.removeAttribute("src");
  figure.classList.toggle("empty", !url);
}

function setShape(table) {
  if (!table.width) return;
  for (const glass of document.querySelectorAll("#table .glass")) glass.style.aspectRatio = `${table.width} / ${table.height}`;
}

// Before anything was read, the picture itself says how it is shaped: two cameras' pictures are twice as high.
function setLiveShape(image) {
  const { naturalWidth, naturalHeight } = image;
  if (naturalWidth) one("#live .glass").style.aspectRatio = `${naturalWidth} / ${naturalHeight}`;
}

async function fetchReading(id, key) {
  reading.key = key;
  let url = "";
  if (id) {
    const response = await fetch(`reading/${id}.jpg?of=${encodeURIComponent(key)}`, { cache: "no-store" }).catch(() => null);
    if (response?.ok) url = URL.createObjectURL(await response.blob());
  }
  if (reading.key !== key) return URL.revokeObjectURL(url); // a newer reading came meanwhile
  const old = reading.url;
  Object.assign(reading, { url, of: key });
  setPicture(one("#read"), url);
  for (const listener of listeners) listener(url);
  if (old) URL.revokeObjectURL(old);
}

const readingKey = ({ game_id, table }) => `${game_id}/${table.reading_id}/${table.picture}`;

// The address of the picture that this snapshot's dice were read in; "" until it has come, and where it is not kept.
export const pictureRead = (snapshot) => (reading.of === readingKey(snapshot) ? reading.url : "");

// Calls back with the address of the picture that was read, now and whenever another one is.
export function onReadingPicture(listener) {
  listeners.push(listener);
  listener(reading.url);
}

async function look() {
  let wait_ms = AWAY_MS;
  if (looking && isLinked() && !document.hidden) wait_ms = await newest();
  setTimeout(look, wait_ms);
}

const live = { etag: "", url: "" };

async function newest() {
  const headers = live.etag ? { "if-none-match": live.etag } : {};
  try {
    const response = await fetch("picture.jpg", { cache: "no-store", headers });
    const wait_ms = Number(response.headers.get("callbox-next-ms")) || NONE_MS; // the more look, the seldomer each
    const picture = await response.blob(); // also where it is empty: a browser cancels an answer that nobody reads
    if (response.status === 304) return wait_ms;
    if (response.status !== 200) {
      setPicture(one("#live"), "");
      return NONE_MS;
    }
    live.etag = response.headers.get("etag") ?? "";
    const old = live.url;
    live.url = URL.createObjectURL(picture);
    setPicture(one("#live"), live.url);
    await one("#live img").decode().catch(() => {});
    setLiveShape(one("#live img"));
    if (old) URL.revokeObjectURL(old);
    return wait_ms;
  } catch {
    return NONE_MS;
  }
}

export function makeTable() {
  const section = one("#table");
  const views = one(".views", section);
  for (const [name, text] of [["live", phrase("Now")], ["read", phrase("As read")]]) {
    const choose = () => {
      section.dataset.view = name;
      for (const button of views.children) attr(button, "aria-pressed", button.dataset.view === name);
    };
    views.append(el("button", { type: "button", class: "quiet", "data-view": name, text, onclick: choose }));
    if (name === "live") choose();
  }
  one("#no-hand").addEventListener("click", () => tell("/no-hand", {}));
  one("#live").classList.add("empty");
  one("#read").classList.add("empty");
  new IntersectionObserver((entries) => (looking = entries.at(-1).isIntersecting)).observe(one("#live"));
  look();
}

export function drawTable(snapshot) {
  const { table } = snapshot;
  const key = readingKey(snapshot);
  const another = key !== reading.key;
  if (another) {
    fetchReading(table.reading_id, key);
    setShape(table);
    setOverlay(one("#read"), table);
    const figure = one("#read");
    const unsure = unsureInWords(table);
    put(one("figcaption", figure), unsure ? phrase("As it was read. Not sure (?): {unsure}", { unsure }) : phrase("As it was read"));
    attr(one("img", figure), "alt", table.reading_id ? `${phrase("The picture that was read.")} ${readingInWords(table)}` : "");
  }
  // Of a game that was resumed the dice are known, and no picture of them.
  const gone = table.reading_id ? reading.of === key : Boolean(snapshot.game?.last_roll.length);
  put(one("#read .none"), gone ? phrase("This picture is not kept") : phrase("Nothing read yet"));
  const was_fresh = outlines_fit;
  const corrected = correctionOf(snapshot);
  drawStamp(one("#read"), corrected);
  outlines_fit = table.fresh && table.reading_id > 0 && corrected === "";
  if (another || was_fresh !== outlines_fit) setOverlay(one("#live"), outlines_fit ? table : null);
  put(one("#state"), STATES[table.state] ?? table.state);
  attr(one("#state"), "data-state", table.state);
  show(one("#no-hand"), table.doubtful_hand);
  drawPlaces(snapshot);
  show(one("#table"), snapshot.stage !== "waiting");
}

// Dice that a hand touched after they came to rest: both pictures beside each other, the dice outlined in each.

const ASPECT = 4 / 3;
const AROUND = 4; // so many dice wide is what is shown on each side of the touched ones

let drawn_touched = "";

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
  if (key === drawn_touched) return;
  drawn_touched = key;
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

// Before something is done, the sentence of what it will change: asked for once nothing more was touched for a moment.

const AFTER_MS = 250; // after the last touch

const asking = new WeakMap(); // what each line waits for now

// Puts into `line` what posting `body` to `path` says; null: there is nothing to ask yet.
export function foresee(line, path, body) {
  const mine = {};
  asking.set(line, mine);
  if (body === null) return put(line, "");
  setTimeout(async () => {
    if (asking.get(line) !== mine) return; // touched again, or closed
    const answer = await ask(path, body);
    if (asking.get(line) !== mine) return;
    put(line, answer.text);
    attr(line, "data-ok", answer.ok);
  }, AFTER_MS);
}

// The simulated table's own box: a hand that throws, and some mischief to see what the box makes of it.

const BEGINS_MS = 8000; // so soon at the latest the box says that the hand moves: to plan a throw takes a busy machine long

const hand = { busy: false, sent: -BEGINS_MS };

// From the press on until the box has seen what came of it.
export const isHandBusy = () => hand.busy || performance.now() < hand.sent + BEGINS_MS;

export function followHand(snapshot) {
  if (snapshot.hand_busy) hand.sent = -BEGINS_MS;
  hand.busy = snapshot.hand_busy;
}

// One thing after the other: a second press while the hand is at work means nothing.
export async function useHand(ask_box) {
  if (isHandBusy()) return;
  hand.sent = performance.now();
  setTimeout(() => redraw(), BEGINS_MS);
  redraw();
  const answer = await ask_box();
  if (!answer.ok || answer.by_word) hand.sent = -BEGINS_MS; // then it moves nothing
  redraw();
}

const act = (name) => useHand(() => tell("/hand/acts", { act: name }));

export function throwDice() {
  const thrown = act("throw");
  one("#live").scrollIntoView({ block: "nearest" }); // the dice are to be seen rolling
  return thrown;
}

const button = (each) => el("button", { type: "button", "data-act": each.name, class: "quiet", text: each.words, onclick: () => act(each.name) });

let redraw = () => {};

// `onChange` draws the page anew: a press shows at once.
export function makeHand(onChange) {
  redraw = onChange;
  one("#hand").append(
    el("h2", { id: "hand-title", text: phrase("Simulated table") }),
    el("p", { class: "hint", text: phrase("Here you are the players' hand. The box knows only what its camera sees.") }),
    el("details", {}, el("summary", { text: phrase("Test cases") }), el("div", { class: "acts" })),
  );
}

// What the hand can do depends on the table: a tray, or an End Zone.
export function drawHand(snapshot) {
  const section = one("#hand");
  attr(document.body, "data-hand", snapshot.simulated ? "" : null);
  show(section, snapshot.simulated && snapshot.stage !== "lobby");
  const others = snapshot.acts.filter((each) => each.name !== "throw");
  keep(one(".acts", section), others, (each) => `${each.name} ${each.words}`, button, (node) => attr(node, "aria-disabled", isHandBusy() ? true : null));
}

// The correction box: when the box is not sure, or was wrong, the players say what the dice show. Before that is done,
// it is said what it will change. A referee opens it for any roll of the game, with the picture that was read then.

// `wants` says how many dice of each kind there should be: a number, or null for any.
const correction = { open: "", asked: false, key: "", dice: [], wants: new Map(), table: null, wanted: "", picture: "", line: "", past: null, game: null, look: () => {} };
let serial = 0;

const newDie = (kind, value, center) => ({ id: (serial += 1), kind, value, center });

const counted = (dice, kind) => dice.filter((die) => die.kind === kind).length;

// The dice of the roll that is corrected, as (kind, value).
const thrown = (snapshot) => correction.past?.dice ?? snapshot.game.last_dice;

function wantsNow(snapshot, how) {
  const { wanted_kind, wanted_count, wanted_more } = snapshot.game;
  if (how === "asked") return new Map([[wanted_kind || "pip", wanted_count], ...wanted_more.map(([kind, count]) => [kind, count || null])]);
  const dice = thrown(snapshot);
  return new Map(dice.map(([kind]) => [kind, dice.filter(([other]) => other === kind).length]));
}

// The kind of a die that nobody has named yet: one that is still missing, else the game's first.
function likelyKind(dice) {
  for (const [kind, count] of correction.wants) if (count !== null && counted(dice, kind) < count) return kind;
  return correction.wants.keys().next().value;
}

// What the box takes the dice for: the pending reading, or the last roll that counted.
function proposed(snapshot) {
  const { table } = snapshot;
  if (correction.open === "asked") {
    const dice = table.dice.filter((die) => correction.wants.has(die.kind)).map((die) => newDie(die.kind, die.value, die.center));
    for (const { value, center } of [...table.dice.filter((die) => !correction.wants.has(die.kind)), ...table.unsure]) {
      const kind = likelyKind(dice);
      dice.push(newDie(kind, FACES[kind].includes(value) ? value : null, center));
    }
    return dice.sort((a, b) => a.center[0] - b.center[0]);
  }
  const dice = thrown(snapshot);
  const newest = !correction.past || correction.past.reading === table.reading_id;
  const seen = newest ? seenDice(table, dice) : null;
  return dice.map(([kind, value], index) => newDie(kind, value, seen ? seen[index].center : null));
}

function crop(die) {
  if (!die.center || !correction.picture || !correction.table.width) return el("span", { class: "crop none", "aria-hidden": "true" });
  return cutOut(die, correction.table, correction.picture, { "aria-hidden": "true" });
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
  const picture = die.center ? correction.picture : "";
  if (node.dataset.picture === picture) return;
  node.dataset.picture = picture;
  one(".crop", node).replaceWith(crop(die));
}

function makeDie(die) {
  const legend = el("legend");
  const kinds = correction.wants.size > 1 ? kindChoice(die) : null;
  const remove = el("button", { type: "button", class: "quiet", text: phrase("Not a die"), onclick: () => { correction.dice = correction.dice.filter((each) => each !== die); changed(); one("#correct .add").focus(); } });
  // Where one die was thrown and others lie beside it, one touch says which.
  const only = el("button", { type: "button", class: "quiet only", text: phrase("Only this one"), onclick: () => { correction.dice = [die]; changed(); one("#correct-title").focus(); } });
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
  const options = [...correction.wants.keys()].map((kind) => el("option", { value: kind, text: kindName(kind), selected: kind === die.kind }));
  return el("select", { "aria-label": phrase("Kind of die"), "data-die": die.id, autocomplete: "off", onchange: change }, ...options);
}

// What is wrong with the dice as they stand, in sentences.
function wrongWords() {
  const wrong = [...correction.wants].some(([kind, count]) => count !== null && counted(correction.dice, kind) !== count);
  const open = correction.dice.filter((die) => die.value === null).length;
  const kinds = [...correction.wants.keys()].filter((kind) => counted(correction.dice, kind));
  const here = correction.wants.size > 1 && kinds.length ? inWords(kinds.map((kind) => diceOf(kind, counted(correction.dice, kind)))) : String(correction.dice.length);
  const words = [];
  if (wrong) words.push(phraseCount("The game wants {wanted}; here is one.", "The game wants {wanted}; here are {dice}.", correction.dice.length, { wanted: correction.wanted, dice: here }));
  if (open) words.push(phraseCount("One die still has no face.", "{count} dice still have no face.", open));
  return words.join(" ");
}

function drawDice() {
  const section = one("#correct");
  keep(one(".dice", section), correction.dice, (die) => `${die.id}${die.kind}`, makeDie, (node, die, index) => {
    drawCrop(node, die);
    put(one("legend", node), die.value === null ? phrase("Die {number}: what does it show?", { number: index + 1 }) : phrase("Die {number}", { number: index + 1 }));
    node.classList.toggle("open", die.value === null);
    show(one(".only", node), [...correction.wants.values()].join() === "1" && correction.dice.length > 1);
  });
  put(one(".check-words", section), wrongWords());
  one(".confirm", section).disabled = !isWhole();
}

const isWhole = () => correction.dice.length > 0 && correction.dice.every((die) => die.value !== null);

const said = () => ({ dice: correction.dice.map(({ kind, value }) => ({ kind, value })), reason: one("#correct [name=reason]").value.trim(), roll: correction.past?.roll ?? 0 });

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
  correction.open = "";
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
      el("button", { type: "button", class: "whole", hidden: true, onclick: () => correction.look(one(".whole img").getAttribute("src"), titleNow(correction.open)) }, el("img", { alt: "", onerror: hideWhole })),
      el("div", { class: "dice" }),
      el("p", { class: "check-words", role: "status" }),
      el("p", { class: "foresight", role: "status" }),
      el("div", { class: "row" },
        el("button", { type: "button", class: "quiet add", text: phrase("Add a die"), onclick: () => { correction.dice.push(newDie(likelyKind(correction.dice), null, null)); changed(); } }),
        el("label", { class: "grow" }, `${phrase("Why, if you like")} `, el("input", { name: "reason", maxlength: 200, autocomplete: "off" })),
      ),
      el("div", { class: "row" },
        el("button", { class: "main confirm", text: phrase("Save correction") }),
        el("button", { type: "button", class: "quiet again", text: phrase("Throw again") }),
        el("button", { type: "button", class: "quiet cancel", text: phrase("Cancel"), onclick: close }),
      ),
    ),
  );
  onReadingPicture((url) => {
    correction.picture = url;
    if (correction.open) drawDice();
  });
}

// Where the dice lay on an older picture is not known any more: it is shown whole.
function drawWhole(section, snapshot) {
  const { reading } = correction.past ?? { reading: 0 };
  const whole = reading > 0 && correction.dice.every((die) => die.center === null);
  const image = one(".whole img", section);
  attr(image, "src", whole ? `reading/${reading}.jpg?of=${encodeURIComponent(`${snapshot.game_id}/${reading}`)}` : null);
  attr(image, "alt", whole ? phrase("Look closer at throw {number}", { number: correction.past.throw }) : "");
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
  return correction.past ? phrase("Correct throw {number}, {player}", { number: correction.past.throw, player: correction.past.player }) : phrase("Correct the last roll");
}

function begin(snapshot, how, past = null) {
  const section = one("#correct");
  if (!section.firstElementChild) skeleton(section);
  correction.open = how;
  correction.past = past;
  correction.table = snapshot.table;
  correction.wants = wantsNow(snapshot, how);
  correction.wanted = how === "asked" ? snapshot.game.wanted : inWords([...correction.wants].map(([kind, count]) => diceOf(kind, count)));
  correction.dice = proposed(snapshot);
  correction.key = keyOf(snapshot);
  correction.game = snapshot.game_id;
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
  begin(snapshot, "by hand");
  one("#correct-title").focus();
}

// Opens the form on a throw of the referee's log; `look` shows a picture closer, given its address and what it is of.
export function openPast(past, snapshot, look) {
  if (!snapshot?.game) return;
  correction.look = look;
  begin(snapshot, "by hand", past);
  one("#correct-title").focus();
}

// Whether what the form is of has changed since; a throw of the log is held against the log.
function hasMoved(snapshot, throws) {
  if (!correction.past || !correction.open) return correction.key !== keyOf(snapshot);
  const now = throws.find((each) => each.throw === correction.past.throw);
  return correction.game !== snapshot.game_id || (now !== undefined && (now.roll !== correction.past.roll || now.words !== correction.past.words));
}

export function drawCorrect(snapshot, throws = []) {
  const asked = snapshot.ask === "correct" && snapshot.game !== null;
  const moved = hasMoved(snapshot, throws);
  if (asked && (!correction.asked || moved)) begin(snapshot, "asked");
  else if (!asked && (correction.open === "asked" || (correction.open && moved))) close();
  correction.asked = asked;
  const line = snapshot.game?.line ?? "";
  if (correction.open && correction.line !== line && one("#correct .foresight").textContent) changed(); // the game has moved on since
  correction.line = line;
  attr(document.body, "data-ask", snapshot.ask || null);
}
