// What pages work out by themselves, in Node.js: no browser, no box. Run by test_scripts.py, which puts the scripts and
// what a French-speaking box makes for them (words, rulebooks) into the folder PAGES.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const script = (name) => import(pathToFileURL(`${process.env.PAGES}/static/${name}.js`));

// As much of a page as the scripts touch: elements with attributes, and what a browser keeps.
const element = (tag) => ({ tag, attributes: {}, kids: [], setAttribute(name, value) { this.attributes[name] = value; }, append(...kids) { this.kids.push(...kids); } });
const kept = new Map();
Object.assign(globalThis, {
  self: globalThis,
  location: { hash: "", search: "" },
  document: { createElement: element, createElementNS: (_, tag) => element(tag) },
  localStorage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) },
});

test("a number decides the form as French has it", async () => {
  const { phraseCount } = await script("dom");
  assert.deepEqual([0, 1, 2].map((count) => phraseCount("dot", "dots", count)), ["point de couleur", "point de couleur", "points de couleur"]);
});

test("values go into a sentence, translated or not", async () => {
  const { phrase } = await script("dom");
  assert.equal(phrase("nobody has translated {what} yet", { what: "this" }), "nobody has translated this yet");
});

const edges = ({ attributes: { x, y, width, height } }) => ({ left: x, right: x + width, top: y, bottom: y + height });
const overlap = (a, b) => a.left < b.right - 1e-6 && b.left < a.right - 1e-6 && a.top < b.bottom - 1e-6 && b.top < a.bottom - 1e-6;

test("words on a picture lie on no die, on no other words, and inside", async () => {
  const { labels } = await script("drawings");
  const things = [0, 1, 2, 3, 4].map((nth) => ({ x: 300 + 45 * nth, y: 240, half: 20, words: "square", kind: "read" }));
  things.push({ x: 15, y: 15, half: 12, words: "a corner", kind: "read" });
  const boxes = labels(things, 640, 480).map(({ kids }) => edges(kids.find((kid) => kid?.tag === "rect")));
  const dice = things.map(({ x, y, half }) => ({ left: x - half, right: x + half, top: y - half, bottom: y + half }));
  boxes.forEach((box, nth) => {
    assert.ok(box.left >= 0 && box.top >= 0 && box.right <= 640 && box.bottom <= 480, `${nth} is outside`);
    assert.ok(!dice.some((die) => overlap(box, die)), `${nth} lies on a die`);
    assert.ok(!boxes.some((other, at) => at !== nth && overlap(box, other)), `${nth} lies on other words`);
  });
});

test("an option means something only with the mode that it belongs to", async () => {
  const { applies, optionName, seatsOf, valueForFew } = await script("game");
  const { RULEBOOKS } = await import(pathToFileURL(`${process.env.PAGES}/rulebooks.js`));
  let bound = 0;
  for (const [name, { options }] of Object.entries(RULEBOOKS)) {
    const game = { name, options: Object.fromEntries(Object.entries(options).map(([option, { values }]) => [option, Object.keys(values)])), seats_min: 1, seats_max: 8 };
    for (const [option, { only_with: needs, name: title, seats }] of Object.entries(options)) {
      if (title) assert.equal(optionName(name, option), title);
      for (const [other, values] of Object.entries(needs)) {
        bound += 1;
        assert.equal(applies(game, { [other]: "nothing of the kind" }, option), false);
        const fit = Object.fromEntries(Object.entries(needs).map(([each, allowed]) => [each, allowed[0]]));
        assert.equal(applies(game, fit, option), values.includes(fit[other]));
      }
      for (const [value, [least, most]] of Object.entries(seats)) {
        assert.deepEqual(seatsOf(game, { [option]: value }), [Math.max(least, 1), Math.min(most, 8)]);
        assert.notEqual(valueForFew(game, least), "");
      }
    }
  }
  assert.ok(bound > 5);
});

test("a page seals for the box alone, and takes no answer to another question", async () => {
  await import(pathToFileURL(`${process.env.PAGES}/static/nacl.min.js`));
  const { nacl } = globalThis;
  const text = (bytes) => Buffer.from(bytes).toString("base64");
  const box = nacl.box.keyPair();
  globalThis.fetch = async () => ({ json: async () => ({ key: text(box.publicKey), word: "of today", table: "club", offices: [] }) });
  const { identifyBox, mustSeal, seal, unseal } = await script("link");
  assert.equal((await identifyBox()).table, "club");
  assert.ok(mustSeal("/bets"));
  const { count, letter } = seal("/bets", { player: "Ann", dots: 4 });
  const [key, nonce, sealed] = [letter.key, letter.nonce, letter.sealed].map((said) => Buffer.from(said, "base64"));
  const opened = nacl.box.open(sealed, nonce, key, box.secretKey);
  assert.equal(opened.length % 512, 0);
  assert.deepEqual(JSON.parse(Buffer.from(opened).toString()), { word: "of today", count, path: "/bets", body: { player: "Ann", dots: 4 } });
  assert.equal(nacl.box.open(sealed, nonce, key, nacl.box.keyPair().secretKey), null);
  const answer = (to) => {
    const fresh = nacl.randomBytes(nacl.box.nonceLength);
    const told = Buffer.from(JSON.stringify({ count: to, said: { ok: true } }));
    return { sealed: text(nacl.box(told, fresh, key, box.secretKey)), nonce: text(fresh) };
  };
  assert.deepEqual(unseal(answer(count), count), { ok: true });
  assert.equal(unseal(answer(count - 1), count), null);
  assert.ok(seal("/bets", {}).count > count);
});

const shown = (changes, game = {}) => ({
  game_id: 1, stage: "playing", ask: "", paused: false, tournament: 0, message: { text: "", tone: "info" }, landing: null, films: null, sign_off: null,
  table: { reading_id: 0, dice: [] }, ...changes,
  game: { line: "a", players: ["Ann", "Bea"], scores: [0, 0], bets: [], pads: [], landings: [], winners: [], running: null, ...game },
});

test("the big screen shows a throw for its time, and then the scores", async () => {
  const { LASTS_MS, advance, begin } = await script("moments");
  const thrown = shown({ table: { reading_id: 1, dice: [{}] } }, { line: "b" });
  let state = advance(begin(), shown({}), 0);
  assert.equal(state.moment.name, "scores");
  state = advance(state, thrown, 100);
  assert.equal(state.moment.name, "throw");
  assert.equal(advance(state, thrown, 100 + LASTS_MS.throw - 1).moment.name, "throw");
  assert.equal(advance(state, thrown, 100 + LASTS_MS.throw).moment.name, "scores");
  assert.equal(advance(state, shown({ ask: "correct" }, { line: "b" }), 200).moment.name, "question");
});
