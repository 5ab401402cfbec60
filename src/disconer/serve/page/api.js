// The server's API. Addresses are relative, so that the page works below any prefix; the key stays in memory.

import { Problem } from "./problem.js";

const TRIES = 5;

export class Api {
  #key = "";
  #onWait;

  /** `onWait` is told for how many seconds a busy server wants to be left alone.
   * @param {(seconds: number) => void} onWait
   */
  constructor(onWait) {
    this.#onWait = onWait;
  }

  /** @param {string} key */
  useKey(key) {
    this.#key = key;
  }

  /** @param {AbortSignal} signal @returns {Promise<ServerInformation>} */
  async models(signal) {
    return (await this.#send("v1/models", { signal })).json();
  }

  /** @param {ExtractRequest} request @param {AbortSignal} signal @returns {Promise<ExtractResponse>} */
  async extract(request, signal) {
    return (await this.#send("v1/extract", { signal, body: request })).json();
  }

  /** @param {object[]} documents @param {DownloadFormat} to */
  async convert(documents, to) {
    return (await this.#send("v1/convert", { body: { documents, to } })).blob();
  }

  /** @param {string} path @param {{ body?: object, signal?: AbortSignal }} options */
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

  /** @param {string} path @param {object | undefined} body @param {AbortSignal | undefined} signal */
  async #fetched(path, body, signal) {
    /** @type {Record<string, string>} */
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

/** @param {number} seconds @param {AbortSignal | undefined} signal @returns {Promise<void>} */
function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
