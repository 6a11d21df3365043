// What the organiser does about each match and player. Each act says what the page showed, so that of two none is lost.
import { el, grouped, keep, one, phrase, phraseCount, put, show } from "/static/dom.js";
import { versus } from "/static/drawings.js";
import { ask, notice } from "/static/link.js";
import { mayAnswer } from "./sign.js";

let cup = 0;
let tables = [];
let players = [];
let busy = false; // one press, one act

// A form in a dialog: what it says to the desk, and what the desk says to it.

async function send(path, said) {
  const answer = await ask(`/organiser/${path}`, { cup, ...said });
  notice(answer.text || (answer.ok ? "" : phrase("The desk did not take that.")), answer.ok ? "good" : "refused");
  return answer;
}

const field = (words, control) => el("label", { class: "option" }, el("span", { text: words }), control);
const reasonField = (required) => field(required ? phrase("Reason; it is kept") : phrase("Reason, if you like; it is kept"), el("input", { name: "reason", maxlength: 200, autocomplete: "off", required }));
const closing = () => el("button", { type: "button", class: "quiet", text: phrase("Cancel"), onclick: () => one("#act").close() });

// `read` makes of the form's fields what is sent; `more` are further buttons, each with its own way.
function openForm({ title, text, fields = [], label, path, read, more = [] }) {
  const dialog = one("#act");
  const trouble = el("p", { class: "trouble", role: "alert" });
  const submit = async (way) => {
    if (busy) return;
    busy = true;
    const answer = await ask(`/organiser/${way.path}`, { cup, ...way.read(new FormData(form)) });
    busy = false;
    put(trouble, answer.ok ? "" : answer.text);
    if (!answer.ok) return;
    dialog.close();
    notice(answer.text, "good");
  };
  const form = el("form", { autocomplete: "off", onsubmit: (event) => { event.preventDefault(); submit({ path, read }); } },
    text && el("p", { text }), ...fields, trouble,
    el("div", { class: "row" }, el("button", { class: "main", text: label }), ...more.map((way) => el("button", { type: "button", text: way.label, onclick: () => form.reportValidity() && submit(way) })), closing()));
  dialog.replaceChildren(el("h2", { id: "act-title", text: title }), form);
  dialog.showModal();
}

// Matches

const told = (match) => phrase("Match {number}: {match}", { number: match.number, match: versus(match) });

function openCall(match, at) {
  const select = el("select", { name: "table" }, el("option", { value: "", text: phrase("The next free table") }), ...tables.filter((each) => each.name !== at).map((each) => el("option", { value: each.name, text: each.online ? each.name : phrase("{table} (not connected)", { table: each.name }) })));
  openForm({
    title: told(match),
    text: at && phrase("It is called to {table} now. What was begun there does not count.", { table: at }),
    fields: [field(phrase("Table"), select)],
    label: phrase("Call to this table"),
    path: "call",
    read: (form) => ({ match: match.number, table: form.get("table"), seen_at: at }),
  });
}

function openRuling(match) {
  const common = (form) => ({ match: match.number, seen: match.steps, reason: form.get("reason").trim() });
  const pick = match.sides.map((name) => el("label", { class: "check" }, el("input", { type: "radio", name: "winner", value: name, required: true, checked: name === (match.winner || match.unsigned) }), el("span", { text: name })));
  const points = match.sides.map((name, index) => field(phrase("Points of {name}", { name }), el("input", { name: `points${index}`, type: "number", step: 1, value: match.points[index] ?? "" })));
  const read = (form) => {
    const both = [form.get("points0"), form.get("points1")];
    const scores = both.includes("") ? [] : match.sides.map((name, index) => [name, Number(both[index])]);
    return { ...common(form), winner: form.get("winner") ?? "", scores };
  };
  openForm({
    title: told(match),
    fields: [el("fieldset", { class: "winner" }, el("legend", { text: phrase("Who has won") }), ...pick), el("div", { class: "pair" }, ...points), reasonField(true)],
    label: phrase("Save decision"),
    path: "rule",
    read,
    more: match.winner ? [{ label: phrase("Play it again"), path: "again", read: common }] : [],
  });
}

const button = (text, onclick, main = false) => el("button", { type: "button", class: main ? "main" : null, text, onclick });
const CALLED = { called: phrase("called, not begun"), begun: phrase("being played") };

function scoreOf({ sides, points }) {
  return points[0] === null || points[1] === null ? "" : `${sides[0]} ${grouped(points[0])} : ${grouped(points[1])} ${sides[1]}`;
}

