// The throws of the game, the newest first: picture, call, what was asked, and who said what to it.

import { phrase, phraseLater } from "../phrase.js";
import { LANGUAGE } from "../../words.js";
import { attr, el, keep, one, put, show } from "../dom.js";
import { hasFilm, watchFilm } from "../film.js";
import { confirmLanding, judging } from "./rule.js";
import { openZoom } from "./zoom.js";

const BADGES = { answered: phrase("asked"), corrected: phrase("corrected"), ruled: phrase("ruled"), confirmed: phrase("confirmed") };
const STANDINGS = { asked: phrase("waits"), undone: phrase("taken back"), refused: phrase("does not count") };
const SAID = { ruled: phraseLater("Ruled: {words}"), corrected: phraseLater("Corrected: {words}"), answered: phraseLater("Answered: {words}"), confirmed: phraseLater("Confirmed: {words}"), undone: "{words}" };

const log = { game: null, throws: [], count: 0, pages: 1, seen: "", loading: false, again: false };
let latest = null;
let drawn = () => {};

export const throwsNow = () => log.throws;

const clock = (iso) => new Date(iso).toLocaleTimeString(LANGUAGE, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
function titleOf(past) {
  const told = { number: past.throw, player: past.player, words: past.words || phrase("not known yet") };
  return past.player ? phrase("Throw {number}, {player}: {words}", told) : phrase("Throw {number}: {words}", told);
}

// Something that the log tells may have changed; bets, while they are secret, are in none of it.
function factsOf(snapshot) {
  const { game_id, stage, ask, table, landing, message, game } = snapshot;
  return JSON.stringify([game_id, stage, ask, table.reading_id, landing, message, game && [game.scores, game.running, game.active, game.last_dice, game.landings, game.line]]);
}

async function page(before) {
  const response = await fetch(`throws${before ? `?before=${before}` : ""}`);
  return response.ok ? response.json() : null;
}

async function load() {
  if (log.loading) return (log.again = true);
  log.loading = true;
  try {
    do {
      log.again = false;
      await loadPages();
    } while (log.again);
  } catch {
    log.seen = ""; // the box did not answer: the next snapshot asks again
  } finally {
    log.loading = false;
  }
}

async function loadPages() {
  const found = [];
  let told = null;
  for (let number = 0; number < log.pages; number += 1) {
    told = await page(found.at(-1)?.throw);
    if (told === null) throw new Error("no log");
    found.push(...told.throws);
    if (!told.throws.length || found.at(-1).throw === 1) break;
  }
  if (told.game_id !== log.game) log.pages = 1;
  Object.assign(log, { game: told.game_id, throws: found, count: told.count, trouble: told.trouble });
  drawn();
}

function pictureOf(past) {
  if (!past.reading) return "";
  const kind = past.evidence ? "evidence" : "reading";
  return `${kind}/${past.reading}.jpg?of=${encodeURIComponent(`${log.game}/${past.evidence || past.reading}`)}`;
}

const pastOf = (number) => log.throws.find((each) => each.throw === number);

function makeThrow({ throw: number }) {
  const judge = el("details", { class: "judge" }, el("summary", { text: phrase("Correct or rule") }));
  judge.addEventListener("toggle", () => judge.open && fillJudge(judge, pastOf(number)));
  const image = el("img", { alt: "", loading: "lazy" });
  image.addEventListener("error", () => show(image.closest("button"), false));
  return el(
    "li",
    {},
    el("button", { type: "button", class: "thumb", onclick: () => openZoom(pictureOf(pastOf(number)), titleOf(pastOf(number))) }, image),
    el("div", { class: "what" }, el("h3", {}), el("p", { class: "row badges" }), el("p", { class: "hint asked" }), el("ul", { class: "said" })),
    el(
      "div",
      { class: "row acts" },
      el("button", { type: "button", class: "quiet watch", text: phrase("Watch"), hidden: true, onclick: () => watchFilm(pastOf(number).reading) }),
      el("button", { type: "button", class: "quiet confirm", text: phrase("Confirm"), onclick: (event) => confirmLanding(pastOf(number), event.target) }),
    ),
    judge,
  );
}

// By what it goes what may be done with a throw.
const judgedBy = (past) => JSON.stringify([past.words, past.standing, past.roll, latest?.ask === "correct"]);

function fillJudge(judge, past) {
  judge.dataset.of = judgedBy(past);
  for (const old of [...judge.children].slice(1)) old.remove();
  judge.append(judging(past, () => latest));
}

function saidLine({ kind, text, by, at, changed }) {
  const who = [by || phrase("at the box"), clock(at)].join(", ");
  return el("li", {}, el("b", { text: phrase(SAID[kind], { words: text }) }), ` (${who})`, changed ? el("span", { class: "changed", text: changed }) : null);
}

function badgesOf(past) {
  const said = past.said.map((word) => BADGES[word.kind]).filter(Boolean);
  return [...new Set([STANDINGS[past.standing], past.asked && past.standing === "counts" && phrase("asked"), ...said].filter(Boolean))];
}

function drawThrow(node, past) {
  attr(node, "data-standing", past.standing);
  const title = titleOf(past);
  put(one("h3", node), title);
  const image = one("img", node);
  const address = pictureOf(past);
  if (image.getAttribute("src") !== (address || null)) attr(image, "src", address || null);
  show(one(".thumb", node), address !== "");
  attr(image, "alt", address ? phrase("Look closer at throw {number}", { number: past.throw }) : "");
  keep(one(".badges", node), [clock(past.at), ...badgesOf(past)], (word) => word, (word) => el("span", { class: "badge", text: word }));
  put(one(".asked", node), past.asked);
  keep(one(".said", node), past.said, (_, index) => index, saidLine);
  show(one(".watch", node), hasFilm(past.reading));
  show(one(".confirm", node), past.landing > 0);
  const number = past.throw;
  attr(one(".watch", node), "aria-label", phrase("Watch throw {number}", { number }));
  attr(one(".confirm", node), "aria-label", phrase("Confirm throw {number}", { number }));
  attr(one("summary", node), "aria-label", phrase("Correct or rule on throw {number}", { number }));
  const judge = one(".judge", node);
  show(judge, past.standing === "counts");
  if (judge.open && judge.dataset.of !== judgedBy(past)) fillJudge(judge, past);
}

export function drawLog() {
  const section = one("#log");
  put(one("#log-title"), log.count ? phrase("The throws ({count})", { count: log.count }) : phrase("No throws yet"));
  put(one(".trouble", section), log.trouble ?? "");
  keep(one("ol", section), log.throws, (past) => `${log.game}/${past.throw}`, makeThrow, drawThrow);
  show(one(".earlier", section), log.throws.length > 0 && log.throws.at(-1).throw > 1);
}

export function makeLog(onNews) {
  drawn = onNews;
  one("#log .earlier").addEventListener("click", () => {
    log.pages += 1;
    load();
  });
}

export function followLog(snapshot) {
  latest = snapshot;
  const facts = factsOf(snapshot);
  if (facts === log.seen) return;
  log.seen = facts;
  load();
}
