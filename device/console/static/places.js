// The mat's places, drawn on the live picture, and in words what lies in them.

import { el, one, put, show, svg } from "./dom.js";
import { phrase } from "./phrase.js";

let drawn = "";

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

function inWords(places) {
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
  if (now === drawn) return;
  drawn = now;
  const glass = one("#live .glass");
  one(".mat", glass)?.remove();
  if (places?.places.length) glass.append(mat(places));
  let words = one("#places");
  if (!words) {
    words = el("p", { id: "places", class: "hint" });
    one("#table").append(words);
  }
  show(words, Boolean(places));
  put(words, places ? inWords(places) : "");
  words.classList.toggle("bad", Boolean(places?.trouble));
}
