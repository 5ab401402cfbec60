// Notices: what went wrong, and what is spoken to those who cannot see the page change.

import { counted, element, make } from "./elements.js";

export class Notices {
  #box = element("dn-problem");
  #keyForm = element("dn-key-form");
  #timer = null; // while the server is waited for

  /** `onRetry` is called when somebody wants to try again, `onKey` with a key. */
  constructor(onRetry, onKey) {
    this.#box.addEventListener("click", (event) => event.target.closest("button") && onRetry());
    this.#keyForm.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#keyForm.hidden = true;
      onKey(element("dn-key").value.trim());
      element("dn-key").value = "";
    });
  }

  clear() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.#box.hidden = true;
    this.#box.replaceChildren();
    this.#keyForm.hidden = true;
  }

  /** Takes back that the server is busy; what else was said stays. */
  stopWaiting() {
    if (this.#timer !== null) this.clear();
  }

  /** Says what went wrong with a request. */
  show(problem) {
    this.complain([problem.message]);
    if (problem.requestId) {
      this.#box.append(make("p", { class: "dn-request" }, "Request ", make("code", {}, problem.requestId)));
    }
    if (problem.status === 401) this.#askForKey();
    else this.#box.append(make("button", { type: "button" }, "Try again"));
  }

  #askForKey() {
    this.#keyForm.hidden = false;
    if (document.activeElement !== element("dn-text")) element("dn-key").focus(); // nobody is typing
  }

  /** Says what is wrong, a paragraph each. */
  complain(messages) {
    this.clear();
    this.#box.append(...messages.map((message) => make("p", {}, message)));
    this.#box.hidden = false;
  }

  /** Says that the server is busy, and counts the seconds down for those who look. */
  wait(seconds) {
    this.complain([`The server is busy. Trying again in ${counted(seconds, "second")}.`]);
    const clock = make("progress", { max: seconds, value: 0, "aria-hidden": "true" });
    this.#box.append(clock);
    this.#timer = setInterval(() => (clock.value += 0.1), 100);
  }

  /** Tells screen readers what was found. */
  announce(words) {
    element("dn-status").textContent = words;
  }

  /** Tells screen readers which mention is shown alone. */
  speak(words) {
    element("dn-spoken").textContent = words;
  }
}
