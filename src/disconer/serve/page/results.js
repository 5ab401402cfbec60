// The results: a column for every model that was asked, in it a panel for every document.

import { copy, thank } from "./clipboard.js";
import { counted, element, findAll, isolated, make, targetOf } from "./elements.js";
import { Legend } from "./legend.js";
import { numberOf } from "./list.js";
import { Panel } from "./panel.js";
import { focusedKind, focusKind } from "./places.js";
import { Spotlight } from "./spotlight.js";

/** @import { Mention } from "./mention.js" */
/** @import { PanelState } from "./panel.js" */

/** What the page does when something is chosen: a mention to select in the text, panels to download in a format, a
 * mention that keys came to in a drawing.
 * @typedef {object} Listeners
 * @property {(panel: Panel, mention: Mention) => void} onSelect
 * @property {(panels: Panel[], to: DownloadFormat) => void} onDownload
 * @property {(mention: Mention | undefined) => void} onWalk
 */

/** How somebody left the panels.
 * @typedef {object} Left
 * @property {boolean} isHere whether the focus was among them
 * @property {{ kind: string | undefined, model: string } | undefined} tool that had it
 * @property {Map<string, PanelState>} states
 * @property {{ panel: string, mention: string } | null} pin
 */

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

export class Results {
  #answers = element("dn-answers");
  /** @type {Panel[]} */
  #panels = [];
  /** @type {Map<Element | null, Panel>} */
  #of = new Map(); // sections of the page to their panels
  /** @type {string[]} */
  #models = [];
  /** @type {number | null} */
  #threshold = null;
  #legend = new Legend(() => this.#refresh());
  #spotlight;
  #onSelect;
  #onWalk;
  #isOther = false; // what is asked about now

