// Before a game: who plays, by which rules, and the codes that phones scan.

import { attr, el, grouped, inWords, keep, one, phrase, phraseCount, put, randomWord, show } from "./dom.js";
import { drawBest, face, nextMatch } from "./drawings.js";
import { ask, isFamily, may, notice, tell } from "./link.js";
import { isHandBusy } from "./table.js";
import { applies, hintOf, inFront, namesPlayer, onlyOnce, optionName, optionValue, seatsOf, valueForFew } from "./game.js";

// The persons who play here: a tap seats one in the lobby; a dialog names somebody new, or changes what is known.

const COLOR_NAMES = {
  red: phrase("red"),
  orange: phrase("orange"),
  yellow: phrase("yellow"),
  green: phrase("green"),
  teal: phrase("teal"),
  blue: phrase("blue"),
  purple: phrase("purple"),
  pink: phrase("pink"),
};
const COLORS = Object.keys(COLOR_NAMES);

let roster = [];
let asking = null;

export async function loadPersons() {
  asking ??= fetch("persons").then((response) => (response.ok ? response.json() : null)).catch(() => null);
  const told = await asking;
  asking = null;
  roster = told?.persons ?? roster;
  return roster;
}

const same = (one, other) => one.trim().toLowerCase() === other.trim().toLowerCase();
export const isSeated = (names, person) => names.some((name) => same(name, person.name));
export const dot = (color) => el("span", { class: "person-color", "data-color": color, "aria-hidden": "true" });

function field(words, props, value = "") {
  const input = el("input", { autocomplete: "off", ...props });
  input.value = value;
  return el("label", { class: "option" }, el("span", { text: words }), input);
}

async function save(event, done) {
  event.preventDefault();
  const form = new FormData(event.target);
  const fresh = form.get("new_pin").trim();
  const body = { name: form.get("name").trim(), color: form.get("color"), pin: form.get("pin")?.trim() ?? "" };
  if (fresh || form.get("no_pin")) body.new_pin = form.get("no_pin") ? "" : fresh;
  if ((await tell("/persons", body)).ok) await done();
}

async function forget(form, person, done) {
  const pin = new FormData(form).get("pin")?.trim() ?? "";
  if ((await tell("/persons/forget", { name: person.name, pin })).ok) await done();
}

function colors(person) {
  const now = person?.color ?? COLORS[roster.length % COLORS.length];
  const choice = (color) => el("label", { class: "choice" }, el("input", { type: "radio", name: "color", value: color, checked: color === now }), el("span", {}, dot(color), COLOR_NAMES[color]));
  return el("fieldset", {}, el("legend", { text: phrase("Colour") }), el("div", { class: "choices" }, ...COLORS.map(choice)));
}

function openPerson(person, redraw) {
  const dialog = one("#person");
  const done = async () => {
    dialog.close();
    await loadPersons();
    redraw();
  };
  const title = person ? person.name : phrase("New player");
  const form = el(
    "form",
    { autocomplete: "off", onsubmit: (event) => save(event, done) },
    field(phrase("Name"), { name: "name", maxlength: 40, required: true, readonly: person !== null }, person?.name),
    colors(person),
    person?.has_pin ? field(phrase("PIN now"), { name: "pin", type: "password", inputmode: "numeric", maxlength: 12 }) : null,
    field(person?.has_pin ? phrase("New PIN, to change it") : phrase("PIN, if you like: 4 to 12 digits"), { name: "new_pin", type: "password", inputmode: "numeric", maxlength: 12 }),
    person?.has_pin ? el("label", { class: "check" }, el("input", { type: "checkbox", name: "no_pin" }), ` ${phrase("No PIN any more")}`) : null,
    el("p", { class: "hint", text: phrase("With a PIN nobody else changes this, or takes this seat on a phone.") }),
    el("div", { class: "row" }, el("button", { class: "main", text: phrase("Keep") }), el("button", { type: "button", class: "quiet", text: phrase("Close"), onclick: () => dialog.close() })),
  );
  const more = person
    ? el("div", { class: "row" }, el("a", { href: `history?player=${encodeURIComponent(person.name)}`, text: phrase("{name}’s games", { name: person.name }) }), el("button", { type: "button", class: "quiet", text: phrase("Forget"), onclick: () => forget(form, person, done) }))
    : null;
  dialog.replaceChildren(el("h2", { id: "person-title", text: title }), form, ...(more ? [more] : []));
  dialog.showModal();
}

