// Light or dark: what the machine prefers, unless somebody said otherwise here.

const KEY = "cupola-theme";

/** Applies what was chosen before. */
export function applyTheme() {
  const chosen = localStorage.getItem(KEY);
  if (chosen) document.documentElement.dataset.theme = chosen;
}

/** Whether it is dark now. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Changes from one to the other. */
export function toggleTheme() {
  const next = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem(KEY, next);
  window.dispatchEvent(new Event("theme"));
}
