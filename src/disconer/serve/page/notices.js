// Notices: what went wrong, and what is spoken to those who cannot see the page change.

import { counted, element, findAll, make, targetOf } from "./elements.js";

/** @import { Problem } from "./problem.js" */

const KEY = /^[\x21-\x7e]+$/; // what a header can carry

export class Notices {
  #box = element("dn-problem");
  #keyForm = element("dn-key-form");
  #words = ""; // that the box shows
  /** @type {(() => void) | null} */
  #retry = null;
  #isOutdated = false;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer; // while the server is waited for

  /** `onKey` is called with a key.
   * @param {(key: string) => void} onKey
   */
  constructor(onKey) {
    this.#box.addEventListener("click", (event) => {
      if (!targetOf(event).closest("button")) return;
      addEventListener("click", dropSecond, { capture: true, once: true });
      this.#again();
    });
    const key = element("dn-key");
    key.addEventListener("input", () => key.setCustomValidity(complaintAbout(key.value)));
    this.#keyForm.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#words = ""; // somebody waits for an answer, be it the same
      onKey(key.value.trim());
      key.value = "";
    });
  }

  get isAskingForKey() {
    return !this.#keyForm.hidden;
  }

  /** Marks what is said as said of an earlier question; it stays until there is an answer. */
  outdate() {
    this.#isOutdated = true;
  }

  /** Takes back what was said of earlier questions, and that the server is busy, as it has answered. */
  settle() {
    const focused = document.activeElement;
    const isKeyGiven = this.#keyForm.contains(focused);
    this.#keyForm.hidden = true;
    if (this.#isOutdated || this.#timer !== undefined) this.#clear();
    if (isKeyGiven && element("dn-text").checkVisibility()) element("dn-text").focus();
    else if (isKeyGiven || !focused?.isConnected) element("dn-run").focus(); // not nowhere
  }

  /** Says what went wrong with a request; `retry` is called when somebody wants to try again.
   * @param {Problem} problem
   * @param {() => void} retry
   */
  show(problem, retry) {
    const isKey = problem.status === 401;
    const more = /** @type {Node[]} */ ([]);
    if (problem.requestId) {
      more.push(make("p", { class: "dn-request" }, "Request ", make("code", {}, problem.requestId)));
    }
    if (!isKey) more.push(make("button", { type: "button" }, "Try again"));
    this.#say([problem.message], ...more);
    this.#retry = retry;
    if (isKey) this.#askForKey();
  }

  #askForKey() {
    this.#keyForm.hidden = false;
    if (document.activeElement !== element("dn-text")) element("dn-key").focus(); // nobody is typing
  }

  #again() {
    this.#words = ""; // as with a key
    this.outdate();
    this.#retry?.();
  }

  /** Says what is wrong, a paragraph each.
   * @param {string[]} messages
   */
  complain(messages) {
    this.#say(messages);
  }

  /** Says something, unless it is there already: screen readers would read it again.
   * @param {string[]} messages
   * @param {...Node} more
   */
  #say(messages, ...more) {
    this.#isOutdated = false;
    const words = messages.join("\n");
    if (words === this.#words) return;
    const isHere = this.#box.contains(document.activeElement);
    this.#clear();
    this.#words = words;
    this.#box.append(...messages.map((message) => make("p", {}, message)), ...more);
    this.#box.hidden = false;
    if (isHere) (findAll(this.#box, "button")[0] ?? element("dn-run")).focus();
  }

  #clear() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#words = "";
    this.#box.hidden = true;
    this.#box.replaceChildren();
  }

  /** Says that the server is busy, and counts the seconds down for those who look.
   * @param {number} seconds
   */
  wait(seconds) {
    const clock = make("progress", { max: seconds, value: 0, "aria-hidden": "true" });
    this.#say([`The server is busy. Trying again in ${counted(seconds, "second")}.`], clock);
    clearInterval(this.#timer);
    const since = performance.now();
    const shown = this.#box.querySelector("progress") ?? clock; // an earlier one, where the words are the same
    this.#timer = setInterval(() => (shown.value = (performance.now() - since) / 1000), 100);
  }

  /** Tells screen readers what was found.
   * @param {string} words
   */
  announce(words) {
    element("dn-status").textContent = words;
  }

  /** Tells screen readers which mention is shown alone.
   * @param {string} words
   */
  speak(words) {
    element("dn-spoken").textContent = words;
  }
}

/** @param {string} key */
const complaintAbout = (key) =>
  KEY.test(key.trim()) ? "" : "A key is made of letters, digits and signs without accents, and has no spaces.";

/** Drops the second click of a double click: what is below a button that has gone has moved there.
 * @param {MouseEvent} event
 */
function dropSecond(event) {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}
