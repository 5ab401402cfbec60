// The legend: every type that was found and how often, each a switch.

import { element, isolated, make } from "./elements.js";

export class Legend {
  #group = element("dn-legend");

  constructor(onChange) {
    this.off = new Set();
    this.#group.addEventListener("click", (event) => {
      const chip = event.target.closest("button");
      if (!chip) return;
      this.#switch(chip);
      onChange();
    });
  }

  /** Shows the types of the mentions, and those that are switched off. */
  show(panels) {
    const types = new Map([...this.off].map((label) => [label, { count: 0, look: "" }]));
    for (const panel of panels) for (const mention of panel.mentions) count(types, mention, panel);
    const focused = this.#group.contains(document.activeElement) ? document.activeElement.dataset.label : null;
    const labels = [...types.keys()].sort((one, other) => one.localeCompare(other));
    this.#group.replaceChildren(...labels.map((label) => this.#chip(label, types.get(label))));
    if (focused !== null) [...this.#group.children].find((chip) => chip.dataset.label === focused)?.focus();
  }

  #chip(label, { count, look }) {
    const attributes = { type: "button", class: `dn-chip ${look}`, "data-label": label };
    const number = make("span", { class: "dn-number" }, count.toLocaleString("en"));
    const title = "Show or hide this type; downloads hold what is shown";
    return make("button", { ...attributes, title, "aria-pressed": !this.off.has(label) ? "true" : "false" },
      isolated(label), " ", number);
  }

  #switch(chip) {
    const { label } = chip.dataset;
    if (!this.off.delete(label)) this.off.add(label);
    chip.setAttribute("aria-pressed", String(!this.off.has(label)));
  }
}

function count(types, mention, panel) {
  const type = types.get(mention.label) ?? { count: 0, look: "" };
  type.count += 1;
  type.look ||= panel.drawing.look(mention.number);
  types.set(mention.label, type);
}
