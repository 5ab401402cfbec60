// The threshold: the model's own, until the slider is moved.

import { element } from "./elements.js";

const MIDDLE = 0.5; // where the slider rests while it has nothing to say

export class Threshold {
  #slider = element("dn-threshold");
  #shown = element("dn-threshold-value");
  #own = element("dn-own");

  /** `onMove` is told while the slider moves, and `onReset` when the model's own thresholds are back.
   * @param {() => void} onMove
   * @param {() => void} onReset
   */
  constructor(onMove, onReset) {
    const take = () => {
      this.value = Number(this.#slider.value);
      onMove();
    };
    this.#slider.addEventListener("input", take);
    this.#slider.addEventListener("click", () => this.value === null && take()); // where it rests: nothing moves
    this.#own.addEventListener("click", () => {
      this.value = null;
      this.#slider.focus();
      onReset();
    });
    this.value = null;
  }

  /** @returns {number | null} */
  get value() {
    return this.#slider.classList.contains("dn-resting") ? null : Number(this.#slider.value);
  }

  /** Moves the slider, which has steps: what it holds then is the threshold. */
  set value(value) {
    this.#slider.value = String(value ?? MIDDLE);
    this.#slider.classList.toggle("dn-resting", value === null);
    this.#own.classList.toggle("dn-needless", value === null); // which keeps its room
    const words = value === null ? "the model's own" : Number(this.#slider.value).toFixed(2);
    this.#shown.textContent = words;
    this.#slider.setAttribute("aria-valuetext", words);
  }
}
