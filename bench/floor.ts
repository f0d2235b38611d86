import Koa from "koa";
import pg from "pg";
import type { Db, Statement } from "../src/domain/kernel/ports/ports.ts";
import { createShared } from "../src/domain/work/issues/create-shared.sql.ts";
import { labelsSql, listIssuesSql, oneIssueSql } from "./floor-sql.ts";

/**
 * The reference for comparisons: Koa and pg with statements on Muster's own tables and nothing else. No key, limits or
 * checks; pg's own types; no statement is shared. Prints its port when it listens.
 */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const db: Db = {
  query: async <Row>({ name, text }: Statement, values: readonly unknown[] = []) =>
    (await pool.query({ ...(name ? { name } : {}), text, values: [...values] })).rows as Row[],
};
const { workspaceId, projectId, newIssue } = JSON.parse(process.env.FLOOR!);
const app = new Koa();

app.use(async (ctx) => {
  if (ctx.method === "POST") {
    let body = "";
    for await (const chunk of ctx.req) body += chunk;
    const item = { ...newIssue, ...JSON.parse(body), id: crypto.randomUUID(), now: new Date().toISOString() };
    item.events = newIssue.events.map((event: object) => ({ ...event, id: crypto.randomUUID() }));
    item.activity = [{ id: crypto.randomUUID(), kind: "created", payload: {} }];
    const [numbered] = await createShared(db, workspaceId, [item]);
    ctx.status = 201;
    ctx.body = { data: { ...item, ...numbered } };
  } else if (ctx.path === "/list") {
    const { rows } = await pool.query({ name: "list", text: listIssuesSql, values: [workspaceId, projectId, 51] });
    const labels = await pool.query({
      name: "labels",
      text: labelsSql,
      values: [workspaceId, [...new Set(rows.flatMap((row) => row.label_ids))]],
    });
    const byId = new Map(labels.rows.map((label) => [label.id, label]));
    ctx.body = { data: rows.map((row) => ({ ...row, labels: row.label_ids.map((id: string) => byId.get(id)) })) };
  } else {
    const { rows } = await pool.query({ name: "one", text: oneIssueSql, values: [workspaceId, projectId, 500] });
    ctx.body = { data: rows[0] };
  }
});

const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }));
});
