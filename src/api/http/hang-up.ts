import type { Context } from "koa";

/** How long a rejected client may continue sending before the connection is closed. */
const LINGER_MS = 5_000;

/**
 * Discards the rest of a rejected body. The connection stays open for a while, so that the client can read the reply.
 */
export function hangUp(ctx: Context): void {
  const { req } = ctx;
  if (req.complete || req.destroyed) return;
  ctx.set("Connection", "close");
  req.resume();
  const timer = setTimeout(() => req.destroy(), LINGER_MS).unref();
  req.once("close", () => clearTimeout(timer));
}
