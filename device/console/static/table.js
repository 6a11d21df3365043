// The camera's picture as it is now, and beside it the very picture that was read, with what was read drawn on it.

import { attr, el, one, put, show } from "./dom.js";
import { faceWord } from "./faces.js";
import { overlay } from "./marks.js";
import { phrase } from "./phrase.js";
import { drawPlaces } from "./places.js";
import { tell } from "./post.js";

const AWAY_MS = 200; // how soon it is seen that somebody looks again
const NONE_MS = 1000;

const STATES = {
  moving: phrase("dice are moving"),
  hand: phrase("a hand is in the picture: waiting"),
  still: phrase("the table is still"),
  "no picture": phrase("no picture"),
};

const reading = { id: 0, key: "", url: "" };
let looking = false; // some of the live picture is on somebody's screen
let linked = false;
let fresh = false; // nothing has moved since the reading, so its outlines fit the live picture too
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
  reading.id = id;
  reading.key = key;
  let url = "";
  if (id) {
    const response = await fetch(`reading/${id}.jpg`, { cache: "no-store" }).catch(() => null);
    if (response?.ok) url = URL.createObjectURL(await response.blob());
  }
  if (reading.key !== key) return URL.revokeObjectURL(url); // a newer reading came meanwhile
  const old = reading.url;
  reading.url = url;
  setPicture(one("#read"), url);
  for (const listener of listeners) listener(url);
  if (old) URL.revokeObjectURL(old);
}

// Calls back with the address of the picture that was read, now and whenever another one is.
export function onReadingPicture(listener) {
  listeners.push(listener);
  listener(reading.url);
}

async function look() {
  let wait_ms = AWAY_MS;
  if (looking && linked && !document.hidden) wait_ms = await newest();
  setTimeout(look, wait_ms);
}

const live = { etag: "", url: "" };

async function newest() {
  const headers = live.etag ? { "if-none-match": live.etag } : {};
  try {
    const response = await fetch("picture.jpg", { cache: "no-store", headers });
    const wait_ms = Number(response.headers.get("callbox-next-ms")) || NONE_MS; // the more look, the seldomer each
    if (response.status === 304) return wait_ms;
    if (response.status !== 200) {
      setPicture(one("#live"), "");
      return NONE_MS;
    }
    live.etag = response.headers.get("etag") ?? "";
    const old = live.url;
    live.url = URL.createObjectURL(await response.blob());
    setPicture(one("#live"), live.url);
    await one("#live img").decode().catch(() => {});
    setLiveShape(one("#live img"));
    if (old) URL.revokeObjectURL(old);
    return wait_ms;
  } catch {
    return NONE_MS;
  }
}

export function setLinked(yes) {
  linked = yes;
  one("#table")?.classList.toggle("stale", !yes);
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
  const key = `${snapshot.game_id}/${table.reading_id}/${table.picture}`;
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
  const was_fresh = fresh;
  fresh = table.fresh && table.reading_id > 0;
  if (another || was_fresh !== fresh) setOverlay(one("#live"), fresh ? table : null);
  put(one("#state"), STATES[table.state] ?? table.state);
  attr(one("#state"), "data-state", table.state);
  show(one("#no-hand"), table.doubtful_hand);
  drawPlaces(snapshot);
  show(one("#table"), snapshot.stage !== "waiting");
}
