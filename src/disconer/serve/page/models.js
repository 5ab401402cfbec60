// The models of the server, and which of them are asked.

import { counted, element, findAll, isolated, make } from "./elements.js";

export class Models {
  #group = element("dn-models");
  /** @type {string[]} */
  #names = [];
  /** @type {Map<string, string[]>} */
  #examples = new Map(); // of each model, in the order in which they come next
  /** @type {Set<string>} */
  #invented = new Set(); // models that learned from what a program wrote

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.#group.addEventListener("change", () => {
      this.#warn();
      onChange();
    });
  }

  /** Offers the models instead of those before; those that were chosen stay so, or else the first is.
   * @param {ModelInformation[]} models
   */
  show(models) {
    const { chosen } = this;
    this.#names = models.map((model) => model.name);
    this.#examples = new Map(models.map(({ name, examples }) => [name, [...examples]]));
    this.#invented = new Set(models.filter((model) => model.invented).map((model) => model.name));
    for (const choice of findAll(this.#group, ".dn-choice")) choice.remove();
    this.#group.append(...models.map(choiceOf));
    this.#group.hidden = models.length < 2;
    this.choose(chosen);
  }

  get chosen() {
    return this.#boxes.filter((box) => box.checked).map((box) => box.value);
  }

  /** Chooses those of the names that the server has; the first of its models if there is none.
   * @param {string[]} names
   */
  choose(names) {
    const known = this.#names.filter((name) => names.includes(name));
    const wanted = known.length > 0 ? known : this.#names.slice(0, 1);
    for (const box of this.#boxes) box.checked = wanted.includes(box.value);
    this.#warn();
  }

  /** Says which of the chosen models know no real text. */
  #warn() {
    const invented = this.chosen.filter((name) => this.#invented.has(name));
    element("dn-invented").hidden = invented.length === 0;
    const said = " learned from invented sentences: it shows how this works, and says little of real text.";
    element("dn-invented").replaceChildren(...invented.flatMap((name) => [make("b", {}, isolated(name)), `${said} `]));
  }

  /** Gives a text to try the first chosen model on, every time another; undefined if the model brought none. */
  nextExample() {
    const examples = this.#examples.get(this.chosen[0] ?? "") ?? [];
    const [next] = examples;
    if (next !== undefined) examples.push(...examples.splice(0, 1));
    return next;
  }

  get #boxes() {
    return [...this.#group.querySelectorAll("input")];
  }
}

/** @param {ModelInformation} model */
function choiceOf({ name, kind, runtime, labels }) {
  const box = make("input", { type: "checkbox", value: name });
  const details = make("small", {}, `${kind}, ${runtime}, ${counted(labels.length, "type")}`);
  return make("label", { class: "dn-choice", title: labels.join(", ") }, box, isolated(name), details);
}
