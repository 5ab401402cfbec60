// Downloads: documents in the form of a file. Records are here already; brat files are made by the server.

import { make } from "./elements.js";

/** @import { Api } from "./api.js" */
/** @import { Panel } from "./panel.js" */

const NAMES = { jsonl: "mentions.jsonl", brat: "mentions.zip" };

/** @param {Api} api @param {Panel[]} panels @param {DownloadFormat} to */
export async function download(api, panels, to) {
  const file = to === "jsonl" ? linesOf(panels) : await api.convert(panels.map((panel) => panel.bratRecord), to);
  const address = URL.createObjectURL(file);
  make("a", { href: address, download: NAMES[to] }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** @param {Panel[]} panels */
function linesOf(panels) {
  return new Blob(panels.map((panel) => `${JSON.stringify(panel.record)}\n`), { type: "application/x-ndjson" });
}
