// A drawing: the server's HTML, the only string that this page reads as such. It is escaped where it is made.

import { make } from "./elements.js";
import { reveal } from "./scrolling.js";

const NEARLY = 200; // pixels beyond the edge of what is seen
const LOOK = /dn-(?:hue|stroke)-\d+/g;

export class Drawing {
  #text;
  #elements = new Map(); // of each mention, by its number
  #stepping = new Set(); // what is in view while a mention is alone

  constructor(html, name) {
    const template = document.createElement("template");
    template.innerHTML = html;
    const figure = template.content.querySelector(".dn-figure");
    figure.querySelector(".dn-list")?.remove(); // the page has a list of its own
    this.#text = figure.querySelector(".dn-text");
    for (const part of this.#text.querySelectorAll("[data-mention]")) {
      part.removeAttribute("title"); // would cover what it stands under
      const number = Number(part.dataset.mention);
      if (!this.#elements.has(number)) this.#elements.set(number, []);
      this.#elements.get(number).push(part);
    }
    this.frame = make("div", { class: "dn-drawing", tabindex: 0, role: "group", "aria-label": name }, figure);
  }

  has(number) {
    return this.#elements.has(number);
  }

  /** Gives the classes that a mention has its colour and its stroke from. */
  look(number) {
    return this.#of(number)[0]?.className.match(LOOK).join(" ") ?? "";
  }

  mark(number, name, isSo) {
    for (const part of this.#of(number)) part.classList.toggle(name, isSo);
  }

  /** Marks the tag of a mention that no other model found. */
  markOnly(number) {
    this.#of(number).find((part) => part.classList.contains("dn-tag"))?.classList.add("dn-only");
  }

  /** Lets the others step back behind a mention, or come forth again; only those in view, however long the text. */
  isolate(isAlone) {
    const inView = new Set(isAlone ? childrenInView(this.#text, this.frame) : []);
    for (const child of this.#stepping) if (!inView.has(child)) child.classList.remove("dn-alone");
    for (const child of inView) child.classList.add("dn-alone");
    this.#stepping = inView;
  }

  reveal(number) {
    if (this.has(number)) reveal(this.frame, this.#of(number)[0]);
  }

  /** Gives the mentions at a point of an element: whose tag it is, or those whose bars lie below, nearest first. */
  at(target, x, y) {
    const found = [];
    for (let part = target; part !== this.#text && part !== null; part = part.parentElement) {
      if (part.dataset.mention === undefined || part.classList.contains("dn-off")) continue;
      const box = [...part.getClientRects()].find((own) => holds(own, x, y));
      const isTag = part.classList.contains("dn-tag");
      if (isTag === (box === undefined)) found.push([isTag ? -1 : box.bottom, Number(part.dataset.mention)]);
    }
    return found.sort(([one], [other]) => one - other).map(([, number]) => number);
  }

  #of(number) {
    return this.#elements.get(number) ?? [];
  }
}

const holds = (box, x, y) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;

/** Gives the children of a text that are in view, or nearly so. */
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
