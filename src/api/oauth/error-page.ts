import type { ErrorOut, KoaContextWithOIDC } from "oidc-provider";
import { html } from "../../domain/kernel/html.ts";
import { layout } from "../pages/site/layout.ts";
import { secure } from "../pages/site/secure.ts";

/**
 * Shows two kinds of error: those that must not be sent to a client that is not trusted, as a page, and those of
 * endpoints that programs call, as JSON.
 */
export function renderError(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  if (ctx.oidc.route === "token" || ctx.oidc.route === "revocation") {
    ctx.body = out;
    return;
  }
  errorPage(ctx, ctx.status, out);
}

export type PageTarget = Pick<KoaContextWithOIDC, "set" | "status" | "type" | "body" | "path">;

export function errorPage(ctx: PageTarget, status: number, { error, error_description }: ErrorOut): void {
  const [title, advice] = explain(error);
  secure(ctx);
  ctx.status = status;
  ctx.type = "text/html; charset=utf-8";
  const body = html`<div class="question"><h1>${title}</h1>
    <p>${advice}</p>
    <p class="quiet">The program's request ended with <code>${error}</code>${error_description ? html`: ${error_description}` : ""}.</p>
    <p><a href="/w">Your workspaces</a></p></div>`;
  ctx.body = layout({ title, visitor: null, path: ctx.path, body });
}

function explain(error: string): [title: string, advice: string] {
  if (error === "invalid_client" || error === "invalid_client_metadata") {
    return [
      "Unknown program",
      "The program that sent you here is no longer registered. Let it register again, then start again from the program.",
    ];
  }
  if (error === "invalid_redirect_uri") {
    return [
      "Unknown address",
      "The program asked to redirect you to an address that it did not register, so you were not redirected. Tell its developer.",
    ];
  }
  if (error === "invalid_request" || error === "session_not_found") {
    return [
      "This request has ended",
      "It has expired, was already answered, or is incomplete. Start again from the program.",
    ];
  }
  if (error === "rate_limited") return ["Too many requests", "Wait a minute, then start again from the program."];
  return ["That did not work", "Start again from the program. If it happens again, tell its developer."];
}
