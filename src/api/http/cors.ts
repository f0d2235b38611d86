import cors from "@koa/cors";
import type { Context, Middleware, Next } from "koa";

type Options = { allowMethods: string; allowHeaders: string[]; exposeHeaders: string[]; maxAge: number };

/**
 * Lets pages of any site call the API, and read the headers of replies. Only browsers ask that, and say where the page is
 * from. All others get no headers that nobody would read.
 */
export function crossOrigin(options: Options): Middleware {
  const answer = cors({ ...options, origin: "*", keepHeadersOnError: false });
  return (ctx: Context, next: Next) => {
    if (ctx.req.headers.origin !== undefined || ctx.method === "OPTIONS") return answer(ctx, next);
    ctx.res.setHeader("Vary", "Origin");
    return next();
  };
}
