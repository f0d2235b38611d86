import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import Koa from "koa";
import type { Row, Store } from "./statements.sql.ts";

const ROUTE = /^\/v1\/workspaces\/bench\/projects\/(\w+)\/issues(?:\/\w+-(\d+))?(\/transition)?(?:\?|$)/;

/** Koa and one prepared statement a call: no key, no checks, no related objects. */
export function koaPg(store: Store): Koa {
  const app = new Koa();
  app.use(async (ctx) => {
    const found = ROUTE.exec(ctx.url);
    if (!found) return;
    const [, key, number, moves] = found;
    const project = key === "WEB" ? 1 : Number(key!.slice(1));
    const shown = (row: Row | undefined) => row && { key: `${key}-${row.number}`, ...row };
    if (ctx.method === "GET") {
      if (number) ctx.body = shown(await store.one(project, Number(number)));
      else ctx.body = pageOf(await store.list(project, 51), 50, shown);
      return;
    }
    const body = await bodyOf(ctx.req);
    if (moves) ctx.body = shown(await store.move(project, Number(number), body.status));
    else if (number) ctx.body = shown(await store.change(project, Number(number), body));
    else {
      ctx.body = shown(await store.create(project, body));
      ctx.status = 201;
    }
  });
  return app;
}

export async function bodyOf(request: IncomingMessage) {
  let text = "";
  request.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  await once(request, "end");
  return JSON.parse(text);
}

/** One more row than shown says whether there is a next page. */
export function pageOf(rows: Row[], limit: number, shown: (row: Row) => unknown) {
  const page = rows.slice(0, limit);
  return { data: page.map(shown), next_cursor: rows.length > limit ? String(page.at(-1)!.id) : null };
}
