// The film of a throw: at half speed, step by step, and the throws before it.

import { attr, el, one, phrase, put, show, svg } from "./dom.js";

const STEP_S = 1 / 20; // a film has at most 20 pictures a second
const HALF = 0.5;

const COLORS = 6; // the colours of ways in boxes.css

const films = { game: null, kept: [], shown: 0, game_shown: null, history: null };

const video = () => one("#film video");
const address = (number) => `film/${number}.mp4?of=${films.game_shown}`;
const button = (name, text, onclick) => el("button", { type: "button", class: name, text, onclick });

export const hasFilm = (number) => films.kept.includes(number);

function setSpeed(half) {
  const rate = half ? HALF : 1;
  video().defaultPlaybackRate = rate; // holds for the next film, too
  video().playbackRate = rate;
  attr(one("#film .half"), "aria-pressed", half);
}

function playOrPause() {
  // A browser may refuse to play by itself; then the button is pressed again.
  if (video().paused || video().ended) video().play().catch(() => {});
  else video().pause();
}

function step(pictures) {
  const shown = video();
  shown.pause();
  shown.currentTime = Math.min(Math.max(shown.currentTime + pictures * STEP_S, 0), shown.duration || 0);
}

function go(throws) {
  const next = films.kept[films.kept.indexOf(films.shown) + throws];
  if (next !== undefined) load(next);
}

// Why there is no film, in the box's words where it has any: it may be gone, or damaged.
async function tellWhy(src) {
  show(one("#film .gone"), src !== null);
  if (src === null) return;
  const answer = await fetch(src, { headers: { range: "bytes=0-0" } }).catch(() => null);
  const told = answer !== null && !answer.ok ? await answer.json().catch(() => null) : null;
  put(one("#film .gone"), told?.text ?? phrase("This film is not kept any more."));
}

function load(number) {
  films.shown = number;
  films.game_shown = films.game;
  show(one("#film .gone"), false);
  const shown = video();
  shown.src = address(number);
  shown.load();
  shown.play().catch(() => {});
  const save = one("#film a");
  attr(save, "href", address(number));
  attr(save, "download", `callbox-${films.game}-${number}.mp4`);
  drawPlace();
  drawWays();
}

// Which of the films of this game is on; a new game's films are not those of the one that is watched.
function drawPlace() {
  const at = films.game === films.game_shown ? films.kept.indexOf(films.shown) : -1;
  put(one("#film .place"), at < 0 ? "" : phrase("Film {number} of {count} in this game", { number: at + 1, count: films.kept.length }));
  one("#film .earlier").disabled = at <= 0;
  one("#film .later").disabled = at < 0 || at === films.kept.length - 1;
}

// The ways of the dice over the film of the last throw; of earlier ones they are not kept.
function drawWays() {
  const known = films.game === films.game_shown && films.history?.reading === films.shown;
  const { width, height, ways } = known ? films.history : { width: 0, height: 0, ways: [] };
  const drawing = one("#film svg");
  show(one("#film .ways"), ways.length > 0);
  show(one("#film .drawn"), ways.length > 0 && one("#film .ways").getAttribute("aria-pressed") === "true");
  attr(drawing, "viewBox", `0 0 ${width} ${height}`);
  attr(drawing, "aria-label", phrase("The ways of {dice}", { dice: ways.map((way) => way.die).join(", ") }));
  const unit = width / 320;
  drawing.replaceChildren(
    ...ways.map((way, number) => {
      const points = way.points.map((point) => point.join(",")).join(" ");
      const [x, y] = way.points.at(-1);
      return svg(
        "g",
        { class: `way-${number % COLORS}`, "stroke-width": unit },
        svg("title", { text: way.die }),
        svg("polyline", { points, class: "halo", "stroke-width": 2.2 * unit }),
        svg("polyline", { points }),
        ...way.points.slice(0, -1).map(([cx, cy]) => svg("circle", { cx, cy, r: 1.3 * unit })),
        svg("circle", { cx: x, cy: y, r: 3 * unit, class: "rest" }),
      );
    }),
  );
}

// Opens the film of a reading of the game that is shown.
export function watchFilm(number) {
  load(number);
  setSpeed(true);
  one("#film").showModal();
}

export function makeFilm() {
  const dialog = one("#film");
  dialog.append(
    el("div", { class: "row" }, el("h2", { id: "film-title", text: phrase("The throw") }), el("p", { class: "hint place" })),
    el(
      "div",
      { class: "screen" },
      el("video", { muted: true, playsinline: true, preload: "auto", "aria-label": phrase("The throw as the camera saw it") }),
      el("div", { class: "drawn", hidden: true }, svg("svg", { role: "img" })),
    ),
    el("p", { class: "trouble gone", text: phrase("This film is not kept any more."), hidden: true }),
    el(
      "div",
      { class: "row" },
      button("back", phrase("◀ Step"), () => step(-1)),
      button("main play", phrase("Play"), playOrPause),
      button("on", phrase("Step ▶"), () => step(1)),
      button("ways", phrase("Ways of the dice"), () => {
        attr(one("#film .ways"), "aria-pressed", one("#film .ways").getAttribute("aria-pressed") !== "true");
        drawWays();
      }),
      button("half", phrase("Half speed"), () => setSpeed(one("#film .half").getAttribute("aria-pressed") !== "true")),
    ),
    el("div", { class: "row" }, button("quiet earlier", phrase("Earlier throw"), () => go(-1)), button("quiet later", phrase("Later throw"), () => go(1)), el("a", { text: phrase("Save this film") })),
    el("p", { class: "hint", text: phrase("Moments in which nothing moved are left out. The film ends with the picture that was read.") }),
    el("form", { method: "dialog" }, el("button", { text: phrase("Close") })),
  );
  attr(one("#film .ways"), "aria-pressed", true);
  const shown = video();
  shown.muted = true; // the attribute alone does not count for a film that plays by itself
  for (const name of ["play", "pause", "ended"]) {
    shown.addEventListener(name, () => put(one("#film .play"), shown.paused || shown.ended ? phrase("Play") : phrase("Pause")));
  }
  shown.addEventListener("error", () => tellWhy(shown.getAttribute("src")));
  dialog.addEventListener("close", () => {
    shown.pause();
    shown.removeAttribute("src"); // lets the connection go
    shown.load();
  });
  one("#watch").addEventListener("click", () => watchFilm(films.kept.at(-1)));
}

export function drawFilms(snapshot) {
  films.game = snapshot.game_id;
  films.kept = snapshot.films?.kept ?? [];
  const news = JSON.stringify(snapshot.history) !== JSON.stringify(films.history);
  films.history = snapshot.history;
  const last = films.kept.at(-1);
  show(one("#watch"), last !== undefined);
  put(one("#watch"), last === snapshot.table.reading_id ? phrase("Watch the throw") : phrase("Watch an earlier throw"));
  put(one("#no-film"), snapshot.films?.trouble ?? "");
  show(one("#no-film"), one("#no-film").textContent !== "");
  if (!one("#film").open) return;
  drawPlace();
  if (news) drawWays();
}
