// The codes that phones scan: everybody's, and at a club's or tournament's table the seats of this game.

import { el, keep, one, put, show } from "./dom.js";
import { isFamily, may } from "./people.js";
import { phrase } from "./phrase.js";
import { ask, notice, tell } from "./post.js";

const INTRO = {
  family: phrase("Each player has a page of their own, with what they need now: scan your own code, in the same network as the box."),
  leader: phrase("Each player scans the code of their own seat. Whoever scans it first has the seat; no PIN is needed for that."),
  others: phrase("Scan to watch. Whoever leads the game hands out the codes of the seats."),
};

const figure = (image, caption) => el("figure", {}, image, el("figcaption", {}, caption));
const picture = (src, alt) => el("img", { src, alt, width: 176, height: 176 });

const WHOLE = { words: phrase("The whole table"), href: "./", query: "" };
const ASKS = { words: phrase("A player’s page"), href: "play", query: "?play" }; // it asks who looks at it
const pageOf = (name) => ({ words: name, href: `play?player=${encodeURIComponent(name)}`, query: `?player=${encodeURIComponent(name)}` });

const familyCode = ({ words, href, query }) => figure(picture(`qr.svg${query}`, phrase("QR code: {words}", { words })), el("a", { href, text: words }));

function seatCode(seat) {
  const image = picture(URL.createObjectURL(new Blob([seat.code], { type: "image/svg+xml" })), phrase("QR code of {player}’s seat", { player: seat.player }));
  image.addEventListener("load", () => URL.revokeObjectURL(image.src), { once: true });
  const back = el("button", { type: "button", class: "quiet", text: phrase("Take back"), onclick: () => takeBack(seat.player) });
  return figure(image, el("span", {}, el("b", { text: seat.player }), el("span", { class: "hint", text: ` ${seat.taken ? phrase("has it") : phrase("is free")} ` }), back));
}

async function takeBack(player) {
  const answer = await tell("/seats/back", { player });
  if (answer.ok) await drawSeats();
}

async function drawSeats() {
  const told = await ask("/seats", {});
  const list = one("#phones .seat-codes");
  put(one("#phones .trouble"), told.ok ? "" : told.text);
  list.replaceChildren(...(told.seats ?? []).map(seatCode));
  show(list, true);
}

export async function openPhones(snapshot) {
  const leads = !isFamily() && may("seat");
  const players = isFamily() ? [ASKS, ...(snapshot?.game?.players ?? []).map(pageOf)] : [];
  put(one("#phones .intro"), INTRO[isFamily() ? "family" : leads ? "leader" : "others"]);
  keep(one("#phones .everybody"), [WHOLE, ...players], (each) => `${snapshot?.address} ${each.query}`, familyCode);
  put(one("#phones .trouble"), "");
  show(one("#phones .seat-codes"), false);
  notice("");
  one("#phones").showModal();
  if (leads) await drawSeats();
}
