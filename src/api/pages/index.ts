import type Router from "@koa/router";
import type { Settings } from "../../domain/context.ts";
import type { Operation } from "../engine/operation.ts";
import { askForOperator, isOperator } from "../http/operator.ts";
import { explain } from "../http/problem.ts";

export type PagesOptions = {
  ready: () => Promise<{ ready: boolean; checks: Record<string, boolean> }>;
  metrics: { registry: { metrics(): Promise<string>; contentType: string } };
  operatorPassword: string | undefined;
  settings: Settings;
  operations: readonly Operation[];
};

/** Everything on the web that is no operation: health, metrics and documents. */
export function pages(options: PagesOptions): (router: Router) => void {
  return (router) => {
    router.get("/healthz", (ctx) => {
      ctx.body = { status: "ok" };
    });
    router.get("/readyz", async (ctx) => {
      const { ready, checks } = await options.ready();
      ctx.status = ready ? 200 : 503;
      ctx.body = { status: ready ? "ready" : "not ready", checks };
    });
    router.get("/metrics", async (ctx) => {
      if (!isOperator(ctx, options.operatorPassword)) return askForOperator(ctx, options.operatorPassword);
      ctx.type = options.metrics.registry.contentType;
      ctx.body = await options.metrics.registry.metrics();
    });
    router.get("/problems/:code", (ctx) => {
      const text = explain(ctx.params.code ?? "");
      ctx.status = text ? 200 : 404;
      ctx.body = text ?? "There is no such problem.\n";
    });
  };
}
