// The legend: every type that was found and how often, each a switch.

import { element, findAll, isolated, make, targetOf } from "./elements.js";

/** @import { Mention } from "./mention.js" */
/** @import { Panel } from "./panel.js" */

/** How often a type was found, and its look in drawings.
 * @typedef {{ count: number, look: string }} Type
 */

export class Legend {
  #group = element("dn-legend");

  /** @param {() => void} onChange */
  constructor(onChange) {
    /** @type {Set<string>} */
    this.off = new Set();
    this.#group.addEventListener("click", (event) => {
      const chip = targetOf(event).closest("button");
      if (!chip) return;
      this.#switch(chip);
      onChange();
    });
  }

  /** Shows the types of the mentions, and those that are switched off.
   * @param {Panel[]} panels
   */
  show(panels) {
    /** @type {Map<string, Type>} */
    const types = new Map([...this.off].map((label) => [label, { count: 0, look: "" }]));
    for (const panel of panels) for (const mention of panel.mentions) count(types, mention, panel);
    const chips = () => findAll(this.#group, "button");
    const focused = chips().find((chip) => chip === document.activeElement)?.dataset.label;
    const sorted = [...types].sort(([one], [other]) => one.localeCompare(other));
    this.#group.replaceChildren(...sorted.map(([label, type]) => this.#chip(label, type)));
    if (focused !== undefined) chips().find((chip) => chip.dataset.label === focused)?.focus();
  }

  /** @param {string} label @param {Type} type */
  #chip(label, { count, look }) {
    const attributes = { type: "button", class: `dn-chip ${look}`, "data-label": label };
    const number = make("span", { class: "dn-number" }, count.toLocaleString("en"));
    const title = "Show or hide this type; downloads hold what is shown";
    return make("button", { ...attributes, title, "aria-pressed": !this.off.has(label) ? "true" : "false" },
      isolated(label), " ", number);
  }

  /** @param {HTMLElement} chip */
  #switch(chip) {
    const label = chip.dataset.label ?? "";
    if (!this.off.delete(label)) this.off.add(label);
    chip.setAttribute("aria-pressed", String(!this.off.has(label)));
  }
}

/** @param {Map<string, Type>} types @param {Mention} mention @param {Panel} panel */
function count(types, mention, panel) {
  const type = types.get(mention.label) ?? { count: 0, look: "" };
  type.count += 1;
  type.look ||= panel.drawing.look(mention.number);
  types.set(mention.label, type);
}
