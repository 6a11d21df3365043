// The settings: shows what the owner's file says, sends what was changed, and has the box start again.

import { attr, el, one, phrase, put, show } from "./dom.js";
import { SILENT, ask, makePeople, notice, showHeard, tell } from "./link.js";

const AGAIN_MS = 1000;
let latest = null;

const controlOf = (key) => one(`[name="${key}"]`);

function control(setting) {
  const { key, kind, value } = setting;
  const props = { id: key, name: key, "aria-describedby": `${key}-hint` };
  if (kind === "choice") return el("select", props, ...setting.choices.map((each) => el("option", { value: each.value, text: each.text, selected: each.value === value })));
  if (kind === "switch") return el("input", { ...props, type: "checkbox", checked: value });
  if (kind === "number") return el("input", { ...props, type: "number", inputmode: "numeric", min: setting.least, max: setting.most, step: setting.step, value: String(value) });
  return el("input", { ...props, type: "text", value: kind === "names" ? value.join(", ") : value, spellcheck: "false", autocapitalize: "off" });
}

// What is entered, as the file takes it; what is no number goes as it is, and the box says what is allowed.
function entered({ key, kind }) {
  const node = controlOf(key);
  if (kind === "switch") return node.checked;
  const text = node.value.trim();
  if (kind === "names") return text.split(",").map((name) => name.trim()).filter(Boolean);
  return kind === "number" && /^-?\d+$/.test(text) ? Number(text) : text;
}

function inWords({ kind, choices, unit }, value) {
  if (kind === "choice") return choices.find((each) => each.value === value)?.text ?? value;
  if (kind === "switch") return value ? phrase("on") : phrase("off");
  if (kind === "names") return value.join(", ") || "–";
  return unit ? `${value} ${unit}` : String(value);
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function hints(setting) {
  const { kind, value, shipped, unit, least, most } = setting;
  const range = kind === "number" ? (unit ? phrase("{least} to {most} {unit}", { least, most, unit }) : phrase("{least} to {most}", { least, most })) : "";
  const list = kind === "names" ? phrase("Separate names with commas.") : "";
  const was = same(value, shipped) ? "" : phrase("As shipped: {value}.", { value: inWords(setting, shipped) });
  const over = setting.overruled === undefined ? "" : phrase("This time the command line says: {value}.", { value: inWords(setting, setting.overruled) });
  const waits = setting.waits ? phrase("Waits for the restart.") : "";
  return [range && `${range}.`, list, was, over, waits].filter(Boolean).join(" ");
}

function row(setting) {
  const { key, kind, text } = setting;
  const name = el("label", { for: key, text });
  const parts = kind === "switch" ? [el("div", { class: "switch" }, control(setting), name)] : [name, control(setting)];
  return el("div", { class: "setting" }, ...parts, el("small", { id: `${key}-hint` }, `${hints(setting)} `, el("code", { text: key })));
}

function draw(shown) {
  latest = shown;
  one("#groups").replaceChildren(
    ...shown.groups.map(({ title, settings }, place) => el("section", { class: "card", role: "group", "aria-labelledby": `group-${place}` }, el("h2", { id: `group-${place}`, text: title }), ...settings.map(row))),
  );
  put(one("#file"), phrase("Everything is kept in {file}. Pins, wiring and the address of these pages are set in that file only.", { file: shown.file }));
  show(one("#settings"), true);
  show(one("#restart"), shown.waits);
  put(one("#restart p"), shown.restarts ? phrase("It takes about ten seconds. A game at the table resumes by itself.") : phrase("End Callbox with Ctrl-C and start it again. A game at the table resumes by itself."));
  show(one("#restart button"), shown.restarts);
}

function take(shown) {
  showHeard(shown);
  put(one("#trouble p"), shown.groups ? "" : (shown.text ?? ""));
  show(one("#trouble"), !shown.groups);
  if (shown.groups) draw(shown);
  else show(one("#settings"), false);
}

// A refusal names the setting: that one gets the focus.
function point(text) {
  for (const node of document.querySelectorAll("[aria-invalid]")) attr(node, "aria-invalid", null);
  const wrong = latest.groups.flatMap((group) => group.settings).find(({ key }) => text.includes(` ${key} `));
  if (!wrong) return;
  attr(controlOf(wrong.key), "aria-invalid", "true");
  controlOf(wrong.key).focus();
}

async function save(event) {
  event.preventDefault();
  const changed = latest.groups.flatMap((group) => group.settings).filter((each) => !same(entered(each), each.value));
  if (!changed.length) return notice(phrase("Nothing was changed."));
  attr(one("#settings"), "aria-busy", "true");
  const shown = await tell("/settings/change", { values: Object.fromEntries(changed.map((each) => [each.key, entered(each)])) });
  attr(one("#settings"), "aria-busy", null);
  if (!shown.groups) return point(shown.text);
  draw(shown);
  if (shown.waits) one("#restart").focus();
}

async function restart() {
  one("#restart button").disabled = true;
  const answer = await tell("/settings/restart", {});
  if (!answer.ok) {
    one("#restart button").disabled = false;
    return;
  }
  put(one("#restart p"), phrase("The box is restarting…"));
  awaitStart(latest.started);
}

// The page comes anew once another start of the box answers: in its language.
async function awaitStart(before) {
  const shown = await ask("/settings/look", {});
  if (shown.started && shown.started !== before) return location.reload();
  setTimeout(awaitStart, AGAIN_MS, before);
}

async function look() {
  const shown = await ask("/settings/look", {});
  take(shown);
  if (shown === SILENT) setTimeout(look, AGAIN_MS);
}

one("#settings").addEventListener("submit", save);
one("#restart button").addEventListener("click", restart);
makePeople(() => latest === null && look());
look();