// The list for a form in which players are named: `names` tells who is in it, `toggle` puts a name in or takes it out.
export function makePersons(names, toggle) {
  const list = el("ul", { class: "persons" });
  const box = el("div", { class: "persons-box" }, list);
  const redraw = () => {
    keep(
      list,
      [...roster, null],
      (person) => (person ? `${person.name} ${person.color} ${person.has_pin}` : "new"),
      (person) => {
        if (!person) return el("li", {}, el("button", { type: "button", class: "quiet", text: phrase("New player…"), onclick: () => openPerson(null, redraw) }));
        const seat = el("button", { type: "button", class: "person", onclick: () => { toggle(person.name); redraw(); } }, dot(person.color), el("span", { text: person.name }));
        const change = el("button", { type: "button", class: "quiet small", text: "…", "aria-label": phrase("About {name}", { name: person.name }), onclick: () => openPerson(person, redraw) });
        return el("li", {}, seat, change);
      },
      (node, person) => person && attr(one(".person", node), "aria-pressed", isSeated(names(), person)),
    );
    show(box, may("lead"));
  };
  redraw();
  loadPersons().then(redraw);
  return { box, redraw };
}

// Before the game: which one, who plays, with which rules. After it: who won, and once more.

const choice = { game: "", players: [], options: {}, again: false };
let choices = [];
let serial = 0;
let offered = "";
let proposed = null; // the game that was named at the start of the box, taken up once

const newPlayer = (name) => ({ id: (serial += 1), name });
const chosen = () => choices.find((each) => each.name === choice.game);
const names = () => choice.players.map((player) => player.name.trim()).filter(Boolean);

function optionsToSend() {
  const game = chosen();
  const sent = {};
  for (const [name, values] of Object.entries(game.options)) {
    const value = choice.options[name]?.trim() || (onlyOnce(game.name, name) ? randomWord() : "");
    if (applies(game, choice.options, name) && value && value !== values[0]) sent[name] = value;
  }
  return sent;
}

function trouble() {
  const game = chosen();
  const who = names();
  const twice = who.find((name, index) => who.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < index);
  if (twice) return phrase("Two players are called {name}. Give one of them another name.", { name: twice });
  const [least, most] = seatsOf(game, choice.options);
  const solo = who.length < least ? valueForFew(game, who.length) : "";
  const told = { game: game.title, solo, count: least };
  if (solo) return phrase("{game} needs at least {count} players. Write their names above, or choose {solo} below.", told);
  if (who.length < least) return phraseCount("{game} needs at least {count} player. Write their names above.", "{game} needs at least {count} players. Write their names above.", least, told);
  if (who.length > most) return most === 1 ? phrase("{solo} is for 1 player. Remove one.", { solo: valueForFew(game, 1) || game.title }) : phraseCount("{game} is for at most {count} player. Remove one.", "{game} is for at most {count} players. Remove one.", most, { game: game.title });
  return "";
}

async function start(event) {
  event.preventDefault();
  const words = trouble();
  put(one("#lobby .trouble"), words);
  if (words || one("#lobby button.main[aria-busy]")) return;
  const button = one("#lobby button.main");
  attr(button, "aria-busy", true);
  put(button, phrase("Starting…"));
  const answer = await tell("/games", { game: choice.game, players: names(), options: optionsToSend() });
  attr(button, "aria-busy", null);
  put(button, phrase("Start the game"));
  if (!answer.ok) return;
  choice.again = false;
  drawLobby(latest);
}

