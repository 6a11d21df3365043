// Short sounds, made by the browser itself: no file is fetched. Each is a row of notes.

const NOTES = {
  news: [[660, 0, 0.09]],
  lost: [[330, 0, 0.14], [220, 0.13, 0.26]],
  ask: [[740, 0, 0.1], [740, 0.17, 0.1]],
  win: [[523, 0, 0.12], [659, 0.12, 0.12], [784, 0.24, 0.12], [1047, 0.36, 0.34]],
};
const LOUD = 0.12;
const SOFT_S = 0.015; // how long a note takes to swell and to fade: without that it clicks

export const lasts_ms = (sound) => 1000 * Math.max(0, ...(NOTES[sound] ?? []).map(([, at_s, long_s]) => at_s + long_s));

let player = null;

// A browser is silent until its page was touched.
export function wake() {
  if (!("AudioContext" in window) || navigator.userActivation?.hasBeenActive === false) return;
  player ??= new AudioContext();
  if (player.state === "suspended") player.resume().catch(() => {});
}

export function play(sound) {
  if (player?.state !== "running") return;
  for (const [pitch_hz, at_s, long_s] of NOTES[sound] ?? []) {
    const [tone, volume, from] = [player.createOscillator(), player.createGain(), player.currentTime + at_s];
    tone.type = "triangle";
    tone.frequency.value = pitch_hz;
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(LOUD, from + SOFT_S);
    volume.gain.setValueAtTime(LOUD, from + long_s - SOFT_S);
    volume.gain.linearRampToValueAtTime(0, from + long_s);
    tone.connect(volume).connect(player.destination);
    tone.start(from);
    tone.stop(from + long_s);
  }
}
