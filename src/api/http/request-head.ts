import type { Context, Middleware } from "koa";
import { refuse } from "../../domain/kernel/errors.ts";

/**
 * More than any valid call has. Koa parses a query in quadratic time: 14,000 parameters would block the process for
 * seconds.
 */
const MOST_PARAMETERS = 500;
/** Browsers send 150 characters. The library that parses the header needs quadratic time for quotes and commas. */
const LONGEST_ACCEPT = 2_000;

/**
 * Checks the head of a request before anything else reads it. A longer Accept header is ignored, as RFC 9110 (12.5.1)
 * allows.
 * @throws Refusal invalid_parameter
 */
export const checkHead = (): Middleware => (ctx: Context, next) => {
  if (ctx.get("accept").length > LONGEST_ACCEPT) delete ctx.req.headers.accept;
  if (ctx.querystring.split("&", MOST_PARAMETERS + 1).length > MOST_PARAMETERS) {
    refuse("invalid_parameter", { message: `A query may have at most ${MOST_PARAMETERS} parameters.` });
  }
  return next();
};
