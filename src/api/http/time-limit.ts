import type { Context } from "koa";

type Request = Context["req"];

/** What sending a request may take, but for a file's. */
const REQUEST_MS = 60_000;
/** The same of a public form that comes with files. */
const FORM_MS = 600_000;
const TIMED_OUT = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";

/** Paths below take files, which are given their time. */
export const FILES = "/files/";
export const FORMS = "/f/";

/** Ends requests whose body takes too long. Node's own limit is one for all, and is that of files. */
export function limitBody(request: Request): void {
  const hasNone = !request.headers["content-length"] && !request.headers["transfer-encoding"];
  if (hasNone || request.url?.startsWith(FILES)) return;
  const timer = setTimeout(() => timeOut(request), withFiles(request) ? FORM_MS : REQUEST_MS).unref();
  request.once("close", () => clearTimeout(timer));
}

const withFiles = ({ url, headers }: Request) =>
  url?.startsWith(FORMS) && headers["content-type"]?.startsWith("multipart/");

/** Ends a request that is still on its way, as Node itself does. */
export function timeOut(request: Request): void {
  if (!request.complete) request.socket.end(TIMED_OUT, () => request.destroy());
}
