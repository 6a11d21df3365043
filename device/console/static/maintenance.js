// The maintenance: shows the release and what the box said, has the doctor look, and brings another release.

import { attr, one, phrase, put, show } from "./dom.js";
import { LANGUAGE } from "../words.js";
import { drawFindings } from "./findings.js";
import { SILENT, ask, makePeople, notice, showHeard, tell } from "./link.js";

const AGAIN_MS = 1000;
const ORDER = ["fail", "warn", "ok", "not here"];
let latest = null;
let sending = false; // a file, from this page
let timer = 0;

const when = (at) => new Date(at).toLocaleString(LANGUAGE, { dateStyle: "long", timeStyle: "short" });
const verdicts = (findings, verdict) => findings.filter((each) => each.verdict === verdict).length;

function checkWords({ checking, checked, findings, trouble }) {
  if (checking) return phrase("Checking… This takes up to a minute, and a game goes on meanwhile.");
  if (trouble) return trouble;
  if (!checked) return phrase("Looks at the camera, pins, card, network and more, while a game goes on.");
  const counts = { failed: verdicts(findings, "fail"), warned: verdicts(findings, "warn"), well: verdicts(findings, "ok") };
  const found = phrase("{failed} failed, {warned} could be better, {well} fine", counts);
  return phrase("{found}, on {date}.", { found, date: when(checked) });
}

// As the system's log writes it, by this device's clock: a line each, the newest at the end.
function logText(lines) {
  const time = (at) => new Date(at).toLocaleString("sv");
  return lines.map(({ at, text }) => `${time(at)}  ${text}`).join("\n");
}

function drawLog(lines) {
  const area = one("#log textarea");
  const text = logText(lines) || phrase("Nothing was said in the last day.");
  if (area.value === text) return;
  area.value = text;
  area.scrollTop = area.scrollHeight;
}

// Another release: its file goes to the box, and the box says how its installer gets on.

function drawUpdate({ why_not: whyNot, previous, busy, text, tone, said }) {
  const section = one("#update");
  put(one(".why-not", section), whyNot);
  show(one(".why-not", section), whyNot !== "");
  show(one("form", section), whyNot === "");
  one("form button", section).disabled = busy || sending;
  if (!sending) drawCourse(text, tone);
  put(one("pre", section), said);
  show(one("details", section), said !== "");
  put(one("#roll-back"), phrase("Go back to {version}", { version: previous }));
  show(one("#roll-back"), previous !== "");
  one("#roll-back").disabled = busy || sending;
}

function drawCourse(text, tone = "info") {
  put(one("#update .course"), text);
  attr(one("#update .course"), "data-tone", tone);
}

const inMb = (bytes) => Math.ceil(bytes / 1e6);

function drawSent({ loaded, total }) {
  attr(one("#update progress"), "value", loaded / total);
  drawCourse(phrase("{sent} of {all} MB are at the box.", { sent: inMb(loaded), all: inMb(total) }));
}

// Not by fetch, which does not say how far it is.
function send(file, ticket) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("PUT", "maintenance/release");
    request.setRequestHeader("callbox-ticket", ticket);
    request.responseType = "json";
    request.upload.addEventListener("progress", drawSent);
    request.addEventListener("loadend", () => resolve(request.response ?? SILENT));
    request.send(file);
  });
}

async function install(event) {
  event.preventDefault();
  const form = event.target;
  const file = new FormData(form).get("release");
  const awaited = await tell("/maintenance/receive", { name: file.name, size_bytes: file.size });
  if (!awaited.ok) return;
  sending = true;
  drawUpdate({ ...latest.update, said: "" });
  show(one("#update progress"), true);
  const answer = await send(file, awaited.ticket);
  sending = false;
  show(one("#update progress"), false);
  if (answer.ok) form.reset();
  else notice(answer.text);
  look();
}

async function rollBack() {
  const answer = await tell("/maintenance/roll-back", {});
  if (answer.ok) look();
}

function draw(shown) {
  latest = shown;
  put(one("#version"), shown.release ? phrase("Callbox {version}, release {release}", shown) : phrase("Callbox {version}", shown));
  put(one("#since"), phrase("Running since {date}.", { date: when(shown.since) }));
  put(one("#check [role=status]"), checkWords(shown));
  attr(one("#check"), "aria-busy", shown.checking ? "true" : null);
  one("#check button").disabled = shown.checking;
  const order = (each) => ORDER.indexOf(each.verdict);
  drawFindings(one("#findings"), [...shown.findings].sort((each, other) => order(each) - order(other)));
  drawUpdate(shown.update);
  drawLog(shown.log);
  show(one("#maintenance"), true);
}

function take(shown) {
  showHeard(shown);
  if (shown === SILENT && latest?.update.busy) return drawCourse(phrase("The box is away while the release is changed; this page waits for it."));
  put(one("#trouble p"), shown.log ? "" : (shown.text ?? ""));
  show(one("#trouble"), !shown.log);
  if (shown.log) draw(shown);
  else show(one("#maintenance"), false);
}

async function look() {
  clearTimeout(timer);
  const shown = await ask("/maintenance/look", {});
  take(shown);
  if (shown === SILENT || shown.checking || shown.update?.busy) timer = setTimeout(look, AGAIN_MS);
}

async function check() {
  one("#check button").disabled = true;
  const shown = await tell("/maintenance/check", {});
  if (!shown.log) {
    one("#check button").disabled = false;
    return;
  }
  take(shown);
  timer = setTimeout(look, AGAIN_MS);
}

// A page that came over plain http has no other way to the clipboard.
function copy() {
  one("#log textarea").select();
  if (document.execCommand("copy")) notice(phrase("Copied."), "good");
  else notice(phrase("Copy the marked text by hand."));
}

function save() {
  const text = `Callbox ${latest.version} ${latest.release}`.trim();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${text}\n${one("#log textarea").value}\n`], { type: "text/plain" }));
  link.download = `callbox-log-${new Date().toLocaleDateString("sv")}.txt`;
  link.click();
  URL.revokeObjectURL(link.href);
}

one("#check button").addEventListener("click", check);
one("#update form").addEventListener("submit", install);
one("#roll-back").addEventListener("click", rollBack);
one("#copy").addEventListener("click", copy);
one("#save").addEventListener("click", save);
makePeople(() => latest === null && look());
look();
