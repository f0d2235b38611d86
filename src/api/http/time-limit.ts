import type { Context } from "koa";

type Request = Context["req"];
type Response = Context["res"];

/** What sending a request may take, but for a file's. */
const REQUEST_MS = 60_000;
/** How long nothing may come of a file. */
const SILENCE_MS = 30_000;
/** How long a reader may pause. */
const PAUSE_MS = 120_000;
const TIMED_OUT = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";

const limits = new WeakMap<Request, NodeJS.Timeout>();

/**
 * Ends requests whose body takes too long; called again, it counts anew. Node's own limit is one for all, and is that of
 * files.
 */
export function limitBody(request: Request, response: Response, ms = REQUEST_MS): void {
  clearTimeout(limits.get(request));
  if (!request.headers["content-length"] && !request.headers["transfer-encoding"]) return;
  const timer = setTimeout(() => timeOut(request, response), ms).unref();
  limits.set(request, timer);
  request.once("close", () => clearTimeout(timer));
}

/** Gives a file its time, as long as something comes of it. Called once its sender is known to be allowed to send it. */
export function limitSilence(request: Request, response: Response, ms = SILENCE_MS): void {
  clearTimeout(limits.get(request));
  response.setTimeout(ms, () => {
    // Not its sender is silent, but the store is slow: to take more of it, or to answer.
    if (request.complete || request.isPaused()) request.socket.setTimeout(ms);
    else timeOut(request, response);
  });
}

/** Ends an answer of which nobody reads on. */
export function limitReading(response: Response, ms = PAUSE_MS): void {
  response.setTimeout(ms);
}

/** Ends a request that is still on its way, as Node itself does. */
function timeOut(request: Request, response: Response): void {
  if (request.complete) return;
  // What is not answered yet still can be.
  if (response.headersSent) request.destroy();
  else request.socket.end(TIMED_OUT, () => request.destroy());
}
