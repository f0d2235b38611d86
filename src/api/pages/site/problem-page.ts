import type { Context } from "koa";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { layout } from "./layout.ts";
import { refusalPage } from "./refusal-page.ts";
import { secure } from "./secure.ts";

/** Error pages for people. Programs get JSON. */

/** Paths without pages: they answer JSON regardless of the Accept header. */
const PROGRAMS_ONLY =
  /^\/(v1|api|\.well-known)(\/|$)|^\/(healthz|readyz|metrics|openapi\.json|auth\.md|llms\.txt)$|\.(css|js|svg)$/;

/** Whether to answer with a page. Programs that accept anything (curl) get JSON. */
const isForPeople = (ctx: Context): boolean => !PROGRAMS_ONLY.test(ctx.path) && ctx.accepts("json", "html") === "html";

/** Replaces a problem by a page, if a person is going to read it. */
export function problemPage(ctx: Context, refusal: Refusal): void {
  if (!isForPeople(ctx)) return;
  secure(ctx);
  ctx.type = "text/html; charset=utf-8";
  ctx.body = layout({ ...refusalPage({ refusal, request: ctx, visitor: null }), visitor: null, path: ctx.path });
}
