// The referee's view: what waits on top, and below it every throw of the game with its picture, film and rulings.

import { drawCorrect } from "../correct.js";
import { attr, one, put } from "../dom.js";
import { follow } from "../feed.js";
import { openField } from "../field.js";
import { drawFilms, makeFilm } from "../film.js";
import { drawLanding } from "../landing.js";
import { drawPadCard } from "../pad.js";
import { followPeople, makePeople } from "../people.js";
import { link, say } from "../said.js";
import { titleOf } from "../scores.js";
import { drawTable, makeTable } from "../table.js";
import { drawTouched } from "../touched.js";
import { drawLog, followLog, makeLog, throwsNow } from "./log.js";
import { drawSignOff } from "./sign.js";
import { drawWaiting } from "./waiting.js";

let latest = null;

function draw(snapshot) {
  latest = snapshot;
  followPeople(snapshot);
  attr(document.body, "data-stage", snapshot.stage);
  put(one("#title"), titleOf(snapshot));
  say(one("#camera"), snapshot.camera);
  drawTable(snapshot);
  drawTouched(snapshot);
  drawFilms(snapshot);
  drawLanding(snapshot, throwsNow());
  drawCorrect(snapshot, throwsNow());
  const question = drawWaiting(snapshot, throwsNow());
  const { message } = snapshot;
  say(one("#message"), message.text === question ? { ...message, text: "" } : message); // said once
  drawSignOff(snapshot);
  drawPadCard(snapshot, "", openField);
  followLog(snapshot);
  drawLog();
}

makeTable();
makeFilm();
makeLog(() => latest && draw(latest));
makePeople(() => latest && draw(latest));
follow(draw, link);
