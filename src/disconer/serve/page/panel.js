// A panel: what one model found in one document, drawn and listed.

import { Drawing } from "./drawing.js";
import { counted, isolated, make } from "./elements.js";
import { List } from "./list.js";
import { Mention } from "./mention.js";
import { CodePoints } from "./offsets.js";
import { focusedKind, focusedNumber, focusKind } from "./places.js";

/** @import { Sorting } from "./list.js" */

/** How somebody left a panel.
 * @typedef {object} PanelState
 * @property {Sorting} sorting
 * @property {boolean | undefined} isOpen
 * @property {string | undefined} focusedRow
 * @property {string | undefined} focusedKind
 * @property {[number, number]} scrolled
 */

export class Panel {
  /** @type {Map<string, number>} */
  #numbers; // of the mentions, by what they say
  /** @type {number | null} */
  #chosen = null;
  #listed;

  /** `place` is the document's number, `title` what it is called, with the model where there are several; or null.
   * @param {string} model
   * @param {number} place
   * @param {Finding} finding
   * @param {string | null} title
   * @param {boolean} isOpen
   */
  constructor(model, place, { source, entities, drawing }, title, isOpen) {
    this.model = model;
    this.place = place;
    this.source = source;
    this.points = new CodePoints(source.text);
    this.mentions = entities.map((entity, number) => new Mention(number, entity, this.points));
    this.#numbers = new Map(this.mentions.map((mention) => [mention.key, mention.number]));
    const name = title ?? model;
    this.drawing = new Drawing(drawing, `Drawing, ${name}. Arrow keys walk from mention to mention.`);
    this.list = new List(this.mentions, `Mentions, ${name}`, (number) => this.drawing.look(number));
    this.section = make("div", { class: "dn-card dn-panel", role: "group", "aria-label": name });
    if (title !== null) this.section.append(make("p", { class: "dn-title" }, isolated(title)));
    this.#listed = this.#folded(isOpen);
    this.section.append(this.drawing.frame, this.#listed);
  }

  /** What it is an answer to: a model and a document. */
  get key() {
    return JSON.stringify([this.model, this.place, this.source.id]);
  }

  get shown() {
    return this.mentions.filter((mention) => !mention.isOff);
  }

  /** @param {string} key */
  has(key) {
    return this.#numbers.has(key);
  }

  /** Gives the number of the mention that says this; undefined if there is none.
   * @param {string} key
   */
  numberOf(key) {
    return this.#numbers.get(key);
  }

  /** Gives how somebody left the panel, for the one that takes its place.
   * @returns {PanelState}
   */
  get state() {
    return {
      sorting: this.list.sorting,
      isOpen: this.#listed instanceof HTMLDetailsElement ? this.#listed.open : undefined,
      focusedRow: this.mentions[focusedNumber(this.section) ?? -1]?.key,
      focusedKind: focusedKind(this.section),
      scrolled: [this.drawing.frame.scrollTop, this.list.frame.scrollTop],
    };
  }

  /** Puts it into the state that another one was left in; the focus goes to the drawing if its place is gone.
   * @param {PanelState} state
   */
  restore({ sorting, isOpen, focusedRow, focusedKind: kind, scrolled }) {
    this.list.sorting = sorting;
    if (isOpen !== undefined && this.#listed instanceof HTMLDetailsElement) this.#listed.open = isOpen;
    const row = this.numberOf(focusedRow ?? "");
    if (row !== undefined) this.list.focus(row);
    else if ((focusedRow ?? kind) && !focusKind(this.section, kind)) this.drawing.frame.focus({ preventScroll: true });
    [this.drawing.frame.scrollTop, this.list.frame.scrollTop] = scrolled;
  }

  /** Marks what only this one of several models found.
   * @param {number} number
   */
  markOnly(number) {
    this.mentions[number].isOnly = true;
    this.drawing.markOnly(number);
    this.list.markOnly(number);
  }

  /** Hides the types that are switched off, and fades what lies below a threshold.
   * @param {Set<string>} off
   * @param {number | null} threshold
   */
  refresh(off, threshold) {
    for (const mention of this.mentions) {
      this.#set(mention, "isOff", "dn-off", off.has(mention.label));
      this.#set(mention, "isBelow", "dn-below", threshold !== null && mention.score < threshold);
    }
    this.list.keepReachable();
  }

  /** @param {Mention} mention @param {"isOff" | "isBelow"} property @param {string} name @param {boolean} isSo */
  #set(mention, property, name, isSo) {
    if (mention[property] === isSo) return;
    mention[property] = isSo;
    this.drawing.mark(mention.number, name, isSo);
    this.list.mark(mention.number, name, isSo);
  }

  /** Shows the mention that says this alone, or none if the panel has it not; all again if there is no key.
   * @param {string | null} key
   */
  isolate(key) {
    const number = key === null ? null : (this.#numbers.get(key) ?? null);
    this.drawing.isolate(key !== null);
    if (number === this.#chosen) return;
    if (this.#chosen !== null) this.#mark(this.#chosen, false);
    if (number !== null) this.#mark(number, true);
    this.#chosen = number;
  }

  /** @param {number} number @param {boolean} isSo */
  #mark(number, isSo) {
    this.drawing.mark(number, "dn-chosen", isSo);
    this.list.mark(number, "dn-chosen", isSo);
  }

  /** Gives the record of the document with the mentions that are shown, as it is downloaded. */
  get record() {
    return this.source.recordWith(this.#shownEntities);
  }

  get bratRecord() {
    return this.source.bratRecordWith(this.#shownEntities);
  }

  get #shownEntities() {
    return this.shown.map((mention) => mention.entity);
  }

  /** Gives the list, which for one of several documents is folded away.
   * @param {boolean} isOpen
   */
  #folded(isOpen) {
    const count = counted(this.mentions.length, "mention");
    if (this.mentions.length === 0) return make("p", { class: "dn-none" }, "No mentions");
    const undrawn = this.mentions.filter((mention) => !this.drawing.has(mention.number)).length;
    const tools = make("div", { class: "dn-tools dn-list-tools" });
    tools.append(make("button", { type: "button", class: "dn-copy" }, "Copy list"));
    if (undrawn > 0) tools.append(`${undrawn.toLocaleString("en")} of ${count} lie too deep to be drawn`);
    if (isOpen) return make("div", { class: "dn-listed" }, this.list.frame, tools);
    return make("details", { class: "dn-listed" }, make("summary", {}, count), this.list.frame, tools);
  }
}
