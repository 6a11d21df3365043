// What people do goes to the box as JSON, sealed where it must be; what the box says to it comes back as a sentence.

import { one, put, show } from "./dom.js";
import { phrase } from "./phrase.js";
import { isStranger, known, mustSeal, newWord, seal, unseal } from "./seal.js";

const NOTICE_MS = 9000;
export const SILENT = { ok: false, text: phrase("The box did not answer. Check that it is on and that this device is in its network.") };
const STRANGER = { ok: false, text: phrase("This is not the box whose code was scanned. Scan the code on the box's own screen again.") };
let closing = 0;
let refused = () => {}; // what to do when the box says that this page may not do that

export function notice(text) {
  const box = one("#notice");
  put(one("p", box), text);
  show(box, text !== "");
  clearTimeout(closing);
  if (text) closing = setTimeout(() => notice(""), NOTICE_MS);
}

export function whenRefused(act) {
  refused = act;
}

function request(body) {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), cache: "no-store" };
}

// Beside the page, wherever a proxy has put it; what is sealed names the box's own path.
const addressOf = (path) => path.slice(1);

async function askSealed(path, body, again) {
  const { count, letter } = seal(path, body);
  const response = await fetch(addressOf(path), request(letter));
  const answer = await response.json();
  if (answer.word && again) {
    newWord(answer.word); // the box was started anew since
    return askSealed(path, body, false);
  }
  const said = unseal(answer, count) ?? (answer.sealed ? SILENT : answer);
  if (response.status === 403) refused(path);
  return said;
}

// Returns {ok, text}. Never throws: a box that cannot be reached is an answer too.
export async function ask(path, body) {
  try {
    if (!(await known())) return SILENT;
    if (!mustSeal(path)) return await (await fetch(addressOf(path), request(body))).json();
    return isStranger() ? STRANGER : await askSealed(path, body, true);
  } catch {
    return SILENT;
  }
}

export async function tell(path, body) {
  const answer = await ask(path, body);
  notice(answer.ok ? "" : answer.text || phrase("The box did not take that."));
  return answer;
}

// For the moment at which the page goes away: sent at once, with nobody left to hear the answer.
export function farewell(path, body) {
  if (isStranger()) return;
  fetch(addressOf(path), { ...request(mustSeal(path) ? seal(path, body).letter : body), keepalive: true }).catch(() => {});
}
