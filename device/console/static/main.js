// Callbox's console: the page for people at the table. Everything it shows comes from snapshots.

import { drawAside } from "./aside.js";
import { drawBet, forgetWhenHidden } from "./bets.js";
import { drawBoard } from "./board.js";
import { drawCalled } from "./called.js";
import { drawCorrect, openByHand } from "./correct.js";
import { attr, el, one, put, show } from "./dom.js";
import { drawCourse, drawPutAway } from "./evening.js";
import { follow } from "./feed.js";
import { openField } from "./field.js";
import { drawFilms, makeFilm } from "./film.js";
import { drawHand, makeHand, throwDice } from "./hand.js";
import { drawLanding } from "./landing.js";
import { drawLandings } from "./landings.js";
import { drawLobby } from "./lobby.js";
import { drawHistory } from "./history.js";
import { drawOdds, makeOdds } from "./odds.js";
import { drawPadCard } from "./pad.js";
import { KEYS, LABELS, drawPanel, listen, makePanel } from "./panel.js";
import { followPeople, makePeople, may } from "./people.js";
import { openPhones } from "./phones.js";
import { phrase } from "./phrase.js";
import { link, say } from "./said.js";
import { drawScores, titleOf } from "./scores.js";
import { recall, remember } from "./storage.js";
import { drawTable, makeTable } from "./table.js";
import { drawTouched } from "./touched.js";
import { drawVoice, makeVoice } from "./voice.js";

let latest = null;

const openCorrection = () => may("judge") && openByHand(latest);

function draw(snapshot) {
  latest = snapshot;
  drawVoice(snapshot);
  followPeople(snapshot);
  attr(document.body, "data-stage", snapshot.stage);
  put(one("#title"), titleOf(snapshot));
  const news = snapshot.game?.news ?? "";
  say(one("#message"), snapshot.message.text ? snapshot.message : { text: news, tone: "info" });
  say(one("#camera"), snapshot.camera);
  say(one("#stuck"), snapshot.panel);
  drawTable(snapshot);
  drawTouched(snapshot);
  drawHistory(snapshot);
  drawFilms(snapshot);
  drawLanding(snapshot);
  drawLandings(snapshot);
  drawScores(snapshot, openCorrection);
  drawPadCard(snapshot, "", openField);
  drawBoard(snapshot);
  drawPanel(snapshot);
  drawOdds(snapshot);
  drawHand(snapshot);
  drawBet(snapshot);
  drawCorrect(snapshot);
  drawAside(snapshot);
  drawCourse(snapshot);
  drawPutAway(snapshot);
  drawCalled(snapshot);
  drawLobby(snapshot);
}

const bigScreen = () => location.assign("./?screen");

function shortcuts() {
  const words = [
    ...Object.entries(KEYS).map(([key, name]) => [key.toUpperCase(), LABELS[name] ?? `BET ${name.at(-1)}`]),
    ["T", phrase("Throw (simulated table)")],
    ["E", phrase("Correct the last roll")],
    ["B", phrase("Big screen")],
    ["M", phrase("Mute the calls of this page, or not")],
    ["?", phrase("These keys")],
  ];
  one(".shortcuts").append(...words.map(([key, text]) => el("div", {}, el("dt", {}, el("kbd", { text: key })), el("dd", { text }))));
  const acts = {
    t: () => latest?.simulated && may("hand") && throwDice(),
    e: openCorrection,
    b: bigScreen,
    "?": () => one("#help").showModal(),
  };
  const on = one("#single-keys");
  on.checked = recall("single-keys") !== "off";
  on.addEventListener("change", () => remember("single-keys", on.checked ? "on" : "off"));
  listen(() => on.checked);
  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || !on.checked) return;
    if (event.target.closest?.("input, select, textarea, dialog") || one("dialog[open]")) return;
    const act = acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

one("#open-phones").addEventListener("click", () => openPhones(latest));
one("#open-help").addEventListener("click", () => one("#help").showModal());
one("#big").addEventListener("click", bigScreen);
show(one("#message"), false);
shortcuts();
makePanel();
makeOdds();
makeTable();
makeVoice();
makeFilm();
makeHand();
forgetWhenHidden();
makePeople(() => latest && draw(latest));
follow(draw, link);
