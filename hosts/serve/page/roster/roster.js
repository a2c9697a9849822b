// The order of battle as a tree, with men left as far as the counters tell.

import { h } from "../common/dom.js";

/** @typedef {import("../state/model.js").Model} Model */
/** @typedef {import("../state/types.js").NodeLook} NodeLook */

/**
 * @param {Model} model
 * @param {{mark: (ids: string[]) => void, go: (id: string) => void}} on
 * @returns {HTMLElement}
 */
export function rosterPanel(model, on) {
  const { look } = model;
  /** @type {Map<string, NodeLook[]>} */
  const children = new Map();
  for (const node of look.tree) children.set(node.of, [...(children.get(node.of) ?? []), node]);
  /** @type {Map<string, string[]>} units by the node they stand for */
  const units = new Map();
  const loose = [];
  for (const [id, unit] of Object.entries(look.units)) {
    if (unit.node && look.tree.some((node) => node.id === unit.node)) units.set(unit.node, [...(units.get(unit.node) ?? []), id]);
    else loose.push(id);
  }
  /** @type {(node: NodeLook) => string[]} */
  const under = (node) => [...(units.get(node.id) ?? []), ...(children.get(node.id) ?? []).flatMap(under)];
  /** @type {(node: NodeLook, depth: number) => HTMLElement} */
  const branch = (node, depth) => {
    const all = under(node);
    const own = units.get(node.id) ?? [];
    const inner = (children.get(node.id) ?? []).map((child) => branch(child, depth + 1));
    if (inner.length === 0 && own.length === 1) return h("li", {}, leaf(model, own[0], on));
    const summary = h("summary", { onmouseenter: () => on.mark(all), onfocus: () => on.mark(all), onmouseleave: () => on.mark([]) },
      h("span.men", { text: `${node.men.toLocaleString("en")} men` }), h("b", { text: node.name }), node.commander ? ` ${node.commander}` : "");
    return h("li", {}, h("details", { open: depth < 1 }, summary,
      h("ul.tree", {}, ...own.map((id) => h("li", {}, leaf(model, id, on))), ...inner)));
  };
  const tops = look.tree.filter((node) => !look.tree.some((other) => other.id === node.of));
  return h("div", {},
    h("ul.tree", {}, ...tops.map((node) => branch(node, 0))),
    loose.length > 0 ? h("details", {}, h("summary", {}, h("b", { text: "Others" })), h("ul.tree", {}, ...loose.map((id) => h("li", {}, leaf(model, id, on))))) : null);
}

/**
 * @param {Model} model
 * @param {string} id
 * @param {{mark: (ids: string[]) => void, go: (id: string) => void}} on
 */
function leaf(model, id, on) {
  const info = model.look.units[id];
  const unit = model.frame.units[id];
  const where = unit ? unit.hex ?? unit.box ?? "" : "not in sight";
  return h(unit?.box && !unit.state.arrives ? "button.leaf.gone" : "button.leaf", {
    type: "button", onclick: () => on.go(id), onmouseenter: () => on.mark([id]), onmouseleave: () => on.mark([]),
  }, h("span", {}, h(`span.dot.${model.look.sides[info.side]?.colour ?? "grey"}`), ` ${info.name}`, unit?.ratings ? ` ${unit.ratings}` : ""),
  h("span.quiet", { text: where }));
}
