// The clipboard, also where the page was not served over HTTPS and browsers do not lend it.

import { make } from "./elements.js";

/** @param {string} text */
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const field = make("textarea", { class: "dn-unseen" });
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
}

/** Lets a button say for a moment that it has done its work.
 * @param {HTMLElement} button
 * @param {string} words
 */
export function thank(button, words) {
  const before = button.textContent;
  if (before === words) return;
  button.textContent = words;
  setTimeout(() => (button.textContent = before), 1600);
}
