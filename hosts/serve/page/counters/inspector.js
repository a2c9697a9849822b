// The stack inspector: every unit of a hex, large, with its states, and what can be done with it.

import { byId, h } from "../common/dom.js";
import { pictureOf } from "./sprites.js";

/** @typedef {import("../state/model.js").Model} Model */
/** @typedef {import("../state/types.js").Unit} Unit */
/** @typedef {import("../state/types.js").Option} Option */

/** Several units that are not known. @param {string} name @param {number} count */
export function hiddenWords(name, count) {
  return count > 1 ? `${count} ${name}s` : `a ${name}`;
}

export class Inspector {
  /**
   * @param {Model} model
   * @param {(ids: string[]) => void} mark
   * @param {(option: Option) => void} choose
   */
  constructor(model, mark, choose) {
    this.model = model;
    this.mark = mark;
    this.choose = choose;
    this.root = byId("stack");
    this.hex = "";
  }

  close() {
    this.hex = "";
    this.root.hidden = true;
  }

  /**
   * @param {string} hex
   * @param {import("./stacks.js").Stack|undefined} stack
   * @param {Map<string, Option[]>} options by unit
   * @param {HTMLElement[]} [extra] what else is to be told
   */
  open(hex, stack, options, extra = []) {
    this.hex = hex;
    this.root.hidden = false;
    const units = stack?.units.filter(({ id }) => id !== null) ?? [];
    // Those that are not known look alike: once is enough.
    /** @type {Map<string, {unit: Unit, count: number}>} */
    const hidden = new Map();
    for (const { id, unit } of stack?.units ?? []) {
      if (id === null) hidden.set(JSON.stringify(unit), { unit, count: (hidden.get(JSON.stringify(unit))?.count ?? 0) + 1 });
    }
    this.root.replaceChildren(
      h("header", {}, h("h3", { text: hex }), h("button.plain", { type: "button", text: "✕", "aria-label": "Close", onclick: () => this.close() })),
      ...extra,
      ...units.map(({ id, unit }) => this.unit(id, unit, id ? options.get(id) ?? [] : [])),
      ...[...hidden.values()].map(({ unit, count }) => this.unit(null, count > 1 ? { ...unit, name: hiddenWords(unit.name, count) } : unit, [])));
  }

  /** @param {string|null} id @param {Unit} unit @param {Option[]} options */
  unit(id, unit, options) {
    const { look } = this.model;
    const info = id ? look.units[id] : null;
    const states = Object.entries(unit.state)
      .filter(([, value]) => value !== "no")
      .map(([name, value]) => (value === "yes" ? look.states[name] ?? name : `${look.states[name] ?? name}: ${value}`));
    return h("div.unit", {
      onmouseenter: () => this.mark(id ? this.family(id) : []), onmouseleave: () => this.mark([]),
    }, pictureOf(unit.face, 58), h("div", {},
      h("b", { text: unit.name }), ` ${unit.ratings}`,
      info && info.men + info.guns > 0 ? h("small", { text: [info.men ? `${info.men.toLocaleString("en")} men` : "", info.guns ? `${info.guns} guns` : ""].filter(Boolean).join(", ") }) : null,
      states.length > 0 ? h("small", { text: states.join(" · ") }) : null),
    ...options.slice(0, 3).map((option) => h("button.pick", { type: "button", text: option.text, onclick: () => this.choose(option) })));
  }

  /** The units of the same formation. @param {string} id */
  family(id) {
    const { look } = this.model;
    const node = look.tree.find((known) => known.id === look.units[id]?.node);
    if (!node) return [id];
    const kin = new Set(look.tree.filter((other) => other.of === node.of).map((other) => other.id));
    return Object.entries(look.units).filter(([, unit]) => unit.node && kin.has(unit.node)).map(([other]) => other);
  }
}
