// Scrolling within a frame, so that the page around it stays where it is.

/** @param {Element} frame @param {Element} inside */
export function reveal(frame, inside) {
  const outer = frame.getBoundingClientRect();
  const inner = inside.getBoundingClientRect();
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
  frame.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
}
