// What just happened, in words over the map, while it is shown; and spoken for those who do not see it.

import { byId, h, speak } from "../common/dom.js";
import { plainly } from "../common/words.js";
import { dice, once, sideOf } from "../log/log.js";

/** @typedef {import("../state/model.js").Model} Model */
/** @typedef {import("../state/types.js").Happening} Happening */

/** So many lines at once; the log has all. */
const LINES = 3;
/** It stays for so many milliseconds after the last step. */
const STAYS = 3500;

export class Caption {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.root = byId("caption");
    this.timer = 0;
    this.question = "";
  }

  /** @param {Happening[]} all what happened with the step on the screen */
  show(all) {
    const { model } = this;
    clearTimeout(this.timer);
    const events = all.filter(once);
    this.root.hidden = events.length === 0;
    if (events.length === 0) return;
    this.root.replaceChildren(...events.slice(-LINES).map((event) => h("div", {},
      h(`span.dot.${model.sideLook(sideOf(model, event)).colour}`), ` ${plainly(model.look, event.text)} `, ...dice(event))));
    speak(events.slice(-LINES).map((event) => plainly(model.look, event.text)).join(". "));
    if (model.live) this.timer = window.setTimeout(() => this.hide(), STAYS);
  }

  hide() {
    this.root.hidden = true;
  }

  /** A new question is heard as well. */
  ask() {
    const { decision, look } = this.model;
    const question = decision ? plainly(look, decision.prompt) : "";
    if (question && question !== this.question) speak(question);
    this.question = question;
  }
}
