// What this browser keeps. It may forbid that; then it holds until the page is closed.

export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Nothing to do: what the page knows still holds now.
  }
}
