import type { Context } from "koa";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import type { GeneralCode } from "../../../domain/kernel/general-errors.ts";
import { html } from "../../../domain/kernel/html.ts";
import { layout } from "./layout.ts";
import { secure } from "./site.ts";

/** Error pages for people. Programs get JSON. */

/** Paths without pages: they answer JSON regardless of the Accept header. */
const PROGRAMS_ONLY =
  /^\/(v1|api|\.well-known)(\/|$)|^\/(healthz|readyz|metrics|openapi\.json|auth\.md|llms\.txt)$|\.(css|js|svg)$/;

/** Whether to answer with a page. Programs that accept anything (curl) get JSON. */
const isForPeople = (ctx: Context): boolean => !PROGRAMS_ONLY.test(ctx.path) && ctx.accepts("json", "html") === "html";

/** Replaces a problem by a page, if a person is going to read it. */
export function problemPage(ctx: Context, { code, status, title, message }: Refusal): void {
  if (!isForPeople(ctx)) return;
  secure(ctx, false);
  ctx.type = "text/html; charset=utf-8";
  const body = html`<h1>${title}</h1>
    <p>${FOR_PEOPLE.get(code) ?? message}</p>
    ${status >= 500 ? html`<p class="quiet">The operator of this service can find the error by <code>${ctx.state.requestId}</code>.</p>` : ""}
    <p><a href="/w">Your workspaces</a></p>`;
  ctx.body = layout({ title, visitor: null, path: ctx.path, body });
}

/** Texts for people, where the text for programs mentions headers. */
const FOR_PEOPLE: ReadonlyMap<string, string> = new Map<GeneralCode, string>([
  ["method_not_allowed", "This page cannot be opened like this. Go back and try again from there."],
  ["unavailable", "The service is unavailable right now. Nothing is lost: reload the page in a moment."],
  [
    "internal_error",
    "Something went wrong on our side. Try again. If it happens again, tell the operator of this service.",
  ],
]);
