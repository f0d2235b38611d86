import type { Context } from "koa";
import { readOwnPath } from "../../../domain/access/sign-in/own-path.ts";
import type { Visitor } from "../../../domain/access/sign-in/sessions.ts";
import { waitInWords } from "../../../domain/kernel/counted.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { isGeneral, wordsOf } from "./refusal-words.ts";

/** A refusal as a page: what happened, in words of people, and ways on. */

type About = { refusal: Refusal; request: Pick<Context, "method" | "url" | "state">; visitor: Visitor | null };

export function refusalPage({ refusal, request, visitor }: About): { title: string; body: Html } {
  const { status } = refusal;
  const { title, text } = wordsOf(refusal);
  const here = visitor?.workspaces.find(({ slug }) => request.url.startsWith(`/w/${slug}/`));
  const again = request.method === "GET" && RETRY.has(status) ? readOwnPath(request.url) : null;
  const body = html`<div class="question"><h1>${title}</h1>
    <p>${text}</p>
    ${status === 404 && (isGeneral(refusal) || !visitor) ? missing(visitor, here) : ""}
    ${status === 429 ? waiting(refusal) : ""}
    ${status >= 500 ? html`<p class="quiet">The operator of this service can find the error by <code>${request.state.requestId}</code>.</p>` : ""}
    ${again ? html`<p><a class="button" href="${again}">Try again</a></p>` : ""}
    <p class="row">${
      visitor
        ? html`${here ? ways(here) : ""}<a href="/w">Your workspaces</a> <a href="/account">Your account</a>`
        : html`<a href="/">Home page</a> <a href="/w">Your workspaces</a>`
    }</p></div>`;
  return { title, body };
}

/** Statuses after which the same page may work. */
const RETRY: ReadonlySet<number> = new Set([429, 500, 503]);

type Workspace = Visitor["workspaces"][number];

function missing(visitor: Visitor | null, here: Workspace | undefined): Html {
  if (here) return html`<p>Check the address, or look for it: the search is at the top of the page.</p>`;
  return visitor
    ? html`<p>Check the address. If it is of a workspace, you are not in it as ${visitor.user.email}: look for an invite
        among your workspaces, ask its owner for one, or sign in with another address.</p>`
    : html`<p>Check the address, or begin at the home page.</p>`;
}

/** The way back, on a page of one of the visitor's workspaces. */
const ways = ({ slug, name }: Workspace): Html =>
  html`<a href="/w/${slug}">Home of ${name}</a> <a href="/w/${slug}/projects">Its projects</a> `;

function waiting({ headers }: Refusal): Html | string {
  const seconds = Number(headers["Retry-After"]);
  if (!(seconds > 0)) return "";
  return html`<p>It works again in ${waitInWords(seconds)}.</p>`;
}
