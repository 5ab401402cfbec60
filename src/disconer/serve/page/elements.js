// Elements of the page: finding them, and making them without ever reading a string as HTML.

/** Finds an element of index.html.
 * @template {keyof PageElements} Id
 * @param {Id} id
 */
export const element = (id) => /** @type {PageElements[Id]} */ (document.getElementById(id));

/** Finds all elements within another that match a selector.
 * @param {ParentNode} within
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export const findAll = (within, selector) => Array.from(within.querySelectorAll(selector));

/** The element that an event happened on.
 * @param {Event} event
 */
export const targetOf = (event) => /** @type {HTMLElement} */ (event.target);

/** Makes an element; children that are strings become text.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null>} attributes
 * @param {...(Node | string)} children
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/** Makes text that keeps its direction to itself, whatever script or override it holds.
 * @param {string} text
 */
export const isolated = (text) => make("bdi", {}, text);

/** @param {number} number @param {string} noun */
export const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
