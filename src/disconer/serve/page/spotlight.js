// The spotlight: which mention is shown alone, because the pointer or the focus is on it.

/** @import { Mention } from "./mention.js" */
/** @import { Panel } from "./panel.js" */
/** @typedef {{ panel: Panel, number: number }} Target */

export class Spotlight {
  /** @type {Panel[]} */
  #panels = [];
  /** @type {Panel[]} */
  #lit = [];
  /** @type {Target | null} */
  #pointed = null; // where the pointer was last
  /** @type {Target | null} */
  #hovered = null;
  /** @type {Target | null} */
  #pinned = null;
  #onPin;

  /** `onPin` is told of every mention that is pinned.
   * @param {(panel: Panel, mention: Mention) => void} onPin
   */
  constructor(onPin) {
    this.#onPin = onPin;
  }

  /** @param {Panel[]} panels */
  set panels(panels) {
    this.clear();
    this.#panels = panels;
  }

  /** Gives the panel and the number of the mention that is pinned; null if there is none. */
  get pinned() {
    return this.#pinned;
  }

  /** @param {Panel} [panel] @param {number} [number] */
  hover(panel, number) {
    const target = targetOf(panel, number);
    if (same(target, this.#pointed)) return;
    this.#pointed = this.#hovered = target;
    this.#show();
  }

  /** Keeps a mention alone when the pointer goes on; from now on the pointer counts again when it has moved on.
   * @param {Panel} panel
   * @param {number} [number]
   */
  pin(panel, number) {
    const target = targetOf(panel, number);
    this.#hovered = null;
    if (target !== null && !same(target, this.#pinned)) this.#onPin(panel, panel.mentions[target.number]);
    this.#pinned = target;
    this.#show();
  }

  /** Goes through the mentions under a point, one with each click, and then shows all again.
   * @param {Panel} panel
   * @param {number[]} numbers
   */
  pinNext(panel, numbers) {
    const place = this.#pinned?.panel === panel ? numbers.indexOf(this.#pinned.number) : -1;
    this.pin(panel, numbers[place + 1]);
  }

  /** Goes from mention to mention in the order of the text. Gives the one that it comes to, if there is any.
   * @param {Panel} panel
   * @param {number} by
   */
  step(panel, by) {
    const numbers = panel.shown.map((mention) => mention.number);
    if (numbers.length === 0) return undefined;
    const place = this.#pinned?.panel === panel ? numbers.indexOf(this.#pinned.number) : by > 0 ? -1 : numbers.length;
    const number = numbers[Math.min(numbers.length - 1, Math.max(0, place + by))];
    this.pin(panel, number);
    return panel.mentions[number];
  }

  clear() {
    this.#hovered = this.#pinned = this.#pointed = null;
    this.#show();
  }

  /** Lets what has come into view step back too. */
  refresh() {
    if (this.#lit.length > 0) this.#show();
  }

  #show() {
    const target = this.#hovered ?? this.#pinned;
    const key = target?.panel.mentions[target.number].key ?? null;
    const lit = target === null ? [] : this.#panels.filter((panel) => panel.place === target.panel.place);
    for (const panel of this.#lit) if (!lit.includes(panel)) panel.isolate(null);
    for (const panel of lit) panel.isolate(key);
    this.#lit = lit;
  }
}

/** @param {Panel} [panel] @param {number} [number] @returns {Target | null} */
const targetOf = (panel, number) => (panel && number !== undefined ? { panel, number } : null);

/** @param {Target | null} one @param {Target | null} other */
const same = (one, other) => one?.panel === other?.panel && one?.number === other?.number;
