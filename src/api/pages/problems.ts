import type Router from "@koa/router";
import { explain } from "../http/problem.ts";

/** `/problems/{code}`: the page that the `type` of every problem points to. */
export function problemPages(router: Router): void {
  router.get("/problems/:code", (ctx) => {
    const text = explain(ctx.params.code ?? "");
    ctx.status = text ? 200 : 404;
    ctx.body = text ?? "There is no such error code.\n";
  });
}
