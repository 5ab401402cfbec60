"use strict";
// Names a mention once more on every line of text that it goes on over: only the layout knows where lines end. Without
// this script drawings lack these names and nothing else. They lie in a layer above the figure, so that text and its
// elements stay as they are.

/** A stretch of a mention's lane on one line of text.
 * @typedef {object} Bar
 * @property {HTMLElement} part
 * @property {number} line
 * @property {number} left
 * @property {number} right
 * @property {number} bottom
 */

(() => {
  const NEARLY = 6; // pixels by which the tops of what stands on one line may differ
  const MOST = 20_000; // elements of a text that are measured
  const NARROWEST = 24; // pixels of a name

  /** @param {HTMLElement} text */
  function nameLines(text) {
    const figure = text.closest(".dn-figure");
    /** @type {NodeListOf<HTMLElement>} */
    const parts = text.querySelectorAll("[data-mention]");
    figure?.querySelector(".dn-layer")?.remove();
    if (figure === null || parts.length === 0 || parts.length > MOST) return;
    const { bars, named } = measure(parts);
    const room = figure.getBoundingClientRect();
    room.x += figure.clientLeft;
    room.y += figure.clientTop;
    const lanes = Map.groupBy(bars, laneOf);
    const names = firstOnLines(bars, named)
      .map((bar) => nameOf(bar, rightLimit(bar, lanes.get(laneOf(bar)) ?? [], room.right), room));
    if (names.length === 0) return;
    const layer = document.createElement("div");
    layer.className = "dn-layer";
    layer.setAttribute("aria-hidden", "true");
    layer.append(...names.filter((name) => name !== null));
    figure.append(layer);
  }

  /** Finds where mentions run, and on which lines each has a tag already.
   * @param {Iterable<HTMLElement>} parts
   */
  function measure(parts) {
    const boxes = [...parts].flatMap((part) => [...part.getClientRects()].map((box) => ({ part, box })));
    boxes.sort((one, other) => one.box.top - other.box.top);
    /** @type {Bar[]} */
    const bars = [];
    /** @type {Set<string>} */
    const named = new Set();
    let line = 0;
    let top = boxes[0]?.box.top ?? 0;
    for (const { part, box } of boxes) {
      if (box.top > top + NEARLY) {
        line += 1;
        top = box.top;
      }
      if (!part.classList.contains("dn-tag")) {
        bars.push({ part, line, left: box.left, right: box.right, bottom: box.bottom });
      } else named.add(`${part.dataset.mention} ${line}`);
    }
    return { bars, named };
  }

  /** Gives each mention's first bar on every line that does not name it.
   * @param {Bar[]} bars
   * @param {Set<string>} named
   */
  function firstOnLines(bars, named) {
    /** @type {Map<string, Bar>} */
    const first = new Map();
    for (const bar of bars) {
      const key = `${bar.part.dataset.mention} ${bar.line}`;
      const before = first.get(key);
      if (!named.has(key) && bar.right > bar.left && (before === undefined || bar.left < before.left)) first.set(key, bar);
    }
    return [...first.values()];
  }

  /** Says in which lane of which line a bar is.
   * @param {Bar} bar
   */
  const laneOf = ({ part, line }) => `${line} ${part.className.match(/dn-lane-\d+/)?.[0]}`;

  /** Gives the place up to which a name may reach: where another mention begins in its lane, or the figure's edge.
   * @param {Bar} bar
   * @param {Bar[]} beside
   * @param {number} edge
   */
  function rightLimit({ part, left }, beside, edge) {
    const others = beside.filter((other) => other.part.dataset.mention !== part.dataset.mention && other.left > left);
    return Math.min(edge, ...others.map((other) => other.left));
  }

  /** Makes the name of a bar, with the looks and the state of the mention; null where there is no room.
   * @param {Bar} bar
   * @param {number} limit
   * @param {DOMRect} room
   */
  function nameOf({ part, left, bottom }, limit, room) {
    if (limit - left < NARROWEST) return null;
    const name = document.createElement("span");
    name.className = part.className.replace(/dn-(?:part|gap|opens|closes|lane-\d+)/g, "");
    name.classList.add("dn-tag", "dn-again");
    name.dataset.mention = part.dataset.mention ?? "";
    name.dataset.tag = `…${part.dataset.label}`;
    name.style.left = `${left - room.left}px`;
    name.style.top = `${bottom - room.top}px`;
    name.style.maxWidth = `${limit - left - 2}px`;
    return name;
  }

  const texts = new ResizeObserver((entries) => {
    for (const { target } of entries) nameLines(/** @type {HTMLElement} */ (target));
  });
  /** @param {ParentNode} within */
  const watch = (within) => within.querySelectorAll(".dn-text").forEach((text) => texts.observe(text));
  new MutationObserver((changes) => {
    for (const node of changes.flatMap((change) => [...change.addedNodes])) if (node instanceof Element) watch(node);
  }).observe(document, { childList: true, subtree: true });
  watch(document);
})();
