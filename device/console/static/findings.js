// A list of findings, of the doctor's or a picture's: how each thing is, and what mends it.

import { attr, el, keep, one, put, show } from "./dom.js";

export function drawFindings(list, findings, named = true) {
  keep(
    list,
    findings,
    (each) => each.name,
    () => el("li", {}, el("p"), el("code")),
    (node, each) => {
      attr(node, "data-verdict", each.verdict);
      const words = named ? [el("b", { text: each.name }), ` ${each.text}`] : [each.text];
      if (one("p", node).textContent !== words.map((word) => word.textContent ?? word).join("")) one("p", node).replaceChildren(...words);
      put(one("code", node), each.fix ?? "");
      show(one("code", node), Boolean(each.fix));
    },
  );
}
