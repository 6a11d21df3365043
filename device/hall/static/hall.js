// The hall's page: the desk says which tables changed, and what changed is drawn anew.
const byId = (id) => document.getElementById(id);
const tables = new Map(); // ID of a table: what the desk last said of it
let ahead_s = 0; // how far the desk's clock is ahead of this page's

function make(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = kind;
  return made;
}

function inOrder(some, key) {
  return [...some].sort((a, b) => (key(a) > key(b) ? 1 : key(a) < key(b) ? -1 : 0));
}

function forHowLong(since_s) {
  const minutes = Math.max(0, Math.floor((Date.now() / 1000 + ahead_s - since_s) / 60));
  return minutes ? `for ${minutes} min` : "just now";
}

function told(table) {
  const game = table.game;
  if (!game) return "nobody plays";
  if (game.winners.length) return game.winners.length > 1 ? "ended" : "won";
  return table.paused ? "paused" : game.game.replaceAll("-", " ");
}

function drawTable(table) {
  const one = make("li");
  one.classList.toggle("waits", Boolean(table.waits));
  one.classList.toggle("away", !table.online);
  const head = make("h3", table.name);
  head.append(make("small", told(table)));
  one.append(head);
  if (table.game) {
    const scores = make("dl");
    table.game.players.forEach((player, seat) => {
      const won = table.game.winners.includes(player) ? "won" : "";
      const turn = player === table.game.active && !table.game.winners.length ? "turn" : won;
      scores.append(make("dt", player, turn), make("dd", (table.game.scores[seat] ?? 0).toLocaleString("en"), won));
    });
    one.append(scores, make("p", table.game.news));
  }
  one.append(make("p", `${table.rows.toLocaleString("en")} rows kept`, "box"));
  return one;
}

function draw(disk) {
  const all = inOrder(tables.values(), (each) => each.name.replace(/\d+/g, (digits) => digits.padStart(8, "0")));
  const waiting = inOrder(all.filter((each) => each.waits), (each) => each.waits_since ?? 0);
  const playing = all.filter((each) => each.stage === "playing").length;
  byId("sums").textContent = `${all.length} tables, ${playing} playing, ${waiting.length} waiting`;
  byId("queue").hidden = !waiting.length;
  byId("waiting").replaceChildren(...waiting.map((each) => {
    const line = make("li");
    line.append(make("b", each.name), make("span", each.waits), make("time", forHowLong(each.waits_since)));
    return line;
  }));
  const troubles = all.flatMap((each) => each.troubles);
  byId("ill").hidden = !troubles.length;
  byId("troubles").replaceChildren(...troubles.map((each) => make("li", each)));
  byId("tables").replaceChildren(...all.map(drawTable));
  document.body.style.setProperty("--columns", Math.max(4, Math.ceil(Math.sqrt(all.length))));
  byId("alarm").hidden = !disk;
  byId("alarm").textContent = disk;
}

document.body.classList.toggle("screen", new URLSearchParams(location.search).has("screen"));
const stream = new EventSource("/events");
stream.addEventListener("open", () => tables.clear());
stream.addEventListener("tables", (event) => {
  const said = JSON.parse(event.data);
  ahead_s = said.now - Date.now() / 1000;
  said.tables.forEach((each) => tables.set(each.id, each));
  if (tables.size !== said.count) location.reload();
  draw(said.disk);
});
stream.addEventListener("error", () => draw("The desk does not answer. The boxes play on, and tell later what they played."));
