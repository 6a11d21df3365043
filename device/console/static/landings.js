// The landings of this game that count, for the referee: each with its close-up, to confirm or to change.

import { attr, el, keep, one, put, show } from "./dom.js";
import { hasFilm, watchFilm } from "./film.js";
import { named, ruleOn } from "./landing.js";
import { phrase, phraseCount } from "./phrase.js";
import { tell } from "./post.js";

const box = { game: null, pasts: new Map(), confirming: new Set() };

async function confirm(number, event) {
  if (box.confirming.has(number) || event.detail > 1) return; // the second half of a double click meant the first one
  const { landed, landing } = box.pasts.get(number);
  box.confirming.add(number);
  await tell("/rulings", { event: { event: "refereed", landed, reason: "confirmed", landing } });
  box.confirming.delete(number);
}

function makeLanding({ landing }) {
  return el(
    "li",
    {},
    el("a", { target: "_blank" }, el("img", { alt: "", loading: "lazy" })),
    el("p", { class: "words" }),
    el("p", { class: "hint ruled" }),
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", class: "quiet confirm", text: phrase("Confirm"), onclick: (event) => confirm(landing, event) }),
      el("button", { type: "button", class: "quiet watch", text: phrase("Watch"), hidden: true, onclick: () => watchFilm(box.pasts.get(landing).reading) }),
      el("button", { type: "button", class: "quiet change", text: phrase("Change"), onclick: () => ruleOn(box.pasts.get(landing)) }),
    ),
  );
}

function drawOne(node, past) {
  put(one(".words", node), named(past));
  put(one(".ruled", node), past.ruled && phrase("Ruled by {name}", { name: past.ruled }));
  const link = one("a", node);
  const image = one("img", link);
  show(image, past.evidence !== "");
  const address = past.evidence ? `evidence/${past.reading}.jpg?of=${encodeURIComponent(`${box.game}/${past.evidence}`)}` : null;
  attr(link, "href", address);
  attr(image, "src", address);
  attr(image, "alt", past.evidence ? phrase("Close-up of landing {number}", { number: past.landing }) : "");
  show(one(".watch", node), hasFilm(past.reading));
  const number = past.landing;
  attr(one(".confirm", node), "aria-label", phrase("Confirm landing {number}", { number }));
  attr(one(".watch", node), "aria-label", phrase("Watch landing {number}", { number }));
  attr(one(".change", node), "aria-label", phrase("Change landing {number}", { number }));
}

export function drawLandings(snapshot) {
  const section = one("#landings");
  const pasts = snapshot.game?.landings ?? [];
  show(section, pasts.length > 0);
  if (section.hidden) return;
  if (!section.firstElementChild) {
    section.append(
      el(
        "details",
        {},
        el("summary", {}, el("h2", { id: "landings-title" })),
        el("p", { class: "hint", text: phrase("The newest first. Confirming or changing one is kept in the journal, and what followed is scored again.") }),
        el("ol"),
      ),
    );
  }
  box.game = snapshot.game_id;
  box.pasts = new Map(pasts.map((past) => [past.landing, past]));
  put(one("#landings-title"), phraseCount("The landing of this game", "The last {count} landings", pasts.length));
  keep(one("ol", section), pasts, (past) => past.landing, makeLanding, drawOne);
  const asked = snapshot.ask === "landing"; // first the throw in question
  for (const button of section.querySelectorAll("button:not(.watch)")) button.disabled = asked;
}
