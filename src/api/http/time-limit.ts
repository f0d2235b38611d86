import type { Context } from "koa";

type Request = Context["req"];
type Response = Context["res"];

/** Time limit for sending a request, except for files. */
const REQUEST_MS = 60_000;
/** Time limit for a pause while a file is sent. */
const SILENCE_MS = 30_000;
/** Time limit for a pause while the client reads the reply. */
const PAUSE_MS = 120_000;
const TIMED_OUT = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";

const limits = new WeakMap<Request, NodeJS.Timeout>();

/**
 * Ends requests whose body takes too long. A further call restarts the timer. Node's own limit is the same for all
 * requests, and is set for files.
 */
export function limitBody(request: Request, response: Response, ms = REQUEST_MS): void {
  clearTimeout(limits.get(request));
  if (!request.headers["content-length"] && !request.headers["transfer-encoding"]) return;
  const timer = setTimeout(() => timeOut(request, response), ms).unref();
  limits.set(request, timer);
  request.once("close", () => clearTimeout(timer));
}

/** Replaces the time limit with one for pauses, for uploads of files. Called once the sender is authorized. */
export function limitSilence(request: Request, response: Response, ms = SILENCE_MS): void {
  clearTimeout(limits.get(request));
  response.setTimeout(ms, () => {
    // The sender is not idle: the file store is slow to take data or to answer.
    if (request.complete || request.isPaused()) request.socket.setTimeout(ms);
    else timeOut(request, response);
  });
}

/** Ends a reply whose client stops reading. */
export function limitReading(response: Response, ms = PAUSE_MS): void {
  response.setTimeout(ms);
}

/** Ends an incomplete request, as Node does itself. */
function timeOut(request: Request, response: Response): void {
  if (request.complete) return;
  // If no reply was started, one can still be sent.
  if (response.headersSent) request.destroy();
  else request.socket.end(TIMED_OUT, () => request.destroy());
}
