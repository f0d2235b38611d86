import type Router from "@koa/router";
import { refuse } from "../../domain/kernel/errors.ts";
import { identify } from "../engine/access.ts";
import { baseContext, type Runtime } from "../engine/call.ts";
import { readCredential } from "../http/bind.ts";
import { TOOL_SERVER } from "../oauth/resources.ts";

/**
 * Reserves the tool server's path, which documents already name. A call without a credential gets the challenge by
 * which programs find the authorization server; the server itself does not exist yet.
 */
export function toolServerRoute(router: Router, runtime: Runtime): void {
  router.all(TOOL_SERVER, async (ctx) => {
    ctx.state.operation = "tool-server";
    const call = {
      requestId: ctx.state.requestId,
      secret: readCredential(ctx),
      address: ctx.ip,
      path: ctx.path,
      params: {},
      onRate: () => {},
    };
    await identify(runtime, call, baseContext(runtime, call.requestId));
    refuse("not_found", {
      message:
        "Your credential is valid, but the tool server is not available yet. Use it at /v1; the API reference is at /docs.",
    });
  });
}
