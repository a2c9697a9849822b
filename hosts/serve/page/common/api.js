// Requests to the club.

/** What the club refuses, with its reason. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {{kind?: string, error?: string, rule?: string, ply?: number, die?: {sides: number, purpose: string}}} body
   */
  constructor(status, body) {
    super(body.error ?? "The club does not answer as it should.");
    this.status = status;
    this.kind = body.kind ?? "";
    this.rule = body.rule ?? "";
    this.ply = body.ply;
    this.die = body.die;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<any>}
 */
async function request(path, options) {
  let response;
  try {
    response = await fetch(`/api${path}`, { credentials: "same-origin", ...options });
  } catch {
    throw new Refused(0, { kind: "away", error: "The club cannot be reached." });
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}

/**
 * Asks for something.
 * @param {string} path
 */
export function get(path) {
  return request(path, {});
}

/**
 * Wants something done.
 * @param {string} path
 * @param {any} body
 */
export function post(path, body) {
  return request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
