// Pictures that fill the screen: a throw as the camera saw it, a landing's close-up, its replay, and what is asked.

import { attr, el, one, put, show } from "../dom.js";
import { faceWord } from "../faces.js";
import { overlay } from "../marks.js";
import { fit } from "./fit.js";
import { counted } from "./moments.js";
import { drawFaces } from "./scores.js";
import { WORDS, dieOf, landingCall, shoutOf, sureOf, tableOf } from "./words.js";

const SLOWER = 0.5;
const NEAREST = 2.6; // more would show the camera's pixels
const AROUND = 0.09; // of the picture's width stays to be seen around the dice, their words among it

let shown = ""; // which picture is on the screen

const closeUp = ({ landing, game_id }) => `evidence/${landing.number}.jpg?of=${encodeURIComponent(`${game_id}/${landing.evidence}`)}`;
const readingOf = ({ table, game_id }) => `reading/${table.reading_id}.jpg?of=${encodeURIComponent(`${game_id}/${table.picture}`)}`;

function image(src, alt) {
  const node = el("img", { src, alt });
  node.addEventListener("error", () => node.replaceWith(el("p", { class: "none", text: WORDS.noPicture })), { once: true });
  return node;
}

function video(snapshot, onEnd) {
  const node = el("video", { playsinline: true, preload: "auto", "aria-label": WORDS.replay });
  node.muted = true;
  node.defaultPlaybackRate = SLOWER;
  node.playbackRate = SLOWER;
  node.addEventListener("ended", onEnd);
  node.addEventListener("error", onEnd);
  node.src = `film/${snapshot.landing.number}.mp4?of=${snapshot.game_id}`;
  node.play().catch(onEnd);
  return node;
}

// How far the picture is brought nearer, and around which point of it, in hundredths: all dice stay in sight.
export function nearOf({ width, height, dice, unsure }) {
  const corners = [...dice.flatMap((die) => die.corners), ...unsure.map((place) => place.center)];
  const ratio = width / height;
  if (!corners.length) return { ratio, scale: 1, x: "50%", y: "50%" };
  const spans = [0, 1].map((axis) => corners.map((corner) => corner[axis])).map((all) => [Math.min(...all), Math.max(...all)]);
  const scale = Math.min(NEAREST, ...spans.map(([low, high], axis) => [width, height][axis] / (high - low + 2 * AROUND * width)));
  if (scale <= 1) return { ratio, scale: 1, x: "50%", y: "50%" };
  const middle = ([low, high], whole) => {
    const shown = whole / scale;
    const start = Math.min(Math.max((low + high - shown) / 2, 0), whole - shown);
    return `${(100 * start) / (whole - shown)}%`;
  };
  return { ratio, scale, x: middle(spans[0], width), y: middle(spans[1], height) };
}

function camera(snapshot) {
  const { table } = snapshot;
  if (!table.reading_id || !table.width) return [el("p", { class: "none", text: WORDS.noPicture })];
  const glass = el("div", { class: "glass" }, image(readingOf(snapshot), tableOf(table.dice.map((die) => faceWord(die.value)))), overlay(table));
  const near = nearOf(table);
  for (const name of ["ratio", "scale", "x", "y"]) glass.style.setProperty(`--${name}`, near[name]);
  return [glass];
}

// Which picture belongs to the moment, by a key, and how it is made.
function pictureOf(moment, onEnd) {
  const { snapshot } = moment;
  const { landing, table } = snapshot;
  if (moment.name === "replay") return { kind: "film", key: `film ${landing.number} ${moment.since_ms}`, make: () => [video(snapshot, onEnd)] };
  const call = landing && landingCall(landing, counted(snapshot));
  if (landing?.evidence && landing.number === table.reading_id) return { kind: "close-up", key: `close ${landing.evidence}`, make: () => [image(closeUp(snapshot), dieOf(call))] };
  return { kind: "camera", key: `read ${snapshot.game_id} ${table.reading_id} ${table.picture}`, make: () => camera(snapshot) };
}

const firstOf = (text) => text.split(/(?<=[.!?])\s/)[0];

// A sum breaks before its result and nowhere else.
const together = (sum) => sum.replace(/ × /, "\u00a0×\u00a0").replace(/= /, "=\u00a0");

// Whose throw it was: the game has gone on to the next one already.
function throwerOf(snapshot) {
  const { game } = snapshot;
  const past = snapshot.landing && counted(snapshot);
  if (past) return past.player;
  return game.players.find((name) => game.news.startsWith(`${name} `) || game.news.includes(`! ${name} `)) ?? "";
}

function wordsOf({ name, snapshot }) {
  const { game, landing, message } = snapshot;
  const past = landing && counted(snapshot);
  if (name === "question") {
    const close = snapshot.ask === "landing" && landing?.line && landing.value !== null;
    return { player: game.active ?? "", call: close ? landingCall(landing, null) : WORDS.asked[snapshot.ask], sure: "", more: message.text };
  }
  if (landing) {
    const sure = name === "replay" ? WORDS.replay : sureOf(landing, past);
    return { player: throwerOf(snapshot), call: together(landingCall(landing, past)), sure, more: name === "replay" ? "" : landing.gap || landing.note };
  }
  const shout = shoutOf(game.banner);
  return { player: shout ? throwerOf(snapshot) : "", call: shout || firstOf(game.news), sure: "", more: shout ? game.news.replace(/^[A-Z ]+! /, "") : game.news.slice(firstOf(game.news).length).trim() };
}

export function drawPicture(moment, onEnd) {
  const section = one("#picture");
  const { snapshot } = moment;
  const picture = pictureOf(moment, onEnd);
  const figure = one("figure", section);
  attr(section, "data-kind", picture.kind);
  if (shown !== picture.key) {
    shown = picture.key;
    figure.replaceChildren(...picture.make());
  }
  const words = wordsOf(moment);
  put(one(".player", section), words.player);
  put(one("#called"), words.call);
  put(one(".certainty", section), words.sure);
  show(one(".certainty", section), words.sure !== "");
  attr(one(".certainty", section), "data-sure", words.sure === WORDS.certain);
  put(one(".more", section), words.more);
  if (moment.name === "throw") drawFaces(one(".faces", section), snapshot.game);
  else show(one(".faces", section), false);
  fit(one(".player", section), 4, 2);
  fit(one("#called"), 8, 2.6);
  fit(one(".more", section), 3, 1.5);
}

// A film that nobody sees any more lets its connection go.
export function leavePicture() {
  if (shown === "") return;
  shown = "";
  one("#picture figure").replaceChildren();
}
