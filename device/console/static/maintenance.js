// The maintenance: shows the release and what the box said, and has the doctor look.

import { attr, one, phrase, put, show } from "./dom.js";
import { LANGUAGE } from "../words.js";
import { drawFindings } from "./findings.js";
import { SILENT, ask, makePeople, notice, showHeard, tell } from "./link.js";

const AGAIN_MS = 1000;
const INSTALLER = "sudo /opt/callbox/current/systemd/install.sh";
const ORDER = ["fail", "warn", "ok", "not here"];
let latest = null;
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

function draw(shown) {
  latest = shown;
  put(one("#version"), shown.release ? phrase("Callbox {version}, release {release}", shown) : phrase("Callbox {version}", shown));
  show(one("#update"), shown.release !== "");
  put(one("#install"), `${INSTALLER} --from callbox-VERSION.tar.gz`);
  put(one("#roll-back"), `${INSTALLER} --roll-back`);
  put(one("#since"), phrase("Running since {date}.", { date: when(shown.since) }));
  put(one("#check [role=status]"), checkWords(shown));
  attr(one("#check"), "aria-busy", shown.checking ? "true" : null);
  one("#check button").disabled = shown.checking;
  const order = (each) => ORDER.indexOf(each.verdict);
  drawFindings(one("#findings"), [...shown.findings].sort((each, other) => order(each) - order(other)));
  drawLog(shown.log);
  show(one("#maintenance"), true);
}

function take(shown) {
  showHeard(shown);
  put(one("#trouble p"), shown.log ? "" : (shown.text ?? ""));
  show(one("#trouble"), !shown.log);
  if (shown.log) draw(shown);
  else show(one("#maintenance"), false);
}

async function look() {
  clearTimeout(timer);
  const shown = await ask("/maintenance/look", {});
  take(shown);
  if (shown === SILENT || shown.checking) timer = setTimeout(look, AGAIN_MS);
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
one("#copy").addEventListener("click", copy);
one("#save").addEventListener("click", save);
makePeople(() => latest === null && look());
look();
