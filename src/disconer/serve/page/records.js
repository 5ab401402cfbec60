// Records of a JSONL file, every value as it stands there.

/** Gives the record of a line.
 * @param {string} line
 * @param {number} number
 * @returns {DocumentRecord}
 */
export function recordOf(line, number) {
  const record = /** @type {DocumentRecord | null} */ (parsed(line, number));
  if (typeof record?.text !== "string") throw new Error(`line ${number} has no "text"`);
  if (!isName(record.id)) throw new Error(`line ${number} has an "id" that is neither text nor a whole number`);
  return record;
}

/** @param {string} line @param {number} number */
function parsed(line, number) {
  try {
    return JSON.parse(line, exact);
  } catch (error) {
    throw new Error(`line ${number} ${error instanceof Unfit ? error.message : "is not JSON"}`);
  }
}

/** A value that this page can read and not pass on. */
class Unfit extends Error {}

/** Keeps numbers as they are written, which JavaScript could not always hold, and lets no broken text pass.
 * @param {string} key
 * @param {unknown} value
 * @param {{ source?: string } | undefined} context
 */
function exact(key, value, context) {
  if (!key.isWellFormed() || (typeof value === "string" && !value.isWellFormed())) {
    throw new Unfit("holds half of a character (a lone surrogate)");
  }
  if (typeof value !== "number" || context?.source === String(value)) return value;
  if (context?.source !== undefined && JSON.rawJSON) return JSON.rawJSON(context.source);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new Unfit("holds a number that this browser cannot keep: write it as text");
  }
  return value;
}

/** @param {unknown} id */
const isName = (id) =>
  id === undefined || id === null || typeof id === "string" || Number.isInteger(id) || /^-?\d+$/.test(rawJson(id));

const rawJson = (/** @type {unknown} */ value) =>
  typeof value === "object" && value && "rawJSON" in value ? String(value.rawJSON) : "";
