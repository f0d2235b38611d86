import type Router from "@koa/router";
import type { Context } from "koa";
import { refuse } from "../../domain/kernel/errors.ts";
import { type Html, html } from "../../domain/kernel/html.ts";
import { closest } from "../../domain/kernel/text.ts";
import type { Operation } from "../engine/operation.ts";
import { asJson, asMarkdown, asPage, type Explained, explained, listAsMarkdown, listAsPage } from "./problem-text.ts";
import { layout } from "./site/layout.ts";
import { secure } from "./site/secure.ts";

/**
 * `/problems/{code}`, to which the `type` of every problem leads, and the list of all codes. People get a page; programs
 * get Markdown, or JSON if they ask for it.
 */
export function problemPages(router: Router, operations: readonly Operation[], baseUrl: string): void {
  let made: ReadonlyMap<string, Explained> | undefined;
  const all = () => {
    made ??= explained(operations, baseUrl);
    return made;
  };

  router.get("/problems", (ctx) => {
    const errors = [...all().values()];
    reply(ctx, "Errors", {
      html: () => listAsPage(errors),
      json: () => ({ data: errors.map((error) => asJson(error, baseUrl)) }),
      markdown: () => listAsMarkdown(errors, baseUrl),
    });
  });

  // A warning, whose code clients look for here.
  router.get("/problems/other_name", (ctx) => ctx.redirect("/other-names.md"));
  router.get("/problems/:code", (ctx) => {
    const code = ctx.params.code ?? "";
    const error = all().get(code);
    if (!error) return unknownCode(ctx, code, [...all().keys()], baseUrl);
    return reply(ctx, error.title, {
      html: () => asPage(error),
      json: () => asJson(error, baseUrl),
      markdown: () => asMarkdown(error, baseUrl),
    });
  });
}

type Forms = { html: () => Html; json: () => object; markdown: () => string };

function reply(ctx: Context, title: string, forms: Forms, status = 200): void {
  const form = wanted(ctx);
  if (form === "html") secure(ctx);
  ctx.set("Cache-Control", status === 200 ? "public, max-age=300" : "no-store");
  ctx.vary("Accept");
  ctx.status = status;
  if (form === "json") ctx.body = forms.json();
  else if (form === "markdown") {
    ctx.type = "text/markdown; charset=utf-8";
    ctx.body = forms.markdown();
  } else {
    ctx.type = "text/html; charset=utf-8";
    ctx.body = layout({ title, visitor: null, path: ctx.path, body: forms.html() });
  }
}

/** The first form is for clients that accept anything, such as curl. */
function wanted(ctx: Context): "markdown" | "html" | "json" {
  const type = ctx.accepts("text/markdown", "text/plain", "text/html", "application/json", "application/problem+json");
  if (type === "text/html") return "html";
  return String(type).endsWith("json") ? "json" : "markdown";
}

/** 404, with similar codes. */
function unknownCode(ctx: Context, code: string, codes: readonly string[], baseUrl: string): void {
  const near = nearTo(code, codes);
  if (wanted(ctx) !== "html") {
    const meant = near.map((one) => `${baseUrl}/problems/${one}`).join(", ");
    refuse("not_found", {
      message: `There is no such error code.${meant ? ` Similar ones: ${meant}.` : ""} All are at ${baseUrl}/problems.`,
      ...(near[0] ? { did_you_mean: near[0] } : {}),
    });
  }
  const links = near.map((one) => html`<li><a href="/problems/${one}"><code>${one}</code></a></li>`);
  const body = html`<h1>No such error code</h1>
    ${near.length > 0 ? html`<p>These are similar:</p><ul>${links}</ul>` : html`<p>Part of the address may be missing.</p>`}
    <p><a href="/problems">All errors</a></p>`;
  reply(ctx, "No such error code", { html: () => body, json: () => ({}), markdown: () => "" }, 404);
}

const MOST_SIMILAR = 5;

/** The most similar code, and those that share a longer word with it. */
function nearTo(code: string, codes: readonly string[]): string[] {
  const words = code
    .toLowerCase()
    .slice(0, 100)
    .split(/[^a-z]+/)
    .filter((word) => word.length > 4);
  const sharing = codes.filter((one) => words.some((word) => one.includes(word)));
  const best = closest(code, codes);
  return [...new Set([...(best ? [best] : []), ...sharing])].slice(0, MOST_SIMILAR);
}
