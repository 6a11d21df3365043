// The head of each view: what the box says, and whether the page still hears it.

import { attr, one, put, show } from "./dom.js";
import { lostWords } from "./feed.js";
import { phrase } from "./phrase.js";
import { setLinked } from "./table.js";

// One of the boxes at the top, with its message; hidden when there is none.
export function say(box, message) {
  attr(box, "data-tone", message.tone);
  put(one("p", box), message.text);
  show(box, message.text !== "");
}

export function link(up, heard_ms) {
  setLinked(up);
  put(one("#link"), up ? phrase("Live") : lostWords(heard_ms));
  attr(one("#link"), "data-link", up ? "up" : "down");
}

one("#notice button").addEventListener("click", () => show(one("#notice"), false));