function move(player, by) {
  const from = choice.players.indexOf(player);
  const to = from + by;
  if (to < 0 || to >= choice.players.length) return;
  choice.players.splice(to, 0, ...choice.players.splice(from, 1));
  drawForm();
}

function makePlayer(player) {
  const input = el("input", {
    maxlength: 40,
    autocomplete: "off",
    autocapitalize: "words",
    spellcheck: "false",
    oninput: () => { player.name = input.value; drawOptions(); },
  });
  input.value = player.name;
  const small = (text, label, act) => el("button", { type: "button", class: "quiet small", title: label, "data-label": label, text, onclick: act });
  return el(
    "li",
    {},
    el("span", { class: "seat" }),
    input,
    small("↑", phrase("Sit earlier"), () => move(player, -1)),
    small("↓", phrase("Sit later"), () => move(player, 1)),
    small("×", phrase("Remove"), () => { choice.players = choice.players.filter((each) => each !== player); drawForm(); one("#lobby .add").focus(); }),
  );
}

function drawPlayers() {
  const [least, most] = seatsOf(chosen(), choice.options);
  while (choice.players.length < least) choice.players.push(newPlayer(""));
  keep(one("#lobby .seats"), choice.players, (player) => player.id, makePlayer, (node, player, index) => {
    attr(one(".seat", node), "class", `seat seat${index + 1}`);
    put(one(".seat", node), String(index + 1));
    attr(one("input", node), "aria-label", phrase("Player {number}", { number: index + 1 }));
    for (const button of node.querySelectorAll("button")) attr(button, "aria-label", phrase("{act}: player {number}", { act: button.dataset.label, number: index + 1 }));
  });
  show(one("#lobby .add"), choice.players.length < most);
}

function optionField(name, values) {
  const pick = (event) => { choice.options[name] = event.target.value; drawPlayers(); drawOptions(); };
  const typed = !values.length && !namesPlayer(choice.game, name);
  const field = typed ? el("input", { oninput: pick, maxlength: 80, autocomplete: "off", placeholder: hintOf(choice.game, name), value: choice.options[name] }) : el("select", { onchange: pick });
  return el("label", { class: "option" }, el("span", { text: optionName(choice.game, name) }), field);
}

function drawOptions() {
  const game = chosen();
  const entries = Object.entries(game.options).filter(([name]) => applies(game, choice.options, name));
  const front = entries.filter(([name]) => inFront(game, name));
  const rest = entries.filter(([name]) => !inFront(game, name));
  drawFields(one("#lobby .rules > .options"), front);
  drawFields(one("#lobby .more-rules > .options"), rest);
  show(one("#lobby .rules"), entries.length > 0);
  show(one("#lobby .more-rules"), rest.length > 0);
}

function drawFields(list, entries) {
  keep(list, entries, ([name]) => `${choice.game} ${name}`, ([name, values]) => optionField(name, values), (node, [name, values]) => {
    const select = one("select", node);
    if (!select) return;
    const list = values.length ? values.map((value) => [value, optionValue(choice.game, name, value)]) : [["", phrase("the one named first")], ...names().map((who) => [who, who])];
    keep(select, list, ([value]) => value, ([value, text]) => el("option", { value, text }));
    const value = choice.options[name] ?? "";
    select.value = list.some(([each]) => each === value) ? value : list[0][0];
  });
}

function drawForm() {
  const game = chosen();
  for (const input of document.querySelectorAll("#lobby [name=game]")) input.checked = input.value === choice.game;
  drawPlayers();
  drawOptions();
  one("#lobby .more-rules").open = Object.keys(choice.options).some((name) => !inFront(game, name)); // nothing agreed is hidden
  put(one("#lobby .trouble"), "");
}

function pickGame(name) {
  choice.game = name;
  choice.options = latest.simulated && chosen().options.deck ? { ...NO_REAL_DECK } : {};
}

