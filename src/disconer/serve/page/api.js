// The server's API. Addresses are relative, so that the page works below any prefix; the key stays in memory.

import { Problem } from "./problem.js";

const TRIES = 5;

export class Api {
  #key = "";
  #onWait;

  /** `onWait` is told for how many seconds a busy server wants to be left alone. */
  constructor(onWait) {
    this.#onWait = onWait;
  }

  useKey(key) {
    this.#key = key;
  }

  async models(signal) {
    return (await this.#send("v1/models", { signal })).json();
  }

  async extract(request, signal) {
    return (await this.#send("v1/extract", { signal, body: request })).json();
  }

  async convert(documents, to) {
    return (await this.#send("v1/convert", { body: { documents, to } })).blob();
  }

  async #send(path, { body, signal }) {
    for (let tries = 1; ; tries += 1) {
      const response = await this.#fetched(path, body, signal);
      if (response.ok) return response;
      const problem = await Problem.from(response);
      if (problem.status === 401) problem.message = this.#complaintAboutKey;
      if (problem.status !== 503 || tries === TRIES) throw problem;
      this.#onWait(problem.retryAfter);
      await pause(problem.retryAfter, signal);
    }
  }

  get #complaintAboutKey() {
    return this.#key ? "This key is not one of the server's. Is it whole?" : "This server needs an API key.";
  }

  async #fetched(path, body, signal) {
    const headers = {};
    if (this.#key) headers.Authorization = `Bearer ${this.#key}`;
    if (body) headers["Content-Type"] = "application/json";
    const options = { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body), signal };
    try {
      return await fetch(path, { ...options, cache: "no-store" });
    } catch (error) {
      throw signal?.aborted ? error : Problem.unreachable();
    }
  }
}

function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
