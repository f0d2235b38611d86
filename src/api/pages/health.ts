import type Router from "@koa/router";
import { admitOperator, type OperatorOptions } from "../http/operator.ts";

export type HealthOptions = {
  ready: () => Promise<{ status: "ready" | "not ready" | "stopping"; checks: object }>;
  metrics: { registry: { metrics(): Promise<string>; contentType: string } };
  operator: OperatorOptions;
};

/** `/healthz`: the process answers. `/readyz`: it is ready to serve. `/metrics`: Prometheus, for the operator. */
export function healthPages(router: Router, { ready, metrics, operator }: HealthOptions): void {
  router.get("/healthz", (ctx) => {
    ctx.body = { status: "ok" };
  });
  router.get("/readyz", async (ctx) => {
    const state = await ready();
    ctx.status = state.status === "ready" ? 200 : 503;
    ctx.body = state;
  });
  router.get("/metrics", async (ctx) => {
    if (!(await admitOperator(ctx, operator))) return;
    ctx.type = metrics.registry.contentType;
    ctx.body = await metrics.registry.metrics();
  });
}