const NO_REAL_DECK = { deck: "box" }; // nobody draws from a deck of cards at a simulated table

// What a card of the lobby says beside the players: the game in a sentence, some of its dice, and about how many minutes.
const ABOUT = {
  zoinx: { words: phrase("Bet in secret how many dots a turn will bring; then roll on, or stop in time."), dice: [["zoinx", "dot"], ["zoinx", "square"], ["zoinx", "dot"]], minutes: 20 },
  zonk: { words: phrase("Pocket what scores, cast the rest, and meet three quotas. Cards bend the rules."), dice: [["pip", 5], ["pip", 1], ["d4", 3]], minutes: 30 },
  "ten-thousand": { words: phrase("Set scoring dice aside, and bank before a roll brings nothing."), dice: [["pip", 1], ["pip", 1], ["pip", 5]], minutes: 30 },
  "end-zone": { words: phrase("Roll a die down the table: its number times the zone it stops in is your score."), dice: [["pip", 6]], minutes: 20 },
  pig: { words: phrase("One die: roll on, or hold before a 1 takes it all."), dice: [["pip", 1]], minutes: 10 },
  tray: { words: phrase("No rules: any dice are read and added up."), dice: [["pip", 2], ["pip", 3], ["pip", 4]], minutes: 0 },
};

function gameCard(game) {
  const { seats_min: least, seats_max: most } = game;
  const { words, dice, minutes } = ABOUT[game.name] ?? { words: "", dice: [], minutes: 0 };
  const seats = least === most ? phraseCount("{count} player", "{count} players", most) : phrase("{least} to {most} players", { least, most });
  const pick = () => { pickGame(game.name); drawForm(); };
  return el(
    "label",
    { class: "choice game" },
    el("input", { type: "radio", name: "game", value: game.name, autocomplete: "off", onchange: pick }),
    el(
      "span",
      {},
      el("span", { class: "faces", "aria-hidden": "true" }, ...dice.map(([kind, value]) => face(kind, value))),
      el("b", { text: game.title }),
      el("small", { class: "about", text: words }),
      el("small", { text: minutes ? phrase("{seats}, about {minutes} minutes", { seats, minutes }) : seats }),
    ),
  );
}

// A person is seated at the first empty place, or stands up.
function toggle(name) {
  const sits = choice.players.find((player) => player.name.trim().toLowerCase() === name.toLowerCase());
  const empty = choice.players.find((player) => !player.name.trim());
  if (sits) choice.players = choice.players.filter((each) => each !== sits);
  else if (empty) Object.assign(empty, newPlayer(name)); // its field is made anew
  else choice.players.push(newPlayer(name));
  drawForm();
}

function skeleton(section) {
  const persons = makePersons(names, toggle);
  section.addEventListener("input", persons.redraw);
  section.replaceChildren(
    el("h2", { id: "lobby-title", text: phrase("A new game") }),
    el("p", {}, el("a", { href: "./?tournament", text: phrase("Or a tournament: draw one, or begin its next match") })),
    el(
      "form",
      { autocomplete: "off", onsubmit: start },
      el("fieldset", {}, el("legend", { text: phrase("Game") }), el("div", { class: "choices games" }, ...choices.map(gameCard))),
      el("fieldset", {}, el("legend", { text: phrase("Players, in the order in which they sit") }), persons.box, el("ol", { class: "seats" }),
        el("button", { type: "button", class: "quiet add", text: phrase("Add a player"), onclick: () => { choice.players.push(newPlayer("")); drawForm(); one("#lobby .seats li:last-child input").focus(); } })),
      el("fieldset", { class: "rules" }, el("legend", { text: phrase("Rules") }), el("div", { class: "options" }),
        el("details", { class: "more-rules" }, el("summary", { text: phrase("More rules") }), el("div", { class: "options" }))),
      el("p", { class: "trouble", role: "alert" }),
      el("div", { class: "row start" }, el("button", { class: "main", text: phrase("Start the game") }), el("button", { type: "button", class: "quiet back", text: phrase("Back"), onclick: goBack })),
    ),
  );
}

