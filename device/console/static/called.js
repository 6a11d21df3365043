// Players whom a hall's desk has called to this table: one touch begins their match, or the table sends them back.

import { el, inWords, one, put, show } from "./dom.js";
import { may } from "./people.js";
import { phrase } from "./phrase.js";
import { tell } from "./post.js";

let shown = "";

function makeCalled(call) {
  const refuse = async (event) => {
    event.preventDefault();
    await tell("/call/refuse", { call: call.id, reason: new FormData(event.target).get("reason").trim() });
  };
  return [
    el("h2", { id: "called-title", text: phrase("The desk calls {players}", { players: inWords(call.players) }) }),
    el("p", { text: call.match }),
    el("button", { type: "button", class: "main begin", text: phrase("Begin the match"), onclick: (event) => event.detail < 2 && tell("/call/begin", { call: call.id }) }),
    el("details", {}, el("summary", { text: phrase("This table cannot take the match") }),
      el("form", { onsubmit: refuse },
        el("label", {}, el("span", { text: phrase("Why, for the organiser") }), el("input", { name: "reason", required: "", maxlength: 200, autocomplete: "off" })),
        el("button", { text: phrase("Send it to another table") }))),
    el("p", { class: "hint", hidden: "" }),
  ];
}

export function drawCalled({ call, stage, sign_off: result }) {
  const section = one("#called");
  show(section, call !== null && stage !== "playing");
  if (section.hidden) return;
  if (shown !== call.id) {
    shown = call.id;
    section.replaceChildren(...makeCalled(call));
  }
  const unsigned = result !== null && result.standing !== "signed";
  const why = unsigned ? phrase("The last result waits for the referee’s sign-off.") : "";
  show(one(".begin", section), !unsigned && may("lead"));
  show(one("details", section), may("lead"));
  put(one(".hint", section), why || (may("lead") ? "" : phrase("Who leads this table begins it.")));
  show(one(".hint", section), one(".hint", section).textContent !== "");
}
