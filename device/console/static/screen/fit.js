// Makes words as large as their place allows, so that nothing ever has to scroll.

const STEPS = 7;
const WHOLE = 0.5; // so much smaller are words made before one is broken in two

const fits = (node) => node.scrollHeight <= node.clientHeight + 1 && node.scrollWidth <= node.clientWidth + 1;

// The largest size between two at which the words fit; the lesser one where none does.
function largest(node, low, high) {
  const set = (size) => (node.style.fontSize = `${size}rem`);
  set(high);
  if (fits(node)) return true;
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    set(middle);
    if (fits(node)) low = middle;
    else high = middle;
  }
  set(low);
  return fits(node);
}

// Sets the size of a node's words, in hundredths of the screen's width, between `least` and `most`. Its own place in the
// page has to be fixed: what does not fit at the least is cut off.
export function fit(node, most, least) {
  if (node.clientHeight === 0 && node.textContent === "") return;
  const place = node.parentElement;
  const key = [node.textContent, node.clientWidth, place.clientWidth, place.clientHeight, most, innerWidth, innerHeight].join(" ");
  if (node.dataset.fitted === key) return; // measuring costs a layout
  node.style.overflowWrap = "normal";
  if (!largest(node, Math.max(most * WHOLE, least), most)) {
    node.style.overflowWrap = "anywhere";
    largest(node, least, most);
  }
  node.dataset.fitted = key;
}

export function fitAll(root, selector, most, least) {
  for (const node of root.querySelectorAll(selector)) fit(node, most, least);
}
