// The big screen: one moment at a time, nothing to touch, never anything to scroll. `?overlay` shows the strip alone.

import { attr, one, put, show } from "../dom.js";
import { follow, lostWords } from "../feed.js";
import { drawPads } from "../pad.js";
import { fit, fitAll } from "./fit.js";
import { drawBracket } from "./bracket.js";
import { advance, begin, endReplay } from "./moments.js";
import { drawPicture, leavePicture } from "./pictures.js";
import { drawBets, drawLobby, drawScores, drawWinner } from "./scores.js";
import { drawStrip } from "./strip.js";
import { drawVoice, makeVoice } from "../voice.js";
import { WORDS, codeOf, plainAddress } from "./words.js";

const VIEWS = { lobby: "lobby", scores: "scores", pads: "pads", throw: "picture", landing: "picture", replay: "picture", question: "picture", bets: "bets", winner: "winner", bracket: "bracket" };

const asOverlay = new URLSearchParams(location.search).has("overlay");
const now_ms = () => performance.now();

let state = begin(window.matchMedia("(prefers-reduced-motion: reduce)").matches);
let timer = 0;
let lost = ""; // why what is shown may be old

function drawJoin(snapshot) {
  const address = snapshot.address || location.origin;
  for (const figure of document.querySelectorAll(".join")) {
    if (figure.dataset.address === address) continue;
    figure.dataset.address = address;
    const image = one("img", figure);
    image.src = `qr.svg?play&of=${encodeURIComponent(address)}`;
    attr(image, "alt", codeOf(address));
    put(one("figcaption b", figure), WORDS.join);
    put(one("figcaption span", figure), plainAddress(address));
  }
}

// What the box says, where the moment does not say it already; and trouble, above all else.
function drawSaid({ name, snapshot }) {
  const { message, camera, panel, game } = snapshot;
  const quiet = VIEWS[name] !== "scores" && VIEWS[name] !== "lobby";
  const said = message.text ? message : { text: game?.news ?? "", tone: "info" };
  put(one("#said p"), quiet ? "" : said.text);
  attr(one("#said"), "data-tone", said.tone);
  show(one("#said"), !quiet && said.text !== "");
  const trouble = lost || camera.text || panel.text;
  put(one("#trouble p"), trouble);
  show(one("#trouble"), trouble !== "");
  for (const line of document.querySelectorAll(".say:not([hidden]) p")) fit(line, 2.8, 1.4);
}

// As large as all of it fits.
function drawPapers({ game }) {
  const section = one("#pads");
  drawPads(one(".papers", section), game.pads);
  fitAll(section, ".paper", 2.6, 0.7);
}

function drawMoment() {
  const { moment } = state;
  const view = VIEWS[moment.name];
  for (const section of document.querySelectorAll("#stage > section")) show(section, section.id === view);
  if (view !== "picture") leavePicture();
  if (moment.name === "lobby") drawLobby();
  if (moment.name === "scores") drawScores(moment.snapshot, state.gains);
  if (moment.name === "pads") drawPapers(moment.snapshot);
  if (moment.name === "bets") drawBets(moment.snapshot);
  if (moment.name === "winner") drawWinner(moment.snapshot);
  if (moment.name === "bracket") drawBracket(state.newest);
  if (view === "picture") drawPicture(moment, () => go(endReplay(state, now_ms())));
}

function draw() {
  const { moment } = state;
  attr(document.body, "data-moment", moment.name);
  if (moment.snapshot === null) return;
  drawJoin(moment.snapshot);
  if (asOverlay) return drawStrip(state);
  drawSaid({ name: moment.name, snapshot: state.newest });
  drawMoment();
}

function go(next) {
  const anew = next !== state;
  state = next;
  if (anew) draw();
  clearTimeout(timer);
  const { until_ms } = state.moment;
  if (until_ms !== null) timer = setTimeout(() => go(advance(state, state.newest, now_ms())), Math.max(until_ms - now_ms(), 0) + 1);
}

function link(up, heard_ms) {
  attr(one("#link"), "data-link", up ? "up" : "down");
  const words = up ? "" : lostWords(heard_ms);
  if (lost === words && one("#link").textContent) return;
  lost = words;
  put(one("#link"), up ? WORDS.connected : lost);
  if (state.newest) draw();
}

document.documentElement.classList.toggle("overlay", asOverlay);
show(one("#stage"), !asOverlay);
put(one("#said p"), WORDS.starting);
show(one("#said"), !asOverlay);
window.addEventListener("resize", draw);
document.fonts?.ready.then(draw);
makeVoice();
follow((snapshot) => {
  drawVoice(snapshot);
  go(advance(state, snapshot, now_ms()));
}, link);
