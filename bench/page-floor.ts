import { hash } from "node:crypto";
import Koa from "koa";
import pg from "pg";

/**
 * The reference for pages: Koa that finds the session of the cookie, and sends the bytes that it was given before (PUT).
 * It reads nothing else and renders nothing. Prints its port when it listens.
 */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const pages = new Map<string, Buffer>();
const app = new Koa();

app.use(async (ctx) => {
  if (ctx.method === "PUT") {
    const parts: Buffer[] = [];
    for await (const part of ctx.req) parts.push(part as Buffer);
    pages.set(ctx.path, Buffer.concat(parts));
    ctx.status = 204;
    return;
  }
  const cookie = ctx.cookies.get("muster_session") ?? "";
  const { rows } = await pool.query({
    name: "session",
    text: "select user_id from session where hash = $1 and expires_at > now()",
    values: [hash("sha256", cookie, "buffer")],
  });
  ctx.status = rows.length === 1 ? 200 : 401;
  ctx.type = "html";
  ctx.body = pages.get(ctx.path);
});

const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }));
});
