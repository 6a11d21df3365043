// Follows a live stream of the box or the desk: every page's one. Whatever ends it, silently or not, a new one is opened.

import { LANGUAGE } from "../words.js";
import { phrase } from "./phrase.js";

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
