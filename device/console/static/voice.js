// What is heard of a page: short sounds and the browser's own voice.

import { LANGUAGE } from "../words.js";
import { attr, el, one, phrase, recall, remember, show } from "./dom.js";

// Short sounds, made by the browser itself: no file is fetched. Each is a row of notes.

const NOTES = {
  news: [[660, 0, 0.09]],
  lost: [[330, 0, 0.14], [220, 0.13, 0.26]],
  ask: [[740, 0, 0.1], [740, 0.17, 0.1]],
  win: [[523, 0, 0.12], [659, 0.12, 0.12], [784, 0.24, 0.12], [1047, 0.36, 0.34]],
};
const LOUD = 0.12;
const SOFT_S = 0.015; // how long a note takes to swell and to fade: without that it clicks

export const lasts_ms = (sound) => 1000 * Math.max(0, ...(NOTES[sound] ?? []).map(([, at_s, long_s]) => at_s + long_s));

let player = null;

// A browser is silent until its page was touched.
export function wake() {
  if (!("AudioContext" in window) || navigator.userActivation?.hasBeenActive === false) return;
  player ??= new AudioContext();
  if (player.state === "suspended") player.resume().catch(() => {});
}

export function play(sound) {
  if (player?.state !== "running") return;
  for (const [pitch_hz, at_s, long_s] of NOTES[sound] ?? []) {
    const [tone, volume, from] = [player.createOscillator(), player.createGain(), player.currentTime + at_s];
    tone.type = "triangle";
    tone.frequency.value = pitch_hz;
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(LOUD, from + SOFT_S);
    volume.gain.setValueAtTime(LOUD, from + long_s - SOFT_S);
    volume.gain.linearRampToValueAtTime(0, from + long_s);
    tone.connect(volume).connect(player.destination);
    tone.start(from);
    tone.stop(from + long_s);
  }
}

// This page calls the throw: short sounds, and the browser's own voice. What is called the box decides (`called`).
//
// Whoever has a screen reader hears each message from that. So this is off until somebody asks for it; and while the
// page speaks by itself, its live messages are not read out as well.

const WAYS = { off: phrase("Off"), sounds: phrase("Short sounds"), voice: phrase("Sounds and voice") };
const HEARD = "#message, #announce, #said[role]"; // what a screen reader reads out when it changes
const speech = window.speechSynthesis;

let way = "off";
let muted = false;
let last = null; // the number of the newest call; null before the first snapshot, which is no news
let timer = 0;

function hush() {
  clearTimeout(timer);
  speech?.cancel();
}

function say(words) {
  const told = new SpeechSynthesisUtterance(words);
  told.lang = LANGUAGE;
  speech.speak(told);
}

const speaks = () => way === "voice" && !muted && Boolean(speech);

// While the page speaks, its live regions are silent; afterwards each is as it was.
function drawHeard() {
  for (const box of document.querySelectorAll(HEARD)) {
    box.dataset.live ??= box.getAttribute("aria-live") ?? "";
    attr(box, "aria-live", speaks() ? "off" : box.dataset.live || null);
  }
}

function drawControls() {
  const mute = one("#sound button");
  if (mute) {
    one("#sound select").value = way;
    show(mute, way !== "off");
    attr(mute, "aria-pressed", muted);
  }
  drawHeard();
}

function set(next) {
  way = next;
  remember("sound", way);
  hush();
  drawControls();
}

function mute(on) {
  muted = on;
  remember("muted", on ? "yes" : "no");
  hush();
  drawControls();
}

// Where there is nothing to touch, the address says it: ?screen&sound=voice.
export function makeVoice() {
  const asked = new URLSearchParams(location.search).get("sound") ?? recall("sound");
  way = asked in WAYS && (asked !== "voice" || speech) ? asked : "off";
  muted = recall("muted") === "yes";
  const section = one("#sound");
  if (section) {
    const ways = Object.keys(WAYS).filter((name) => name !== "voice" || speech);
    const choose = el("select", { onchange: (event) => set(event.target.value) }, ...ways.map((name) => el("option", { value: name, text: WAYS[name] })));
    section.append(el("label", {}, el("span", { text: phrase("Calls on this page") }), choose));
    section.append(el("button", { type: "button", text: phrase("Mute"), onclick: () => mute(!muted) }));
  }
  for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, () => way !== "off" && wake());
  document.addEventListener("keydown", (event) => {
    const plain = !event.repeat && !event.ctrlKey && !event.altKey && !event.metaKey && recall("single-keys") !== "off";
    if (plain && event.key.toLowerCase() === "m" && way !== "off" && !event.target.closest?.("input, select, textarea, dialog")) mute(!muted);
  });
  drawControls();
}

// A newer call takes the place of the one that is being said.
export function drawVoice({ called }) {
  const known = last === null || called.number === last;
  last = called.number;
  if (known || way === "off" || muted) return;
  hush();
  wake();
  play(called.sound);
  if (speaks()) timer = setTimeout(say, lasts_ms(called.sound), called.words);
}
