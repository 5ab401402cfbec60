// Offsets: the server counts code points, a string of JavaScript UTF-16 units, and a text field neither CRLF nor CR.

const ASTRAL = /[\ud800-\udbff][\udc00-\udfff]/g;

/** @param {string} text */
export const codePointCount = (text) => text.length - (text.match(ASTRAL)?.length ?? 0);

/** Gives the text as a text field holds it.
 * @param {string} text
 */
export const asFieldHolds = (text) => text.replace(/\r\n?/g, "\n");

/** A text whose stretches are asked for by code points. */
export class CodePoints {
  #text;
  #units; // where each code point begins; null where code points and units are the same

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
    this.#units = ASTRAL.test(text) ? unitsOf(text) : null;
    ASTRAL.lastIndex = 0;
  }

  /** @param {number} start @param {number} end */
  slice(start, end) {
    return this.#text.slice(this.#unit(start), this.#unit(end));
  }

  /** Gives where a code point stands in a text field that holds the text.
   * @param {number} offset
   */
  inField(offset) {
    return asFieldHolds(this.slice(0, offset)).length;
  }

  /** @param {number} offset */
  #unit(offset) {
    return this.#units ? this.#units[offset] : offset;
  }
}

/** @param {string} text */
function unitsOf(text) {
  const units = new Uint32Array(codePointCount(text) + 1);
  let unit = 0;
  for (let point = 0; point < units.length; point += 1) {
    units[point] = unit;
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  }
  return units;
}
