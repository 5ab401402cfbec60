// Places in an answer that the focus can be on, to find them again in the answer that comes after.

import { numberOf } from "./list.js";

const COLUMNS = ["label", "text", "places", "score"];
const KINDS = [
  ...[".dn-drawing", ".dn-copy", "summary", "[data-to='jsonl']", "[data-to='brat']"],
  ...COLUMNS.map((column) => `[data-column='${column}'] button`),
];

/** Gives the kind of place that the focus is on within an element; undefined if it is elsewhere.
 * @param {Element} within
 */
export function focusedKind(within) {
  const focused = document.activeElement;
  return focused && within.contains(focused) ? KINDS.find((kind) => focused.matches(kind)) : undefined;
}

/** Puts the focus back on a kind of place within an element; false if there is none.
 * @param {Element} within
 * @param {string | undefined} kind
 */
export function focusKind(within, kind) {
  /** @type {HTMLElement | null} */
  const place = kind ? within.querySelector(kind) : null;
  place?.focus({ preventScroll: true });
  return Boolean(place);
}

/** Gives the number of the mention whose row has the focus within an element; undefined if it is elsewhere.
 * @param {Element} within
 */
export function focusedNumber(within) {
  /** @type {HTMLElement | null | undefined} */
  const row = document.activeElement?.closest("tr[data-mention]");
  return row && within.contains(row) ? numberOf(row) : undefined;
}
