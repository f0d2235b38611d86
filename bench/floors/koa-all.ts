import Router from "@koa/router";
import Koa, { type Context } from "koa";
import { hashSecret } from "../../src/domain/kernel/secrets.ts";
import { bodyOf, pageOf } from "./koa-pg.ts";
import type { Row, Store } from "./statements.sql.ts";
import {
  ChangeBody,
  IssuePath,
  IssueShown,
  ListQuery,
  MoveBody,
  NewIssueBody,
  PageShown,
  ProjectPath,
} from "./wire.ts";

const WORKSPACE = "/v1/workspaces/:slug";
const PROJECT = `${WORKSPACE}/projects/:key`;
/** As many as a service has; those of issues are in the middle. */
const OTHER_ROUTES = 166;

type Call = { project: { id: number; key: string }; number: number; ctx: Context };

/**
 * The same calls as a careful engineer would put them together: a router, a key with scopes, the project of the
 * workspace, and zod for what comes in and goes out. Key and project are looked up in each call.
 */
export function koaAll(store: Store): Koa {
  const router = new Router();
  const others = (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      router.get(`${n % 2 ? PROJECT : WORKSPACE}/others${n}/:id`, (ctx) => {
        ctx.body = {};
      });
    }
  };
  const serve =
    (scope: string, handle: (call: Call) => Promise<unknown>, status = 200) =>
    async (ctx: Context & { params: Record<string, string> }) => {
      const access = await accessOf(store, ctx.get("authorization"));
      if (!access) return ctx.throw(401);
      if (!access.scopes.includes(scope)) return ctx.throw(403);
      const path = ctx.params.issue ? IssuePath.parse(ctx.params) : { ...ProjectPath.parse(ctx.params), issue: "" };
      if (path.slug !== access.slug) return ctx.throw(404);
      const project = await store.project(access.workspace_id, path.key);
      const body = project && (await handle({ project, number: Number(path.issue.split("-")[1]), ctx }));
      if (!body) return ctx.throw(404);
      ctx.status = status;
      ctx.body = body;
    };
  const issue = ({ project }: Call, row: Row | undefined) =>
    row && IssueShown.parse({ key: `${project.key}-${row.number}`, ...row });

  others(0, OTHER_ROUTES / 2);
  router.get(
    `${PROJECT}/issues`,
    serve("issues:read", async ({ project, ctx }) => {
      const { limit } = ListQuery.parse({ ...ctx.query });
      const rows = await store.list(project.id, limit + 1);
      return PageShown.parse(pageOf(rows, limit, (row) => ({ key: `${project.key}-${row.number}`, ...row })));
    }),
  );
  router.post(
    `${PROJECT}/issues`,
    serve(
      "issues:write",
      async (call) => issue(call, await store.create(call.project.id, NewIssueBody.parse(await bodyOf(call.ctx.req)))),
      201,
    ),
  );
  router.get(
    `${PROJECT}/issues/:issue`,
    serve("issues:read", async (call) => issue(call, await store.one(call.project.id, call.number))),
  );
  router.patch(
    `${PROJECT}/issues/:issue`,
    serve("issues:write", async (call) => {
      const body = ChangeBody.parse(await bodyOf(call.ctx.req));
      return issue(call, await store.change(call.project.id, call.number, body));
    }),
  );
  router.post(
    `${PROJECT}/issues/:issue/transition`,
    serve("issues:write", async (call) => {
      const { status } = MoveBody.parse(await bodyOf(call.ctx.req));
      return issue(call, await store.move(call.project.id, call.number, status));
    }),
  );
  others(OTHER_ROUTES / 2, OTHER_ROUTES);
  const app = new Koa();
  app.use(router.routes());
  return app;
}

async function accessOf(store: Store, header: string) {
  return header.startsWith("Bearer ") ? store.access(hashSecret(header.slice(7))) : undefined;
}
