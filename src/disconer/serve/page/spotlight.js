// The spotlight: which mention is shown alone, because the pointer or the focus is on it.

export class Spotlight {
  #panels = [];
  #lit = [];
  #pointed = null; // where the pointer was last
  #hovered = null;
  #pinned = null;
  #onPin;

  /** `onPin` is told of every mention that is pinned. */
  constructor(onPin) {
    this.#onPin = onPin;
  }

  set panels(panels) {
    this.clear();
    this.#panels = panels;
  }

  /** Gives the panel and the number of the mention that is pinned; null if there is none. */
  get pinned() {
    return this.#pinned;
  }

  hover(panel, number) {
    const target = targetOf(panel, number);
    if (same(target, this.#pointed)) return;
    this.#pointed = this.#hovered = target;
    this.#show();
  }

  /** Keeps a mention alone when the pointer goes on; from now on the pointer counts again when it has moved on. */
  pin(panel, number) {
    const target = targetOf(panel, number);
    this.#hovered = null;
    if (target !== null && !same(target, this.#pinned)) this.#onPin(panel, panel.mentions[number]);
    this.#pinned = target;
    this.#show();
  }

  /** Goes through the mentions under a point, one with each click, and then shows all again. */
  pinNext(panel, numbers) {
    const place = this.#pinned?.panel === panel ? numbers.indexOf(this.#pinned.number) : -1;
    this.pin(panel, numbers[place + 1]);
  }

  /** Goes from mention to mention in the order of the text. Gives the one that it comes to, if there is any. */
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

const targetOf = (panel, number) => (panel && number !== undefined ? { panel, number } : null);

const same = (one, other) => one?.panel === other?.panel && one?.number === other?.number;