function goBack() {
  choice.again = false;
  drawLobby(latest);
}

// What was just played is what the lobby proposes next, but for a word that is good for one game only.
function takeOver(game) {
  choice.game = game.game;
  choice.players = game.players.map(newPlayer);
  choice.options = Object.fromEntries(Object.entries(game.options).filter(([name]) => !onlyOnce(game.game, name)));
}

function takeUp(asked) {
  if (!asked || JSON.stringify(asked) === proposed) return;
  proposed = JSON.stringify(asked);
  choice.game = asked.game;
  choice.options = { ...asked.options };
  if (asked.players.length) choice.players = asked.players.map(newPlayer);
}

// Who plays the next game, in their order: some rules have the loser of the last one begin.
const next = ({ again, game }) => again?.players ?? game.players;

// After a match of a tournament the next one is one touch away, here as on the tournament's own page.
const tournament = { changes: 0, next: null };

async function loadNextMatch(changes) {
  tournament.changes = changes;
  tournament.next = null;
  const told = await fetch("tournament", { cache: "no-store" }).then((answer) => answer.json()).catch(() => null);
  if (!told) return void (tournament.changes = 0); // the next snapshot asks again
  tournament.next = told.closed ? null : (told.matches.find((match) => match.number === told.next) ?? null);
  if (latest) drawEnding(latest);
}

function drawNextMatch(snapshot) {
  if (snapshot.tournament !== tournament.changes && snapshot.tournament > 0) loadNextMatch(snapshot.tournament);
  const next = snapshot.tournament > 0 && tournament.next?.state !== "begun" ? tournament.next : null;
  const waits = snapshot.sign_off !== null && snapshot.sign_off.standing !== "signed";
  const line = one("#ending .next");
  put(line, waits ? phrase("The result waits for the referee’s sign-off") : next ? nextMatch(next) : "");
  show(line, line.textContent !== "");
  const button = one("#ending .next-match");
  show(button, next !== null && !waits && may("lead"));
  one("#ending .again").classList.toggle("main", button.hidden);
  if (button.hidden) return;
  put(button, phrase("Begin: {match}", { match: phrase("{first} against {second}", { first: next.sides[0], second: next.sides[1] }) }));
  button.onclick = (event) => event.detail < 2 && tell("/tournament/begin", { match: next.number });
}

// Who has just played asks for a rematch, too, where no match and no sign-off comes first.
const mayAskAgain = ({ match, sign_off: stands }) => may("lead") || (may("rematch") && match === "" && (stands === null || stands.standing === "signed"));

// The same game once more with one press.
async function rematch(event, snapshot) {
  const button = event.currentTarget;
  if (event.detail > 1 || button.getAttribute("aria-busy")) return;
  const { game, again } = snapshot;
  const options = { ...game.options, ...again?.options };
  for (const name of Object.keys(options)) if (onlyOnce(game.game, name)) delete options[name]; // drawn anew by the box
  attr(button, "aria-busy", true);
  put(button, phrase("Starting…"));
  await tell("/games", { game: game.game, players: next(snapshot), options });
  attr(button, "aria-busy", null);
  if (latest) drawEnding(latest);
}

