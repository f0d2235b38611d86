import type { Context } from "koa";
import type { Caller } from "../engine/call.ts";

/** What every context keeps of a request, for logs and for the audit log. */
export const callerOf = (ctx: Pick<Context, "state" | "ip" | "get">): Caller => ({
  requestId: ctx.state.requestId,
  address: ctx.ip,
  userAgent: ctx.get("user-agent"),
});