  /** @param {Listeners} listeners */
  constructor({ onSelect, onDownload, onWalk }) {
    this.#onSelect = onSelect;
    this.#onWalk = onWalk;
    this.#spotlight = new Spotlight((panel, mention) => {
      panel.drawing.reveal(mention.number);
      panel.list.enter(mention.number);
      panel.list.reveal(mention.number);
    });
    this.#listen(onDownload);
  }

  /** Shows answers of models, all of them to the same documents. Gives a sentence that says what they are.
   * @param {ModelAnswer[]} answers
   */
  show(answers) {
    const left = this.#left();
    this.#models = answers.map((answer) => answer.model);
    this.#panels = answers.flatMap(({ model, findings }) =>
      findings.map((finding, place) => this.#panel(model, place, finding, findings.length)),
    );
    this.#of = new Map(this.#panels.map((panel) => [panel.section, panel]));
    this.#spotlight.panels = this.#panels;
    if (answers.length > 1) this.#compare();
    this.#answers.style.setProperty("--dn-rows", String(1 + answers[0].findings.length));
    this.#answers.replaceChildren(...this.#models.map((model, index) => this.#column(model, index)));
    this.#threshold = null;
    this.#legend.show(this.#panels);
    this.#refresh();
    this.#toggle(true);
    this.isStale = false;
    this.#restore(left);
    return this.#models.map((model) => `${model}: ${this.#summary(model)}`).join(". ");
  }

  /** @param {string} model @param {number} index */
  #column(model, index) {
    const sections = this.#panelsOf(model).map((panel) => panel.section);
    return make("div", { class: "dn-column" }, stripOf(model, index), ...sections);
  }

  /** Gives how somebody left the panels, unless something else is asked about now.
   * @returns {Left}
   */
  #left() {
    const isHere = this.#answers.contains(document.activeElement);
    const columns = findAll(this.#answers, ".dn-strip").map(focusedKind);
    const tool = columns.map((kind, index) => ({ kind, model: this.#models[index] })).find(({ kind }) => kind);
    const states = new Map(this.#isOther ? [] : this.#panels.map((panel) => [panel.key, panel.state]));
    const pinned = this.#spotlight.pinned;
    const pin = pinned && { panel: pinned.panel.key, mention: pinned.panel.mentions[pinned.number].key };
    this.#isOther = false;
    return { isHere, tool, states, pin };
  }

  /** Puts panels into the state of those that they take the place of. The focus stays among them if it was there.
   * @param {Left} left
   */
  #restore({ isHere, tool, states, pin }) {
    for (const panel of this.#panels) {
      if (pin?.panel === panel.key) this.#spotlight.pin(panel, panel.numberOf(pin.mention));
      const state = states.get(panel.key);
      if (state) panel.restore(state);
    }
    if (tool) focusKind(this.#answers.children[this.#models.indexOf(tool.model)] ?? this.#answers, tool.kind);
    const isLost = isHere && !this.#answers.contains(document.activeElement);
    if (isLost) element("dn-results").focus({ preventScroll: true });
  }

  /** Says that something else is asked about from now on, in which nobody has been anywhere. */
  beginAnew() {
    this.#isOther = true;
  }

  /** @param {string} model @param {number} place @param {Finding} finding @param {number} documents */
  #panel(model, place, finding, documents) {
    const name = finding.source.id ?? (documents > 1 ? `document ${place + 1}` : null);
    const title = name !== null && this.#models.length > 1 ? `${name} · ${model}` : name;
    return new Panel(model, place, finding, title, documents === 1);
  }

  clear() {
    this.#panels = this.#spotlight.panels = [];
    this.#answers.replaceChildren();
    this.#toggle(false);
    this.isStale = false;
  }

  /** @param {boolean} isFound */
  #toggle(isFound) {
    element("dn-found").hidden = !isFound;
    element("dn-empty").hidden = isFound;
  }

  /** Fades what lies below a threshold that the server was not asked with yet.
   * @param {number | null} threshold
   */
  fade(threshold) {
    this.#threshold = threshold;
    this.#refresh();
  }

  /** Says whether what is shown is the answer to an earlier question, and not to be downloaded as one to this.
   * @param {boolean} isStale
   */
  set isStale(isStale) {
    element("dn-results").classList.toggle("dn-stale", isStale);
    for (const button of findAll(this.#answers, "[data-to]")) button.toggleAttribute("disabled", isStale);
  }

  /** @param {boolean} isBusy */
  set isBusy(isBusy) {
    element("dn-results").setAttribute("aria-busy", String(isBusy));
  }

  #refresh() {
    for (const panel of this.#panels) panel.refresh(this.#legend.off, this.#threshold);
    for (const count of findAll(this.#answers, ".dn-count")) {
      count.textContent = this.#summary(this.#models[Number(count.dataset.model)]);
    }
  }

  /** Says how many mentions a model found, and how many of them are shown.
   * @param {string} model
   */
  #summary(model) {
    const mentions = this.#panelsOf(model).flatMap((panel) => panel.mentions);
    const off = mentions.filter((mention) => mention.isOff).length;
    const only = mentions.filter((mention) => mention.isOnly).length;
    const words = [counted(mentions.length, "mention"), `${mentions.filter((one) => one.hasGaps).length} with gaps`];
    if (only > 0) words.push(`◆ ${only.toLocaleString("en")} only here`);
    if (off > 0) words.push(`${off.toLocaleString("en")} switched off and left out of downloads`);
    return words.join(", ");
  }

  /** @param {string} model */
  #panelsOf(model) {
    return this.#panels.filter((panel) => panel.model === model);
  }

  /** Marks what only one of the models found. */
  #compare() {
    const rows = Map.groupBy(this.#panels, (panel) => panel.place);
    for (const panel of this.#panels) {
      const others = (rows.get(panel.place) ?? []).filter((other) => other !== panel);
      for (const { key, number } of panel.mentions) {
        if (!others.some((other) => other.has(key))) panel.markOnly(number);
      }
    }
  }

  /** @param {Listeners["onDownload"]} onDownload */
  #listen(onDownload) {
    this.#answers.addEventListener("pointermove", (event) => event.pointerType !== "touch" && this.#point(event));
    this.#answers.addEventListener("pointerleave", () => this.#spotlight.hover());
    this.#answers.addEventListener("click", (event) => this.#click(event, onDownload));
    this.#answers.addEventListener("dblclick", (event) => this.#select(event));
    this.#answers.addEventListener("focusin", (event) => this.#focus(event));
    this.#answers.addEventListener("focusout", (event) => this.#blur(event));
    this.#answers.addEventListener("keydown", (event) => this.#press(event));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.#spotlight.clear());
    document.addEventListener("scroll", () => this.#spotlight.refresh(), { capture: true, passive: true });
  }

  /** Finds what an event happened on: the panel, and the row or the drawing in it.
   * @param {Event} event
   */
  #placeOf(event) {
    const target = targetOf(event);
    const panel = this.#of.get(target.closest(".dn-panel"));
    /** @type {HTMLElement | null} */
    const row = target.closest("tr[data-mention]");
    return { panel, row, drawing: target.closest(".dn-drawing") };
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const { panel, row, drawing } = this.#placeOf(event);
    this.#spotlight.hover(panel, row ? numberOf(row) : panel && drawing ? numbersAt(panel, event)[0] : undefined);
  }

  /** @param {MouseEvent} event @param {Listeners["onDownload"]} onDownload */
  #click(event, onDownload) {
    const { panel, row, drawing } = this.#placeOf(event);
    const button = targetOf(event).closest("button");
    if (button) this.#act(button, panel, onDownload);
    else if (panel && row) panel.drawing.frame.scrollIntoView({ block: "nearest" });
    else if (panel && drawing && getSelection()?.isCollapsed) {
      this.#spotlight.pinNext(panel, numbersAt(panel, event));
    }
  }

  /** @param {HTMLElement} button @param {Panel | undefined} panel @param {Listeners["onDownload"]} onDownload */
  #act(button, panel, onDownload) {
    const { to, model } = button.dataset;
    const head = button.closest("th");
    if (to) onDownload(this.#panelsOf(this.#models[Number(model)]), /** @type {DownloadFormat} */ (to));
    else if (panel && head) panel.list.sort(head);
    else if (panel) copy(tableOf(panel.list.shown)).then(() => thank(button, "Copied"));
  }

  /** @param {Event} event */
  #select(event) {
    const { panel, row } = this.#placeOf(event);
    if (panel && row) this.#onSelect(panel, panel.mentions[numberOf(row)]);
  }

  /** @param {Event} event */
  #focus(event) {
    const { panel, row } = this.#placeOf(event);
    if (panel && row) this.#spotlight.pin(panel, numberOf(row));
  }

  /** Shows all again when the focus goes elsewhere on the page, but not when the whole window loses it.
   * @param {FocusEvent} event
   */
  #blur(event) {
    const { relatedTarget } = event;
    const isInside = relatedTarget instanceof Element && relatedTarget.closest("tr[data-mention], .dn-drawing");
    if (document.hasFocus() && !isInside) this.#spotlight.clear();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { panel, row, drawing } = this.#placeOf(event);
    if (!panel || !(row ?? drawing) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (row && event.key === "Enter") this.#select(event);
    else if (row && event.key in STEPS) this.#walk(panel, numberOf(row), STEPS[event.key]);
    else if (drawing && event.key in STEPS) this.#onWalk(this.#spotlight.step(panel, STEPS[event.key]));
    else return;
    event.preventDefault();
  }

  /** Goes from row to row in the order of the list.
   * @param {Panel} panel
   * @param {number} from
   * @param {number} by
   */
  #walk(panel, from, by) {
    const numbers = panel.list.shown.map((mention) => mention.number);
    const place = Math.min(numbers.length - 1, Math.max(0, numbers.indexOf(from) + by));
    panel.list.focus(numbers[place]);
  }
}

/** @param {Panel} panel @param {MouseEvent} event */
const numbersAt = (panel, event) => panel.drawing.at(targetOf(event), event.clientX, event.clientY);

/** @param {string} model @param {number} index */
function stripOf(model, index) {
  const button = (/** @type {DownloadFormat} */ to, /** @type {string} */ name) =>
    make("button", { type: "button", "data-to": to, "data-model": index }, name);
  return make("div", { class: "dn-strip" },
    make("h3", {}, isolated(model)),
    make("p", { class: "dn-count", "data-model": index }),
    make("div", { class: "dn-tools", role: "group", "aria-label": `Download what ${model} found` },
      make("span", {}, "Download"), button("jsonl", "JSONL"), button("brat", "brat")));
}

/** Writes mentions as a table that spreadsheets take.
 * @param {Mention[]} mentions
 */
function tableOf(mentions) {
  const rows = mentions.map((mention) => [mention.label, mention.text, mention.places, mention.score]);
  const lines = [["type", "mention", "offsets", "score"], ...rows];
  return lines.map((cells) => cells.map((cell) => String(cell).replace(/\s+/g, " ")).join("\t")).join("\n");
}