export function drawEnding(snapshot) {
  latest = snapshot;
  const section = one("#ending");
  const { game } = snapshot;
  show(section, snapshot.stage === "ended" && game !== null);
  if (section.hidden) return;
  if (!section.firstElementChild) {
    section.append(
      el("h2", { id: "ending-title" }),
      el("p", { class: "cause" }),
      el("ol", { class: "ranking" }),
      el("p", { class: "best" }, el("span", { class: "label", text: phrase("Best throw") }), el("span", { class: "player" }), el("span", { class: "faces" }), el("span", { class: "words" }), el("b")),
      el("p", { class: "next" }),
      el("div", { class: "row" }, el("button", { type: "button", class: "main next-match", hidden: true }), el("button", { type: "button", class: "main again" }), el("button", { type: "button", class: "quiet other", text: phrase("Another game") })),
      el("p", { class: "ways" }, el("a", { class: "replay-link" }, el("img", { class: "code", alt: "" }), phrase("This game, throw by throw")), el("a", { class: "bracket-link", href: "./?tournament", text: phrase("The bracket, and the next match") })),
    );
  }
  const ranking = game.players.map((name, index) => ({ name, score: game.scores[index], won: game.winners.includes(name) }));
  ranking.sort((a, b) => Number(b.won) - Number(a.won) || b.score - a.score);
  put(one("#ending-title"), game.winners.length ? phraseCount("{winners} wins", "{winners} share the win", game.winners.length, { winners: inWords(game.winners) }) : phrase("The game is over"));
  put(one(".cause", section), game.cause);
  keep(one(".ranking", section), ranking, (each) => `${each.name} ${each.score} ${each.won}`, (each) => el("li", { class: each.won ? "won" : "" }, el("span", { text: each.name }), el("b", { text: grouped(each.score) })));
  show(one(".bracket-link", section), snapshot.tournament > 0);
  attr(one(".replay-link", section), "href", `games/${snapshot.game_id}`);
  attr(one(".code", section), "src", `qr.svg?game=${snapshot.game_id}&of=${encodeURIComponent(snapshot.address)}`);
  drawBest(one(".best", section), game.best_throw);
  drawNextMatch(snapshot);
  const again = one(".again", section);
  if (!again.getAttribute("aria-busy")) put(again, snapshot.again ? phrase("Rematch, {player} first", { player: next(snapshot)[0] }) : phrase("Rematch"));
  again.onclick = (event) => rematch(event, snapshot);
  show(again, mayAskAgain(snapshot));
  show(one(".other", section), may("lead"));
  one(".other", section).onclick = () => { takeOver(snapshot.game); offered = ""; choice.again = true; drawLobby(snapshot); one("#lobby input").focus(); };
}

// The first minute of a demo: what this is, and the other games. A game in which nothing was done yet gives way to another.

const isUntouched = ({ simulated, stage, paused, can_undo, game }) => simulated && stage === "playing" && !paused && !can_undo && !game.last_roll.length;

function offerGame(snapshot, name) {
  takeOver(snapshot.game);
  pickGame(name);
  offered = "";
  choice.again = true;
  drawLobby(snapshot);
  one("#lobby button.main").focus();
}

function drawWelcome(snapshot) {
  const section = one("#welcome");
  show(section, isUntouched(snapshot) && snapshot.game.wanted_kind !== "" && !choice.again && !isHandBusy());
  if (section.hidden) return;
  if (!section.firstElementChild) {
    section.append(
      el("h2", { id: "welcome-title", text: phrase("Try Callbox") }),
      el("p", { text: phrase("This is a demo: hand, dice and camera are simulated. Everything else is as on a real table.") }),
      el("p", { text: phrase("Press Throw. Callbox watches the dice roll, reads them and keeps the score.") }),
      el("p", { class: "reads" }),
      el("h3", { id: "others-title", text: phrase("Or play another game") }),
      el("div", { class: "row others", role: "group", "aria-labelledby": "others-title" }),
    );
  }
  put(one(".reads", section), READS[snapshot.reads]);
  const others = may("lead") ? choices.filter(({ name }) => name !== snapshot.game.game) : [];
  keep(one(".others", section), others, ({ name }) => name, ({ name, title }) => el("button", { type: "button", class: "quiet", text: title, onclick: () => offerGame(latest, name) }));
}

