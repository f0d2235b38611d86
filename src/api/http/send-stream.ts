import type { Context } from "koa";
import type { Outlet, ReadyStream } from "../engine/stream.ts";

type Response = Context["res"];

/**
 * Sends a stream. It writes to the response itself: a `Readable` as Koa's body would double the memory of a stream.
 */
export function sendStream(ctx: Context, stream: ReadyStream): void {
  const { req, res } = ctx;
  ctx.respond = false;
  if (ctx.method === "HEAD" || res.destroyed) {
    stream.abandon();
    res.end();
    return;
  }
  res.flushHeaders();
  res.on("drain", () => stream.drained());
  res.once("close", () => stream.closed());
  stream.start(new ResponseOutlet(res));
  // An open stream keeps its request as long as its response. What was sent is not read again.
  req.rawHeaders = [];
  req.headers = {};
}

class ResponseOutlet implements Outlet {
  readonly #response: Response;

  constructor(response: Response) {
    this.#response = response;
  }

  write(text: string): boolean {
    return this.#response.write(text);
  }

  end(text: string): void {
    this.#response.end(text);
  }

  destroy(): void {
    this.#response.destroy();
  }
}