const wonWords = (winner, score) => (score ? phrase("{winner} has won: {score}", { winner, score }) : phrase("{winner} has won", { winner }));

// What stands below a match's name: where, how, and why.
function linesOf(match, call, held) {
  const winner = match.winner || match.unsigned;
  return [
    [phrase("Match {number}", { number: match.number }), match.group, call?.table ?? match.table].filter(Boolean).join(", "),
    call && !match.unsigned && (call.standing === "called" && !call.heard ? phrase("the box has not heard it yet") : CALLED[call.standing]),
    winner && wonWords(winner, scoreOf(match)),
    match.unsigned && phrase("The table waits for the sign-off."),
    match.ruled && phrase("Decided: {reason}", { reason: match.ruled }),
    match.signed && phrase("Signed off by {who}", { who: match.signed }),
    match.state === "undecided" && phrase("Nobody has won alone: it is played again."),
    held && phrase("Nobody is called until you call it."),
  ].filter(Boolean);
}

function buttonsOf(match, call) {
  const winner = match.winner || match.unsigned;
  const at = call?.table ?? "";
  if (winner) {
    const sign = () => send("sign", { match: match.number, seen: match.steps, winner });
    return [!match.signed && button(phrase("Sign off"), sign, true), button(phrase("Correct…"), () => openRuling(match))];
  }
  return [
    button(call ? phrase("Another table…") : phrase("Call to a table…"), () => openCall(match, at), !call),
    call && button(phrase("Take the call back"), () => send("call-back", { match: match.number, seen_at: at })),
    button(phrase("Decide…"), () => openRuling(match)),
  ];
}

function makeMatch({ match, call, held }) {
  return el("li", {},
    el("div", { class: "about" }, el("b", { text: versus(match) }), ...linesOf(match, call, held).map((text) => el("small", { text }))),
    mayAnswer() && el("div", { class: "row" }, ...buttonsOf(match, call).filter(Boolean)));
}

function fill(section, rows) {
  show(one(section), rows.length > 0);
  keep(one(`${section} .acts`), rows, (row) => JSON.stringify([row, mayAnswer()]), makeMatch);
}

const isPlayed = (match) => match.winner !== "" && (match.points[0] !== null || match.ruled !== ""); // no walkover

export function drawLists({ tournament, calls, held }, open, all) {
  cup = tournament.number;
  tables = all;
  players = tournament.standings.map((row) => row.player).filter((name) => !tournament.withdrawn.includes(name));
  const called = new Map(calls.map((call) => [call.match, call]));
  const rows = (open ? tournament.matches : []).map((match) => ({ match, call: called.get(match.number), held: held.includes(match.number) }));
  fill("#to-sign", rows.filter(({ match }) => match.unsigned || (isPlayed(match) && !match.signed)));
  fill("#at-tables", rows.filter(({ match, call }) => call && !match.winner && !match.unsigned));
  fill("#to-call", rows.filter(({ match, call }) => !call && (match.state === "ready" || match.state === "undecided")));
  const signed = rows.filter(({ match }) => match.signed);
  fill("#signed", signed);
  put(one("#signed summary"), phraseCount("{count} result", "{count} results", signed.length));
  show(one("#players"), open && (mayAnswer() || tournament.withdrawn.length > 0));
  show(one("#players .may"), mayAnswer());
  keep(one("#players .gone"), tournament.withdrawn, (name) => `${name} ${mayAnswer()}`, (name) =>
    el("li", {}, el("span", { text: phrase("{player} (withdrawn)", { player: name }) }), mayAnswer() && button(phrase("Bring back"), () => send("bring-back", { player: name }))));
}

// Players, and the end

function openWithdrawal() {
  const names = [...players].sort((a, b) => a.localeCompare(b));
  openForm({
    title: phrase("Withdraw a player"),
    text: phrase("Whoever would have met them goes on without a match. A game of theirs that is being played does not count."),
    fields: [field(phrase("Player"), el("select", { name: "player", required: true }, el("option", { value: "", text: phrase("choose") }), ...names.map((name) => el("option", { value: name, text: name })))), reasonField(false)],
    label: phrase("Withdraw"),
    path: "withdraw",
    read: (form) => ({ player: form.get("player"), reason: form.get("reason").trim() }),
  });
}

function openEnd() {
  openForm({ title: phrase("End the tournament?"), text: phrase("Nobody is called any more, and no result flows in. Bracket and standings stay to be seen until the next draw."), label: phrase("End the tournament"), path: "close", read: () => ({}) });
}

export function makeLists() {
  one("#players .withdraw").addEventListener("click", openWithdrawal);
  one("#players .close").addEventListener("click", openEnd);
}
