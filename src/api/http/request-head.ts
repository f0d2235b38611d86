import type { Context, Middleware } from "koa";
import { refuse } from "../../domain/kernel/errors.ts";

/**
 * More than any valid call has. Koa parses a query in quadratic time: 14,000 parameters would block the process for
 * seconds.
 */
const MAX_PARAMETERS = 500;
/** Browsers send 150 characters. The library that parses the header needs quadratic time for quotes and commas. */
const MAX_ACCEPT_LENGTH = 2_000;

/**
 * Checks the head of a request before anything else reads it. A longer Accept header is ignored, as RFC 9110 (12.5.1)
 * allows.
 * @throws Refusal invalid_parameter
 */
export const checkHead = (): Middleware => (ctx: Context, next) => {
  if (!hasValidTarget(ctx)) {
    // Errors are logged and shown with their path.
    ctx.req.url = "/";
    refuse("invalid_parameter", { message: "The address of the request is not a valid URL." });
  }
  if (ctx.get("accept").length > MAX_ACCEPT_LENGTH) delete ctx.req.headers.accept;
  if (ctx.querystring.split("&", MAX_PARAMETERS + 1).length > MAX_PARAMETERS) {
    refuse("invalid_parameter", { message: `A query may have at most ${MAX_PARAMETERS} parameters.` });
  }
  return next();
};

/** False for an absolute address that cannot be parsed or has no path, such as `http://[/`. */
function hasValidTarget(ctx: Context): boolean {
  try {
    return typeof ctx.path === "string";
  } catch {
    return false;
  }
}
