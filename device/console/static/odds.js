// The odds of each choice, for whoever opens them. They are asked for only then: working them out takes the box a moment.

import { LANGUAGE } from "../words.js";
import { attr, el, keep, one, put, show } from "./dom.js";
import { ownPlayer } from "./bets.js";
import { phrase } from "./phrase.js";
import { riskOf } from "./rules.js";

const WAIT_MS = 400; // no more often than people can read

const box = { allowed: false, asked: "", busy: false, snapshot: null };

const rounded = (number, digits) => number.toLocaleString(LANGUAGE, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
const percent = (part) => `${rounded(100 * part, 1)} %`;
const points = (number) => rounded(number, Math.abs(number) < 100 ? 2 : 0);

function skeleton(section) {
  section.append(
    el(
      "details",
      { ontoggle: ask },
      el("summary", { text: phrase("Odds") }),
      el("p", { class: "hint", text: phrase("Expected points of the turn when all that follows is played best by points. Secret bets are not looked at.") }),
      el("p", { class: "none", role: "status" }),
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...[phrase("Choice"), phrase("Points"), phrase("Brings any"), "", phrase("Goal")].map((text) => el("th", { scope: "col", text })))),
        el("tbody"),
      ),
    ),
  );
}

// In Zoinx only bets that are still to be made, and of players who face the same choice only the first.
function chosen(told) {
  const { game } = box.snapshot;
  if (game.phase !== "bet") return told.choices;
  const open = game.allowed.filter((each) => each.button === "bet").map((each) => each.player);
  const own = ownPlayer();
  const other = open.find((name) => name !== game.active);
  const whose = own ? [own] : [game.active, other];
  return told.choices.filter((each) => open.includes(each.player) && whose.includes(each.player));
}

function draw(told) {
  const rows = chosen(told);
  const { game } = box.snapshot;
  const several = new Set(rows.map((each) => each.player)).size > 1;
  const [risks, goals] = [rows.some((each) => each.risk > 0), rows.some((each) => each.goal !== null)];
  const words = (each) => (several ? phrase("{player}: {choice}", { player: each.player, choice: each.words }) : each.words);
  const cells = (each) => [points(each.points), percent(each.chance), each.risk ? percent(each.risk) : "", each.goal === null ? "" : percent(each.goal)];
  const [, , , risk, goal] = document.querySelectorAll("#odds th");
  put(risk, riskOf(game.game));
  show(risk, risks);
  show(goal, goals);
  show(one("#odds table"), rows.length > 0);
  put(one("#odds .none"), rows.length ? "" : phrase("There is nothing to choose now."));
  const make = () => el("tr", {}, el("th", { scope: "row" }, el("span"), el("small")), ...[0, 1, 2, 3].map(() => el("td")));
  keep(one("#odds tbody"), rows, (each, index) => `${index} ${each.player} ${each.words}`, make, (node, each) => {
    put(one("th span", node), words(each));
    put(one("th small", node), each.hint);
    cells(each).forEach((text, index) => put(node.children[index + 1], text));
    show(node.children[3], risks);
    show(node.children[4], goals);
  });
}

async function ask() {
  const { snapshot } = box;
  if (!one("#odds details")?.open || !snapshot?.game || box.busy || box.asked === snapshot.game.line) return;
  box.busy = true;
  attr(one("#odds"), "aria-busy", true);
  if (!one("#odds tbody tr")) put(one("#odds .none"), phrase("Working them out…"));
  const told = await fetch("odds", { cache: "no-store" }).then((answer) => answer.json()).catch(() => null);
  box.busy = false;
  attr(one("#odds"), "aria-busy", null);
  if (told?.choices && told.line === box.snapshot.game?.line) {
    box.asked = told.line;
    draw(told);
  } else setTimeout(ask, WAIT_MS);
}

export async function makeOdds() {
  const told = await fetch("odds?allowed", { cache: "no-store" }).then((answer) => answer.json()).catch(() => null);
  box.allowed = Boolean(told?.shown);
  if (box.snapshot) drawOdds(box.snapshot);
}

export function drawOdds(snapshot) {
  const section = one("#odds");
  box.snapshot = snapshot;
  show(section, box.allowed && snapshot.stage === "playing" && riskOf(snapshot.game?.game) !== "");
  if (section.hidden) return;
  if (!section.firstElementChild) skeleton(section);
  ask();
}
