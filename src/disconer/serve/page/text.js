// The text: what the text field holds, or the file behind it as long as that was not edited.

import { element } from "./elements.js";
import { asFieldHolds, codePointCount } from "./offsets.js";
import { Source } from "./source.js";

const TYPED_CHARACTERS = 20_000; // browsers take very long to type more, or many lines
const TYPED_LINES = 200;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export class Text {
  #field = element("dn-text");
  #counter = element("dn-counter");
  /** @type {Source | null} */
  #opened = null;
  #limit = Infinity;

  /** @param {() => void} onEdit */
  constructor(onEdit) {
    this.#field.addEventListener("input", (event) => {
      this.#count();
      if (!(event instanceof InputEvent && event.isComposing)) onEdit();
    });
    this.#field.addEventListener("compositionend", onEdit);
  }

  /** @param {number} characters */
  set limit(characters) {
    this.#limit = characters;
    this.#count();
  }

  /** Gives what was opened or typed. Half a surrogate pair is no character, and takes the place of one that says so. */
  get source() {
    if (this.#opened !== null && asFieldHolds(this.#opened.text) === this.#field.value) return this.#opened;
    return Source.plain(this.#field.value.replace(LONE_SURROGATE, "\ufffd"));
  }

  get isEmpty() {
    return this.#field.value.trim() === "";
  }

  get isTooLong() {
    return codePointCount(this.source.text) > this.#limit;
  }

  /** Puts a source into the field as if it were typed, so that undoing brings back what was there; not a long one.
   * @param {Source} source
   */
  open(source) {
    this.#opened = source;
    this.#field.focus();
    this.#field.select();
    const text = asFieldHolds(source.text);
    if (!isTypeable(text) || !document.execCommand("insertText", false, text) || this.#field.value !== text) {
      this.#field.value = text;
      this.#field.dispatchEvent(new InputEvent("input"));
    }
    this.#field.setSelectionRange(0, 0);
    this.#field.scrollTop = 0;
  }

  /** Selects a stretch, unless the text has become another meanwhile.
   * @param {string} text
   * @param {number} start
   * @param {number} end
   */
  select(text, start, end) {
    if (this.source.text !== text) return;
    this.#field.focus();
    this.#field.setSelectionRange(start, end);
  }

  #count() {
    const count = codePointCount(this.source.text);
    const broken = this.#field.value.match(LONE_SURROGATE)?.length ?? 0;
    const limit = Number.isFinite(this.#limit) ? ` of ${this.#limit.toLocaleString("en")}` : "";
    this.#counter.textContent =
      `${count.toLocaleString("en")}${limit} characters` +
      (count > this.#limit ? ": too long for this server" : "") +
      (broken > 0 ? `, ${broken.toLocaleString("en")} broken and sent as \ufffd` : "");
    this.#counter.classList.toggle("dn-over", count > this.#limit);
    this.#field.setAttribute("aria-invalid", String(count > this.#limit));
  }
}

/** @param {string} text */
const isTypeable = (text) => text.length <= TYPED_CHARACTERS && text.split("\n").length <= TYPED_LINES;
