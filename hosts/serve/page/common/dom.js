// Small helpers for making elements. No framework: the page is a function of what it is sent.

/**
 * Makes an element.
 * @param {string} tag its name, with classes: `div.row.wide`
 * @param {Record<string, any>} [attributes] attributes; `on…` are listeners, `text` is its text
 * @param {...(Node|string|null|undefined|false)} children what is in it
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") element.textContent = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && typeof value !== "string") /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * The element with this id, which the page has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * Makes the content of an element anew; what somebody has unfolded there stays so, and whoever was at a button is at it
 * still.
 * @param {HTMLElement} root
 * @param {() => void} work
 */
export function keeping(root, work) {
  const folds = () => [...root.querySelectorAll("details")].map((fold) => /** @type {[string, HTMLDetailsElement]} */ ([nameOf(fold), fold]));
  const were = new Map(folds().map(([name, fold]) => [name, fold.open]));
  const focus = document.activeElement instanceof HTMLElement && root.contains(document.activeElement) ? document.activeElement : null;
  const name = focus ? nameOf(focus) : "";
  work();
  for (const [fold, element] of folds()) element.open = were.get(fold) ?? element.open;
  if (!focus || document.activeElement === focus) return;
  const same = [...root.querySelectorAll(focus.tagName)].find((other) => nameOf(other) === name);
  if (same instanceof HTMLElement) same.focus({ preventScroll: true });
}

/** By what something is known again that was made anew: numbers in it may have changed. @param {Element} element */
function nameOf(element) {
  const said = element instanceof HTMLDetailsElement ? element.querySelector("summary") : element;
  return element.id || element.getAttribute("data-key") || (said?.textContent ?? "").replace(/[\d,]+/g, "#");
}

/**
 * Tells something for a moment.
 * @param {string} text
 * @param {boolean} [bad]
 */
export function tell(text, bad = false) {
  const line = h(bad ? "div.bad" : "div", { text });
  byId("told").append(line);
  setTimeout(() => line.remove(), bad ? 7000 : 4000);
}

/** Tells something to those who hear the page. @param {string} text */
export function speak(text) {
  const root = byId("spoken");
  root.append(h("p", { text }));
  while (root.childElementCount > 12) root.firstElementChild?.remove();
}

/**
 * Shows something in the page's dialog.
 * @param {string} title
 * @param {...(Node|null)} content
 */
export function show(title, ...content) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
  const close = h("button.close", { type: "button", text: "Close", onclick: () => dialog.close() });
  dialog.replaceChildren(close, h("h2", { text: title }), ...content.filter((part) => part !== null));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

/**
 * When something was, in words.
 * @param {number} seconds since 1970
 */
export function ago(seconds) {
  const passed = Math.max(0, Date.now() / 1000 - seconds);
  if (passed < 90) return "just now";
  if (passed < 5400) return `${Math.round(passed / 60)} minutes ago`;
  if (passed < 129600) return `${Math.round(passed / 3600)} hours ago`;
  return `${Math.round(passed / 86400)} days ago`;
}

/**
 * How long somebody has yet, in words.
 * @param {number} when seconds since 1970
 */
export function left(when) {
  const hours = Math.ceil((when - Date.now() / 1000) / 3600);
  if (hours <= 0) return "the time for this turn is over";
  if (hours < 48) return hours === 1 ? "one hour left" : `${hours} hours left`;
  return `${Math.ceil(hours / 24)} days left`;
}
