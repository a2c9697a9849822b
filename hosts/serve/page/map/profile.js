// Heights along a line as a small drawing: in levels where the rules have lines of sight, otherwise in metres.

import { h } from "../common/dom.js";

const WIDE = 330;
const HIGH = 92;
/** Room below for the names of hexes. */
const FOOT = 16;

/**
 * @typedef {{hex: string, ground: number, top: number}} Height
 * @typedef {{clear: boolean, blocked: string|null, why: string, rule: string, along: Height[]}} Rules
 * @typedef {{from: string, to: string, distance: number, metres: number, ground_clear: boolean, rules: Rules|null,
 *   hexes: {hex: string, touch: string, height: number, line_height: number}[]}} Line
 */

/**
 * @param {string} name
 * @param {Record<string, string|number>} attributes
 * @param {string} [text]
 */
function svg(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/**
 * @param {Line} line
 * @param {(rule: string) => HTMLElement} cite
 * @returns {HTMLElement}
 */
export function profile(line, cite) {
  const far = `${line.distance} ${line.distance === 1 ? "hex" : "hexes"}, ${line.metres} m`;
  if (!line.rules) {
    const text = `${far}; the ground ${line.ground_clear ? "stays below" : "rises above"} the line. The rules draw no line of sight here.`;
    return h("div.profile", {}, metres(line), h("div.quiet", { text }));
  }
  const { clear, why, rule } = line.rules;
  return h("div.profile", {}, levels(line.rules), h("div", {},
    h(clear ? "b.good" : "b.bad", { text: clear ? "✓ In sight" : "✕ Not in sight" }), ` (${far}): ${why} `, cite(rule), "."));
}

/** @param {string} label what it shows, for those who cannot see it */
function sheet(label) {
  return svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, width: WIDE, role: "img", "aria-label": label });
}

/** The levels of the rules as steps; what stands on them hatched, what blocks named. @param {Rules} rules */
function levels(rules) {
  const { along } = rules;
  const low = Math.min(...along.map((at) => at.ground)) - 1;
  const high = Math.max(...along.map((at) => at.top)) + 1;
  const wide = WIDE / along.length;
  const y = (/** @type {number} */ level) => (HIGH - FOOT) * (1 - (level - low) / (high - low)) + 2;
  const out = sheet(`Levels along the line: ${along.map((at) => `${at.hex} ${at.ground}${at.top > at.ground ? ` and cover to ${at.top}` : ""}`).join(", ")}`);
  const name = along.length > 12 ? Math.ceil(along.length / 8) : 1;
  along.forEach((at, i) => {
    const blocks = at.hex === rules.blocked;
    out.append(svg("rect", { x: i * wide, y: y(at.ground), width: wide + 0.5, height: HIGH - FOOT - y(at.ground) + 2, fill: blocks ? "#b8623f" : "#c9b98f" }));
    if (at.top > at.ground) {
      out.append(svg("rect", { x: i * wide + 1, y: y(at.top), width: Math.max(1, wide - 1), height: y(at.ground) - y(at.top), fill: "#6f8f5f", stroke: blocks ? "#9b2d1f" : "#41603a" }));
    }
    if (blocks) out.append(svg("text", { x: (i + 0.5) * wide, y: y(at.top) - 3, "text-anchor": "middle", "font-size": 13, fill: "currentColor", "font-weight": 700 }, "✕"));
    if (i % name === 0 || i === along.length - 1 || blocks) {
      out.append(svg("text", { x: Math.min(WIDE - 14, Math.max(14, (i + 0.5) * wide)), y: HIGH - 3, "text-anchor": "middle", "font-size": 11, fill: "currentColor" }, `${at.hex}${wide > 46 ? ` (${at.ground})` : ""}`));
    }
  });
  const [first, last] = [along[0], along[along.length - 1]];
  out.append(svg("path", { d: `M${wide / 2} ${y(first.ground) - 4}L${WIDE - wide / 2} ${y(last.ground) - 4}`, stroke: rules.clear ? "#2f6b3c" : "#9b2d1f", "stroke-width": 2, "stroke-dasharray": rules.clear ? "none" : "6 4", fill: "none" }));
  return /** @type {any} */ (out);
}

/** The ground in metres. @param {Line} line */
function metres(line) {
  const heights = line.hexes.flatMap((hex) => [hex.height, hex.line_height]);
  const low = Math.min(...heights) - 2;
  const span = Math.max(6, Math.max(...heights) + 2 - low);
  const x = (/** @type {number} */ i) => (i * WIDE) / Math.max(1, line.hexes.length - 1);
  const y = (/** @type {number} */ height) => HIGH - ((height - low) / span) * HIGH;
  const out = sheet(`Heights along the line, ${Math.round(Math.min(...line.hexes.map((hex) => hex.height)))} to ${Math.round(Math.max(...line.hexes.map((hex) => hex.height)))} m`);
  const ground = line.hexes.map((hex, i) => `${x(i)} ${y(hex.height)}`);
  out.append(svg("path", { d: `M0 ${HIGH}L${ground.join("L")}L${WIDE} ${HIGH}Z`, fill: "#c9b98f", stroke: "#7a6440", "stroke-width": 2 }));
  out.append(svg("path", {
    d: `M0 ${y(line.hexes[0].line_height)}L${WIDE} ${y(line.hexes[line.hexes.length - 1].line_height)}`, fill: "none",
    stroke: line.ground_clear ? "#2f6b3c" : "#9b2d1f", "stroke-width": 2, "stroke-dasharray": line.ground_clear ? "none" : "6 4",
  }));
  return /** @type {any} */ (out);
}
