// Settings in a link: models and threshold, in the fragment, which browsers do not send. Never text, never a key.

/** @param {string} address */
export function settingsIn(address) {
  const values = new URLSearchParams(new URL(address).hash.slice(1));
  const threshold = Number(values.get("threshold"));
  return { models: values.getAll("model"), threshold: threshold > 0 && threshold <= 1 ? threshold : null };
}

/** @param {string} address @param {{ models: string[], threshold: number | null }} settings */
export function linkTo(address, { models, threshold }) {
  const values = new URLSearchParams(models.map((model) => ["model", model]));
  if (threshold !== null) values.set("threshold", threshold.toFixed(2));
  const link = new URL(address);
  link.search = "";
  link.hash = values.toString();
  return link.href;
}