const READS = {
  at_rest: phrase("Throws count by themselves here, as soon as the dice lie still; a box can also wait for its ROLL DONE button."),
  roll_done: phrase("Throws count here once you press ROLL DONE; a box can also count them by itself, as soon as the dice lie still."),
};

let latest = null;

export function drawLobby(snapshot) {
  latest = snapshot;
  choices = snapshot.choices;
  const section = one("#lobby");
  if (snapshot.stage === "playing" && !isUntouched(snapshot)) choice.again = false;
  show(section, choices.length > 0 && (snapshot.stage === "lobby" || (choice.again && (snapshot.stage === "ended" || isUntouched(snapshot)))));
  attr(document.body, "data-choosing", section.hidden ? null : "");
  drawEnding(snapshot);
  drawWelcome(snapshot);
  const offer = JSON.stringify([choices, snapshot.proposed]);
  if (section.hidden) return;
  if (offer !== offered) drawAnew(section, offer, snapshot);
  show(one(".back", section), snapshot.stage !== "lobby");
}

function drawAnew(section, offer, snapshot) {
  offered = offer;
  if (snapshot.stage === "lobby") takeUp(snapshot.proposed); // after a game its own players and rules stay
  if (!chosen()) pickGame(choices[0].name);
  skeleton(section);
  drawForm();
}

// The codes that phones scan: everybody's, and at a club's or tournament's table the seats of this game.

const INTRO = {
  family: phrase("Each player has a page of their own, with what they need now: scan your own code, in the same network as the box."),
  leader: phrase("Each player scans the code of their own seat. Whoever scans it first has the seat; no PIN is needed for that."),
  others: phrase("Scan to watch. Whoever leads the game hands out the codes of the seats."),
};

const figure = (image, caption) => el("figure", {}, image, el("figcaption", {}, caption));
const picture = (src, alt) => el("img", { src, alt, width: 176, height: 176 });

const WHOLE = { words: phrase("The whole table"), href: "./", query: "" };
const ASKS = { words: phrase("A player’s page"), href: "play", query: "?play" }; // it asks who looks at it
const pageOf = (name) => ({ words: name, href: `play?player=${encodeURIComponent(name)}`, query: `?player=${encodeURIComponent(name)}` });

const familyCode = ({ words, href, query }) => figure(picture(`qr.svg${query}`, phrase("QR code: {words}", { words })), el("a", { href, text: words }));

function seatCode(seat) {
  const image = picture(URL.createObjectURL(new Blob([seat.code], { type: "image/svg+xml" })), phrase("QR code of {player}’s seat", { player: seat.player }));
  image.addEventListener("load", () => URL.revokeObjectURL(image.src), { once: true });
  const back = el("button", { type: "button", class: "quiet", text: phrase("Take back"), onclick: () => takeBack(seat.player) });
  return figure(image, el("span", {}, el("b", { text: seat.player }), el("span", { class: "hint", text: ` ${seat.taken ? phrase("has it") : phrase("is free")} ` }), back));
}

async function takeBack(player) {
  const answer = await tell("/seats/back", { player });
  if (answer.ok) await drawSeats();
}

async function drawSeats() {
  const told = await ask("/seats", {});
  const list = one("#phones .seat-codes");
  put(one("#phones .trouble"), told.ok ? "" : told.text);
  list.replaceChildren(...(told.seats ?? []).map(seatCode));
  show(list, true);
}

export async function openPhones(snapshot) {
  const leads = !isFamily() && may("seat");
  const players = isFamily() ? [ASKS, ...(snapshot?.game?.players ?? []).map(pageOf)] : [];
  put(one("#phones .intro"), INTRO[isFamily() ? "family" : leads ? "leader" : "others"]);
  keep(one("#phones .everybody"), [WHOLE, ...players], (each) => `${snapshot?.address} ${each.query}`, familyCode);
  put(one("#phones .trouble"), "");
  show(one("#phones .seat-codes"), false);
  notice("");
  one("#phones").showModal();
  if (leads) await drawSeats();
}
