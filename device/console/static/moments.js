// Which moment the big screen shows, and for how long. Pure: snapshots and times in, a state out; no clock, no page.
//
// A moment that stands (lobby, scores, question, winner) is what the newest snapshot says, as long as it says so.
// A moment that passes (throw, landing, replay, bets, pads) stays for its time; then what stands is shown again.

export const LASTS_MS = { throw: 5000, landing: 6000, replay: 15000, bets: 7000, pads: 9000 };
export const AWAITS_MS = 5000; // so much longer a close-up stays while its film is being made
export const LEAST_MS = 2000; // so long a passing moment is seen although the game goes on

// `calm`: somebody wants little motion, so no replay plays by itself.
// `owed`: something was written on paper, and the screen has not shown it yet.
export const begin = (calm = false) => ({ calm, owed: false, newest: null, moment: { name: "waiting", since_ms: 0, until_ms: null, snapshot: null }, gains: [] });

const lineOf = (snapshot) => snapshot.game?.line ?? "";
const toneIsWell = ({ message }) => message.tone === "info" || message.tone === "good";
const isSecret = (bet) => typeof bet === "string";

// A winner stands there until the result is signed off, and where nobody signs until somebody goes on.
const betweenMatches = ({ stage, sign_off: stands }) => stage === "lobby" || (stage === "ended" && stands?.standing === "signed");

// What the newest snapshot says by itself.
export function standing(snapshot) {
  if (snapshot === null) return "waiting";
  if (snapshot.tournament > 0 && betweenMatches(snapshot)) return "bracket";
  if (snapshot.stage === "lobby" || snapshot.game === null) return "lobby";
  if (snapshot.ask !== "" && !snapshot.paused) return "question";
  return snapshot.stage === "ended" && snapshot.game.winners.length > 0 ? "winner" : "scores";
}

// A landing counts when the game has it; one that was rolled for its number alone, when nobody is asked about it.
export function counted({ landing, game }) {
  return game.landings.find((past) => past.reading > 0 && past.reading === landing.number) ?? null;
}

function landed(old, snapshot) {
  const { landing } = snapshot;
  if (landing === null || snapshot.ask === "landing") return false;
  const isNew = landing.number > (old.landing?.number ?? 0);
  const answered = old.ask === "landing" && old.landing?.number === landing.number;
  if (counted(snapshot) !== null) return isNew || answered;
  return isNew && landing.rolled && landing.call === "certain";
}

function thrown(old, snapshot) {
  const isNew = snapshot.table.reading_id > old.table.reading_id && lineOf(snapshot) !== lineOf(old);
  return isNew && snapshot.landing === null && snapshot.table.dice.length > 0 && toneIsWell(snapshot);
}

// A turn was written on paper: what stands there differs, and no dice of a turn lie there any more.
function owes({ newest: old, owed }, { game_id, game }) {
  if (old?.game_id !== game_id || !old.game || !game?.pads.length) return false;
  return owed || (game.running === null && JSON.stringify(game.pads) !== JSON.stringify(old.game.pads));
}

const betsRevealed = (old, { game }) => old.game.bets.some(isSecret) && game.bets.length > 0 && !game.bets.some(isSecret);

// What has happened between two snapshots of one game: the moment that it is worth; "" when none.
function happened(old, snapshot) {
  if (old === null || old.game_id !== snapshot.game_id || !old.game || !snapshot.game || snapshot.ask !== "") return "";
  if (landed(old, snapshot)) return "landing";
  if (thrown(old, snapshot)) return "throw";
  return betsRevealed(old, snapshot) ? "bets" : "";
}

// What each player has just won, to stand beside the scores until dice or bets come again.
function gainsOf(state, snapshot, event) {
  const old = state.newest?.game_id === snapshot.game_id ? state.newest.game : null;
  if (!old || !snapshot.game) return [];
  const gains = snapshot.game.scores.map((score, seat) => Math.max(score - (old.scores[seat] ?? score), 0));
  if (gains.some((gain) => gain > 0)) return gains;
  const lost = snapshot.game.scores.some((score, seat) => score !== old.scores[seat]);
  return event || lost ? [] : state.gains;
}

const passing = (name, snapshot, now_ms) => ({ name, since_ms: now_ms, until_ms: now_ms + LASTS_MS[name], snapshot });

function stand(state, snapshot, now_ms) {
  const name = standing(snapshot);
  if (name === "scores" && state.owed) return { ...state, owed: false, moment: passing("pads", snapshot, now_ms) };
  const since_ms = state.moment.name === name ? state.moment.since_ms : now_ms;
  return { ...state, moment: { name, since_ms, until_ms: null, snapshot } };
}

// A close-up and a film come later than the call.
function withNews(moment, snapshot) {
  const { landing, films } = snapshot;
  if (!moment.snapshot.landing || landing?.number !== moment.snapshot.landing.number) return moment;
  return { ...moment, snapshot: { ...moment.snapshot, landing, films } };
}

function hasFilm({ landing, films }) {
  return landing !== null && (films?.kept ?? []).includes(landing.number);
}

const awaitsFilm = ({ films }) => films !== null && films.trouble === "";

// After its time a close-up makes room for its film, and waits a little for one that is still being made.
function afterCloseUp(state, now_ms) {
  const { moment } = state;
  if (hasFilm(moment.snapshot)) return { ...state, moment: passing("replay", moment.snapshot, now_ms) };
  const until_ms = moment.since_ms + LASTS_MS.landing + AWAITS_MS;
  if (!awaitsFilm(moment.snapshot) || now_ms >= until_ms) return null;
  return moment.until_ms === until_ms ? state : { ...state, moment: { ...moment, until_ms } };
}

function goOn(state, snapshot, now_ms) {
  const { moment } = state;
  if (moment.until_ms === null || ["question", "lobby", "bracket"].includes(standing(snapshot))) return stand(state, snapshot, now_ms);
  const seen = moment.name === "landing" && now_ms >= moment.since_ms + LASTS_MS.landing && !moment.cut && !state.calm;
  const next = seen ? afterCloseUp(state, now_ms) : now_ms < moment.until_ms ? state : null;
  return next ?? stand(state, snapshot, now_ms);
}

// The state after a new snapshot, or with the newest one again after some time.
export function advance(state, snapshot, now_ms) {
  const old = state.newest;
  if (snapshot === null) return state;
  if (snapshot === old) return goOn(state, snapshot, now_ms);
  const event = happened(old, snapshot);
  const next = { ...state, newest: snapshot, gains: gainsOf(state, snapshot, event), owed: owes(state, snapshot) };
  if (event) return { ...next, moment: passing(event, snapshot, now_ms) };
  if (old?.game_id !== snapshot.game_id) return stand(next, snapshot, now_ms);
  if (state.moment.name === "pads" && next.owed) return stand(next, snapshot, now_ms);
  const moment = withNews(state.moment, snapshot);
  const goesOn = moment.until_ms !== null && lineOf(snapshot) !== lineOf(old);
  const cut = goesOn ? { cut: true, until_ms: Math.min(moment.until_ms, moment.since_ms + LEAST_MS) } : {};
  return goOn({ ...next, moment: { ...moment, ...cut } }, snapshot, now_ms);
}

// The replay is over, or could not be played.
export function endReplay(state, now_ms) {
  if (state.moment.name !== "replay") return state;
  return stand(state, state.newest, now_ms);
}
