// Elements of the page: finding them, and making them without ever reading a string as HTML.

export const element = (id) => document.getElementById(id);

/** Makes an element; children that are strings become text. */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** Makes text that keeps its direction to itself, whatever script or override it holds. */
export const isolated = (text) => make("bdi", {}, text);

export const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
