// A drawing: the server's HTML, the only string that this page reads as such. It is escaped where it is made.

import { findAll, make } from "./elements.js";
import { reveal } from "./scrolling.js";

const NEARLY = 200; // pixels beyond the edge of what is seen
const LOOK = /dn-(?:hue|stroke)-\d+/g;

export class Drawing {
  /** @type {HTMLElement} */
  #text;
  /** @type {Map<number, HTMLElement[]>} */
  #elements = new Map(); // of each mention, by its number
  /** @type {Set<Element>} */
  #stepping = new Set(); // what is in view while a mention is alone

  /** @param {string} html @param {string} name */
  constructor(html, name) {
    const template = document.createElement("template");
    template.innerHTML = html;
    const [figure] = findAll(template.content, ".dn-figure");
    figure.querySelector(".dn-list")?.remove(); // the page has a list of its own
    [this.#text] = findAll(figure, ".dn-text");
    for (const part of findAll(this.#text, "[data-mention]")) {
      part.removeAttribute("title"); // would cover what it stands under
      const number = Number(part.dataset.mention);
      this.#elements.set(number, [...this.#of(number), part]);
    }
    this.frame = make("div", { class: "dn-drawing", tabindex: 0, role: "group", "aria-label": name }, figure);
  }

  /** @param {number} number */
  has(number) {
    return this.#elements.has(number);
  }

  /** Gives the classes that a mention has its colour and its stroke from.
   * @param {number} number
   */
  look(number) {
    return this.#of(number)[0]?.className.match(LOOK)?.join(" ") ?? "";
  }

  /** @param {number} number @param {string} name @param {boolean} isSo */
  mark(number, name, isSo) {
    for (const part of this.#of(number)) part.classList.toggle(name, isSo);
  }

  /** Marks the tag of a mention that no other model found.
   * @param {number} number
   */
  markOnly(number) {
    this.#of(number).find((part) => part.classList.contains("dn-tag"))?.classList.add("dn-only");
  }

  /** Lets the others step back behind a mention, or come forth again; only those in view, however long the text.
   * @param {boolean} isAlone
   */
  isolate(isAlone) {
    const inView = new Set(isAlone ? childrenInView(this.#text, this.frame) : []);
    for (const child of this.#stepping) if (!inView.has(child)) child.classList.remove("dn-alone");
    for (const child of inView) child.classList.add("dn-alone");
    this.#stepping = inView;
    this.frame.querySelector(".dn-layer")?.classList.toggle("dn-alone", isAlone);
  }

  /** @param {number} number */
  reveal(number) {
    if (this.has(number)) reveal(this.frame, this.#of(number)[0]);
  }

  /** Gives the mentions at a point of an element: whose tag it is, or those whose bars lie below, nearest first.
   * @param {HTMLElement} target
   * @param {number} x
   * @param {number} y
   */
  at(target, x, y) {
    /** @type {[number, number][]} */
    const found = [];
    /** @type {HTMLElement | null} */
    let part = target;
    for (; part !== this.#text && part !== null; part = part.parentElement) {
      if (part.dataset.mention === undefined || part.classList.contains("dn-off")) continue;
      const box = [...part.getClientRects()].find((own) => holds(own, x, y));
      const isTag = part.classList.contains("dn-tag");
      if (isTag !== (box === undefined)) continue;
      found.push([box?.bottom ?? -1, Number(part.dataset.mention)]);
    }
    return found.sort(([one], [other]) => one - other).map(([, number]) => number);
  }

  /** Gives the elements of a mention, and its names on further lines, which come and go with the layout.
   * @param {number} number
   */
  #of(number) {
    const names = this.frame === undefined ? [] : findAll(this.frame, `.dn-layer [data-mention="${number}"]`);
    return [...(this.#elements.get(number) ?? []), ...names];
  }
}

/** @param {DOMRect} box @param {number} x @param {number} y */
const holds = (box, x, y) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;

/** Gives the children of a text that are in view, or nearly so.
 * @param {HTMLElement} text
 * @param {HTMLElement} frame
 */
function childrenInView(text, frame) {
  const view = frame.getBoundingClientRect();
  const top = Math.max(view.top, 0) - NEARLY;
  const bottom = Math.min(view.bottom, innerHeight) + NEARLY;
  const { children } = text;
  let first = 0;
  for (let last = children.length; first < last; ) {
    const middle = (first + last) >> 1;
    if (children[middle].getBoundingClientRect().bottom < top) first = middle + 1;
    else last = middle;
  }
  let end = first;
  while (end < children.length && children[end].getBoundingClientRect().top <= bottom) end += 1;
  return [...children].slice(first, end);
}
