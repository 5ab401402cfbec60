// The list of mentions: the drawing for those who cannot see it, with offsets and scores, in any order.

import { findAll, isolated, make } from "./elements.js";
import { reveal } from "./scrolling.js";

/** @import { Mention } from "./mention.js" */

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {(mention: Mention) => string | number} key that rows are sorted by
 * @property {(mention: Mention) => Node | string} value that a cell shows
 */
/** @typedef {{ column: string, isDescending: boolean }} Sorting */

/** @type {Record<string, Column>} */
const COLUMNS = {
  label: { title: "Type", key: (mention) => mention.label, value: (mention) => isolated(mention.label) },
  text: { title: "Mention", key: (mention) => mention.text, value: (mention) => isolated(mention.text) },
  places: { title: "Offsets", key: (mention) => mention.number, value: (mention) => mention.places },
  score: { title: "Score", key: (mention) => mention.score, value: (mention) => mention.shownScore },
};

export class List {
  /** @type {HTMLTableRowElement[]} */
  #rows; // by the number of the mention
  #body;
  #mentions;

  /** @param {Mention[]} mentions @param {string} name @param {(number: number) => string} lookOf */
  constructor(mentions, name, lookOf) {
    this.#mentions = mentions;
    this.#rows = mentions.map((mention) => rowOf(mention, lookOf(mention.number)));
    this.#body = make("tbody", {}, ...this.#rows);
    const head = make("thead", {}, make("tr", { role: "row" }, ...Object.entries(COLUMNS).map(headOf)));
    this.table = make("table", { class: "dn-mentions", role: "grid", "aria-label": name }, head, this.#body);
    this.frame = make("div", { class: "dn-scroll-list" }, this.table);
    this.#rows[0]?.setAttribute("tabindex", "0");
  }

  /** Gives the mentions that are shown, in the order of the rows. */
  get shown() {
    return [...this.#body.rows].filter((row) => !row.hidden).map((row) => this.#mentions[numberOf(row)]);
  }

  /** @param {number} number @param {string} name @param {boolean} isSo */
  mark(number, name, isSo) {
    this.#rows[number].classList.toggle(name, isSo);
    if (name === "dn-off") this.#rows[number].hidden = isSo;
    if (name === "dn-chosen") this.#rows[number].setAttribute("aria-selected", String(isSo));
  }

  /** Says that of several models only this one found a mention.
   * @param {number} number
   */
  markOnly(number) {
    this.#rows[number].cells[1].append(" ", make("span", { class: "dn-only-here" }, "◆ only here"));
  }

  /** @param {number} number */
  reveal(number) {
    reveal(this.frame, this.#rows[number]);
  }

  /** Makes a row the one that the Tab key goes to.
   * @param {number} number
   */
  enter(number) {
    for (const row of findAll(this.#body, '[tabindex="0"]')) row.setAttribute("tabindex", "-1");
    this.#rows[number].setAttribute("tabindex", "0");
  }

  /** @param {number} number */
  focus(number) {
    this.#rows[number].focus({ preventScroll: true });
    this.reveal(number);
  }

  /** Sees to it that the Tab key comes to a row that is shown, if there is one. */
  keepReachable() {
    const [row] = findAll(this.#body, '[tabindex="0"]');
    if (row?.hidden && this.shown.length > 0) this.enter(this.shown[0].number);
  }

  /** Sorts the rows; a second time, the other way round.
   * @param {HTMLElement} head
   */
  sort(head) {
    this.sorting = { column: columnOf(head), isDescending: head.getAttribute("aria-sort") === "ascending" };
  }

  /** @returns {Sorting} */
  get sorting() {
    const [head] = findAll(this.table, 'th:not([aria-sort="none"])');
    return { column: columnOf(head), isDescending: head.getAttribute("aria-sort") === "descending" };
  }

  set sorting({ column, isDescending }) {
    for (const head of findAll(this.table, "th")) {
      const order = isDescending ? "descending" : "ascending";
      head.setAttribute("aria-sort", columnOf(head) === column ? order : "none");
    }
    const { key } = COLUMNS[column];
    const sign = isDescending ? -1 : 1;
    const sorted = this.#mentions.toSorted((one, other) => sign * compared(key(one), key(other)));
    this.#body.append(...sorted.map((mention) => this.#rows[mention.number]));
  }
}

const columnOf = (/** @type {HTMLElement} */ head) => head.dataset.column ?? "";

/** Gives the number of the mention that a row stands for.
 * @param {HTMLElement} row
 */
export const numberOf = (row) => Number(row.dataset.mention);

/** @param {string | number} one @param {string | number} other */
const compared = (one, other) => (typeof one === "string" ? one.localeCompare(String(other)) : one - Number(other));

/** @param {[string, Column]} entry */
function headOf([column, { title }]) {
  const isSorted = column === "places";
  const attributes = { role: "columnheader", scope: "col", "data-column": column };
  const sorter = make("button", { type: "button", class: "dn-sorter" }, title);
  return make("th", { ...attributes, "aria-sort": isSorted ? "ascending" : "none" }, sorter);
}

/** @param {Mention} mention @param {string} look */
function rowOf(mention, look) {
  const cells = Object.entries(COLUMNS).map(([column, { value }]) =>
    make("td", { role: "gridcell", class: `dn-cell-${column}` }, value(mention)),
  );
  const attributes = { role: "row", class: look, tabindex: -1, "aria-selected": "false" };
  return make("tr", { ...attributes, "data-mention": mention.number }, ...cells);
}
