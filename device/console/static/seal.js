// Seals what this page sends, so that nobody who listens in the network can read it, repeat it, or pass for this page.
// A browser has no such means of its own on plain http; nacl.min.js is TweetNaCl.js 1.0.3, as it was published.

import "./nacl.min.js";
import { recall, remember } from "./storage.js";

const { nacl } = self;
const toText = (bytes) => btoa(String.fromCharCode(...bytes));
const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
const LENGTH_STEP = 512; // the length of what is sent tells nothing

const box = { key: "", word: "", shared: null, table: "family", offices: [] };
const scanned = new URLSearchParams(location.hash.slice(1)).get("key") ?? "";
const mine = ownPair();
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

// Asks the box for its key and word; true when it is there. A page that came by a code trusts that code's key alone.
export async function meet() {
  try {
    const told = await (await fetch("box", { cache: "no-store" })).json();
    Object.assign(box, told);
    if (box.table !== "family") remember("page", toText(mine.secretKey)); // a family's page leaves no trace of its bets
    box.shared = scanned && scanned !== told.key ? null : nacl.box.before(toBytes(told.key), mine.secretKey);
    return true;
  } catch {
    return false;
  }
}

let met = meet();

export async function known() {
  if (!(await met)) met = meet();
  return (await met) ? box : null;
}

export const tableNow = () => box.table;
export const officesNow = () => box.offices;
export const isStranger = () => box.key !== "" && box.shared === null;

// At a family's table everybody may do everything, so only what is secret is sealed.
export const mustSeal = (path) => box.table !== "family" || path === "/bets" || path.startsWith("/persons");

// Returns what to send; `count` is what the answer must name.
export function seal(path, body) {
  count = Math.max(count + 1, Date.now()); // rises over all tabs of this page
  if (box.table !== "family") remember("count", String(count));
  const text = new TextEncoder().encode(JSON.stringify({ word: box.word, count, path, body }));
  const padded = new Uint8Array(Math.ceil(text.length / LENGTH_STEP) * LENGTH_STEP).fill(32);
  padded.set(text);
  const nonce = nacl.randomBytes(nacl.box.nonceLength);
  const sealed = nacl.box.after(padded, nonce, box.shared);
  return { count, letter: { key: toText(mine.publicKey), nonce: toText(nonce), sealed: toText(sealed) } };
}

// What the box answered; null for what it has not sealed for this very question.
export function unseal(answer, asked) {
  if (!answer.sealed) return null;
  const opened = nacl.box.open.after(toBytes(answer.sealed), toBytes(answer.nonce), box.shared);
  const told = opened && JSON.parse(new TextDecoder().decode(opened));
  return told?.count === asked ? told.said : null;
}

export function newWord(word) {
  box.word = word;
}
