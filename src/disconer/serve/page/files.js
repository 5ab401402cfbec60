// Files that are dropped or opened: the sources that they hold, and what is wrong with them.

import { counted } from "./elements.js";
import { codePointCount } from "./offsets.js";
import { recordOf } from "./records.js";
import { Source } from "./source.js";

const RECORDS = /\.(jsonl|ndjson)$/i;
const ENDING = /\.[^.]*$/;
const TOLD = 3; // new names

/** Reads files; gives the sources, whether they are a set (or else one plain text), and complaints.
 * @param {File[]} files
 * @param {Limits} limits
 */
export async function sourcesOf(files, limits) {
  /** @type {Source[]} */
  const sources = [];
  /** @type {string[]} */
  const complaints = [];
  for (const file of files) {
    try {
      sources.push(...(await readFile(file, limits)));
    } catch (error) {
      complaints.push(`${file.name}: ${messageOf(error)}`);
    }
  }
  if (sources.length > limits.texts) {
    complaints.push(
      `These are ${counted(sources.length, "document")}, and this server takes ${limits.texts} at a time: ` +
        "open fewer, or use disconer predict",
    );
    sources.length = 0;
  }
  const isSet = files.length > 1 || RECORDS.test(files[0].name);
  return { sources: distinct(sources, complaints), isSet, complaints };
}

/** Gives sources that all have names of their own, as files need them, and says which were named anew.
 * @param {Source[]} sources
 * @param {string[]} complaints
 */
function distinct(sources, complaints) {
  const taken = new Set(sources.map((source) => source.id));
  const seen = new Set();
  /** @type {string[]} */
  const renamed = [];
  const named = sources.map((source) => {
    if (source.id === undefined || !seen.has(source.id)) {
      seen.add(source.id);
      return source;
    }
    const name = freeName(source.id, taken);
    renamed.push(`${source.id} is now ${name}`);
    return source.renamed(name);
  });
  if (renamed.length > 0) {
    const more = renamed.length > TOLD ? `, and ${counted(renamed.length - TOLD, "other")}` : "";
    complaints.push(`Documents of the same name were named anew: ${renamed.slice(0, TOLD).join(", ")}${more}`);
  }
  return named;
}

/** @param {string} name @param {Set<string | undefined>} taken */
function freeName(name, taken) {
  let number = 2;
  while (taken.has(`${name}-${number}`)) number += 1;
  taken.add(`${name}-${number}`);
  return `${name}-${number}`;
}

/** @param {File} file @param {Limits} limits */
async function readFile(file, limits) {
  if (file.size > limits.body_bytes) {
    const [size, most] = shownBytes(file.size, limits.body_bytes);
    throw new Error(`has ${size}, and this server takes ${most} at a time`);
  }
  const text = decoded(await file.arrayBuffer().catch(unreadable));
  const sources = RECORDS.test(file.name) ? recordsOf(text) : [Source.plain(text, file.name.replace(ENDING, ""))];
  const longest = sources.reduce((most, source) => Math.max(most, codePointCount(source.text)), 0);
  if (longest > limits.text_characters) {
    throw new Error(
      `holds a text of ${counted(longest, "character")}, and this server takes ` +
        `${limits.text_characters.toLocaleString("en")}`,
    );
  }
  return sources;
}

const messageOf = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));

/** @returns {never} */
function unreadable() {
  throw new Error("cannot be read: is it a folder, or was it moved?");
}

/** Decodes a file; a byte order mark is no part of the text.
 * @param {ArrayBuffer} bytes
 */
function decoded(bytes) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("is not UTF-8 text: save it as UTF-8 and open it again");
  }
  if (text.includes("\0")) throw new Error("is no text file: it holds NUL characters");
  return text;
}

/** @param {string} text */
function recordsOf(text) {
  /** @type {[string, number][]} */
  const lines = text.split("\n").map((line, index) => [line.trim(), index + 1]);
  const full = lines.filter(([line]) => line !== "");
  if (full.length === 0) throw new Error("holds no documents");
  return full.map(([line, number]) => Source.record(recordOf(line, number)));
}

/** Gives two sizes in words that tell them apart.
 * @param {...number} sizes
 */
function shownBytes(...sizes) {
  const rounded = sizes.map((bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`);
  return rounded[0] === rounded[1] ? sizes.map((bytes) => counted(bytes, "byte")) : rounded;
}
