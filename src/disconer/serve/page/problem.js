// A problem: what went wrong with a request, in words for people.

export class Problem extends Error {
  /**
   * @param {string} message
   * @param {{ status?: number, code?: string, requestId?: string, retryAfter?: number }} about
   */
  constructor(message, { status = 0, code = "", requestId = "", retryAfter = 0 } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }

  static unreachable() {
    return new Problem("The server cannot be reached. Is it still running? Your text is still here.");
  }

  /** Reads an answer that is an error: one of the server's own, or whatever a proxy in between made up.
   * @param {Response} response
   */
  static async from(response) {
    const told = await response.json().catch(() => ({}));
    const fallback = `The server answered ${response.status} ${response.statusText}`.trim();
    return new Problem([told.detail ?? told.title ?? fallback, ...where(told.errors)].join(" · "), {
      status: response.status,
      code: told.code,
      requestId: told.request_id ?? response.headers.get("X-Request-ID") ?? "",
      retryAfter: seconds(response.headers.get("Retry-After")),
    });
  }
}

/** @param {{ where: string, what: string }[] | undefined} errors */
const where = (errors) => (errors ?? []).slice(0, 3).map((error) => `${error.where}: ${error.what}`);

/** Reads a Retry-After, which is a number of seconds or, from a proxy, a date.
 * @param {string | null} header
 */
function seconds(header) {
  const value = Number(header ?? 1);
  const wanted = Number.isNaN(value) ? (Date.parse(header ?? "") - Date.now()) / 1000 : value;
  return Math.min(60, Math.max(1, Math.ceil(wanted) || 1));
}
