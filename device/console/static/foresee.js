// Before something is done, the sentence of what it will change: asked for once nothing more was touched for a moment.

import { attr, put } from "./dom.js";
import { ask } from "./post.js";

const AFTER_MS = 250; // after the last touch

const asking = new WeakMap(); // what each line waits for now

// Puts into `line` what posting `body` to `path` says; null: there is nothing to ask yet.
export function foresee(line, path, body) {
  const mine = {};
  asking.set(line, mine);
  if (body === null) return put(line, "");
  setTimeout(async () => {
    if (asking.get(line) !== mine) return; // touched again, or closed
    const answer = await ask(path, body);
    if (asking.get(line) !== mine) return;
    put(line, answer.text);
    attr(line, "data-ok", answer.ok);
  }, AFTER_MS);
}
