// Places in an answer that the focus can be on, to find them again in the answer that comes after.

import { numberOf } from "./list.js";

const COLUMNS = ["label", "text", "places", "score"];
const KINDS = [
  ...[".dn-drawing", ".dn-copy", "summary", "[data-to='jsonl']", "[data-to='brat']"],
  ...COLUMNS.map((column) => `[data-column='${column}'] button`),
];

/** Gives the kind of place that the focus is on within an element; undefined if it is elsewhere. */
export function focusedKind(within) {
  const focused = document.activeElement;
  return within.contains(focused) ? KINDS.find((kind) => focused.matches(kind)) : undefined;
}

/** Puts the focus back on a kind of place within an element; false if there is none. */
export function focusKind(within, kind) {
  const place = kind && within.querySelector(kind);
  place?.focus({ preventScroll: true });
  return Boolean(place);
}

/** Gives the number of the mention whose row has the focus within an element; undefined if it is elsewhere. */
export function focusedNumber(within) {
  const row = document.activeElement.closest("tr[data-mention]");
  return row && within.contains(row) ? numberOf(row) : undefined;
}
