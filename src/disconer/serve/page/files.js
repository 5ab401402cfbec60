// Files that are dropped or opened: the sources that they hold, and what is wrong with them.

import { counted } from "./elements.js";
import { codePointCount } from "./offsets.js";
import { Source } from "./source.js";

const RECORDS = /\.(jsonl|ndjson)$/i;
const ENDING = /\.[^.]*$/;

/** Reads files; gives the sources, whether they are a set (or else one plain text), and complaints. */
export async function sourcesOf(files, limits) {
  const sources = [];
  const complaints = [];
  for (const file of files) {
    try {
      sources.push(...(await readFile(file, limits)));
    } catch (error) {
      complaints.push(`${file.name}: ${error.message}`);
    }
  }
  if (sources.length > limits.texts) {
    complaints.push(
      `These are ${counted(sources.length, "document")}, and this server takes ${limits.texts} at a time: ` +
        "open fewer, or use disconer predict",
    );
    sources.length = 0;
  }
  return { sources, isSet: files.length > 1 || RECORDS.test(files[0].name), complaints };
}

async function readFile(file, limits) {
  if (file.size > limits.body_bytes) {
    throw new Error(`has ${shownBytes(file.size)}, and this server takes ${shownBytes(limits.body_bytes)} at a time`);
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

function unreadable() {
  throw new Error("cannot be read: is it a folder, or was it moved?");
}

/** Decodes a file; a byte order mark is no part of the text. */
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

function recordsOf(text) {
  const lines = text.split("\n").map((line, index) => [line.trim(), index + 1]);
  return lines.filter(([line]) => line !== "").map(([line, number]) => recordOf(line, number));
}

function recordOf(line, number) {
  let record;
  try {
    record = JSON.parse(line);
  } catch {
    throw new Error(`line ${number} is not JSON`);
  }
  if (typeof record?.text !== "string") throw new Error(`line ${number} has no "text"`);
  return Source.record(record);
}

const shownBytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
