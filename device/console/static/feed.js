// Follows the box: newest snapshot wins, and a lost connection comes back by itself.

const SILENCE_MS = 25000; // the box gives a beat every ten seconds
const AGAIN_MS = 2000;

export function follow(onSnapshot, onLink) {
  let source = null;
  let watchdog = 0;

  function close() {
    clearTimeout(watchdog);
    source?.close();
    source = null;
  }

  function lost(again_ms) {
    onLink(false);
    close();
    watchdog = setTimeout(open, again_ms);
  }

  function alive() {
    onLink(true);
    clearTimeout(watchdog);
    watchdog = setTimeout(() => lost(0), SILENCE_MS);
  }

  function open() {
    close();
    if (document.hidden) return; // a browser allows a page's host six connections: leave them to who looks
    const mine = (source = new EventSource("events"));
    mine.addEventListener("snapshot", (event) => {
      alive();
      onSnapshot(JSON.parse(event.data));
    });
    mine.addEventListener("beat", alive);
    mine.addEventListener("crowded", (event) => {
      close(); // many look on: come again later, with what is shown still good
      watchdog = setTimeout(open, Number(event.data));
    });
    mine.addEventListener("error", () => {
      if (source === mine) lost(AGAIN_MS);
    });
  }

  document.addEventListener("visibilitychange", open);
  window.addEventListener("pageshow", (event) => event.persisted && open());
  window.addEventListener("pagehide", close);
  open();
}
