// What people do goes to the box as JSON; what the box says to it comes back as a sentence.

import { one, put, show } from "./dom.js";

const NOTICE_MS = 9000;
let closing = 0;

export function notice(text) {
  const box = one("#notice");
  put(one("p", box), text);
  show(box, text !== "");
  clearTimeout(closing);
  if (text) closing = setTimeout(() => notice(""), NOTICE_MS);
}

// Returns {ok, text}. Never throws: a box that cannot be reached is an answer too.
export async function ask(path, body) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      cache: "no-store",
    });
    return await response.json();
  } catch {
    return { ok: false, text: "The box did not answer. Check that it is on and that this device is in its network." };
  }
}

export async function tell(path, body) {
  const answer = await ask(path, body);
  notice(answer.ok ? "" : answer.text || "The box did not take that.");
  return answer;
}

// For the moment at which the page goes away: sent at once, with nobody left to hear the answer.
export function farewell(path, body) {
  fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    keepalive: true,
  }).catch(() => {});
}
