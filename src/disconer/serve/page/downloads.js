// Downloads: documents in the form of a file, made by the server.

import { make } from "./elements.js";

const NAMES = { jsonl: "mentions.jsonl", brat: "mentions.zip" };

export async function download(api, records, to) {
  const address = URL.createObjectURL(await api.convert(records, to));
  make("a", { href: address, download: NAMES[to] }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
