"use strict";
// Names a mention once more on every line of text that it goes on over: only the layout knows where lines end. Without
// this script drawings lack these names and nothing else. They lie in a layer above the figure, so that text and its
// elements stay as they are. All figures are measured before any is changed, so that the page is laid out once.

/** A stretch of a mention's lane, or a tag, on one line of text; from where reading begins: in text that is written from
 * right to left, `start` and `end` are counted from the right.
 * @typedef {object} Box
 * @property {HTMLElement} part
 * @property {number} line
 * @property {number} start
 * @property {number} end
 * @property {number} bottom
 */

(() => {
  const NEARLY = 6; // pixels by which the tops of what stands on one line may differ
  const SAME = 2; // pixels between what begins together
  const MOST = 20_000; // elements of a text that are measured
  const NARROWEST = 24; // pixels of a name

  /** Measures a text, and gives what puts names into its figure.
   * @param {HTMLElement} text
   */
  function planNames(text) {
    const figure = text.closest(".dn-figure");
    /** @type {NodeListOf<HTMLElement>} */
    const parts = text.querySelectorAll("[data-mention]");
    if (figure === null || parts.length > MOST) return () => {};
    const isReversed = getComputedStyle(text).direction === "rtl";
    const { bars, tags } = measure(parts, isReversed);
    const room = figure.getBoundingClientRect();
    const [first, edge] = isReversed ? [-room.right, -room.left] : [room.left, room.right];
    const lanes = Map.groupBy([...bars, ...tags], laneOf);
    const names = firstOnLines(bars, tags).flatMap(([bar, tag]) => {
      const limit = limitOf(bar, lanes.get(laneOf(bar)) ?? [], edge);
      if (limit - bar.start < NARROWEST) return [];
      const style = { maxWidth: limit - bar.start - SAME, top: bar.bottom - room.top - figure.clientTop };
      return [{ name: nameOf(bar.part, tag), tag, style, offset: bar.start - first - figure.clientLeft }];
    });
    return () => {
      for (const tag of figure.querySelectorAll(".dn-moved")) tag.classList.remove("dn-moved");
      const layer = figure.querySelector(".dn-layer") ?? figure.appendChild(makeLayer());
      layer.replaceChildren(...names.map(({ name }) => name));
      for (const { name, tag, style, offset } of names) {
        tag?.part.classList.add("dn-moved");
        name.style[isReversed ? "right" : "left"] = `${offset}px`;
        name.style.top = `${style.top}px`;
        name.style.maxWidth = `${style.maxWidth}px`;
      }
    };
  }

  function makeLayer() {
    const layer = document.createElement("div");
    layer.className = "dn-layer";
    layer.setAttribute("aria-hidden", "true");
    return layer;
  }

  /** Finds where mentions run, and where their tags are.
   * @param {Iterable<HTMLElement>} parts
   * @param {boolean} isReversed
   */
  function measure(parts, isReversed) {
    const boxes = [...parts].flatMap((part) => {
      const own = [...part.getClientRects()];
      return (isTag(part) ? own.slice(0, 1) : own).map((box) => ({ part, box }));
    });
    boxes.sort((one, other) => one.box.top - other.box.top);
    /** @type {Box[]} */
    const bars = [];
    /** @type {Box[]} */
    const tags = [];
    let line = 0;
    let top = boxes[0]?.box.top ?? 0;
    for (const { part, box } of boxes) {
      if (box.top > top + NEARLY) {
        line += 1;
        top = box.top;
      }
      const [start, end] = isReversed ? [-box.right, -box.left] : [box.left, box.right];
      (isTag(part) ? tags : bars).push({ part, line, start, end, bottom: box.bottom });
    }
    return { bars, tags };
  }

  /** @param {HTMLElement} part */
  const isTag = (part) => part.classList.contains("dn-tag");

  /** Gives each mention's first bar on every line that does not say its label, with the number of a part that stands there.
   * @param {Box[]} bars
   * @param {Box[]} tags
   * @returns {[Box, Box | undefined][]}
   */
  function firstOnLines(bars, tags) {
    const keyOf = (/** @type {Box} */ { part, line }) => `${part.dataset.mention} ${line}`;
    const named = new Set(tags.filter(({ part }) => part.dataset.tag?.startsWith(part.dataset.label ?? "")).map(keyOf));
    const numbers = Map.groupBy(tags, keyOf);
    /** @type {Map<string, Box>} */
    const first = new Map();
    for (const bar of bars) {
      const key = keyOf(bar);
      const before = first.get(key);
      if (!named.has(key) && bar.end > bar.start && (before === undefined || bar.start < before.start)) first.set(key, bar);
    }
    return [...first].map(([key, bar]) =>
      [bar, numbers.get(key)?.find(({ start }) => Math.abs(start - bar.start) < SAME)]);
  }

  /** Says in which lane of which line something is.
   * @param {Box} box
   */
  const laneOf = ({ part, line }) => `${line} ${part.className.match(/dn-lane-\d+/)?.[0]}`;

  /** Gives the place up to which a name may reach: where something else begins in its lane, or the figure's edge.
   * @param {Box} bar
   * @param {Box[]} beside
   * @param {number} edge
   */
  function limitOf({ part, start }, beside, edge) {
    const others = beside.filter((other) => other.start > start + SAME
      && (isTag(other.part) || other.part.dataset.mention !== part.dataset.mention));
    return Math.min(edge, ...others.map((other) => other.start));
  }

  /** Makes a name, with the looks and the state of the mention.
   * @param {HTMLElement} part
   * @param {Box | undefined} tag
   */
  function nameOf(part, tag) {
    const name = document.createElement("span");
    name.className = part.className.replace(/dn-(?:part|gap|opens|closes|alone|lane-\d+)/g, "");
    name.classList.add("dn-tag", "dn-again");
    name.dataset.mention = part.dataset.mention ?? "";
    name.dataset.tag = ["…" + part.dataset.label, tag?.part.dataset.tag].filter(Boolean).join(" ");
    return name;
  }

  const texts = new ResizeObserver((entries) => {
    const plans = entries.map(({ target }) => planNames(/** @type {HTMLElement} */ (target)));
    for (const putNames of plans) putNames();
  });
  /** @param {ParentNode} within */
  const watch = (within) => within.querySelectorAll(".dn-text").forEach((text) => texts.observe(text));
  new MutationObserver((changes) => {
    for (const node of changes.flatMap((change) => [...change.addedNodes])) if (node instanceof Element) watch(node);
  }).observe(document, { childList: true, subtree: true });
  watch(document);
})();
