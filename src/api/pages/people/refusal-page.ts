import type { Context } from "koa";
import { readOwnPath } from "../../../domain/access/sign-in/own-path.ts";
import type { Visitor } from "../../../domain/access/sign-in/sessions.ts";
import type { Refusal } from "../../../domain/kernel/errors.ts";
import type { GeneralCode } from "../../../domain/kernel/general-errors.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";

/** A refusal as a page: what happened, in words of people, and ways on. */

type Words = { title: string; text?: string };

/** Where the text for programs mentions headers, or a plain word says more. */
const FOR_PEOPLE: ReadonlyMap<string, Words> = new Map<GeneralCode, Words>([
  [
    "method_not_allowed",
    {
      title: "This page cannot be opened like this",
      text: "The address only receives a form. Go back and try again from there.",
    },
  ],
  [
    "foreign_form",
    {
      title: "This form was not sent from here",
      text: "It came from another site, or from a page that was opened under another address. Nothing was changed. Open the page again and send the form from there.",
    },
  ],
  ["not_found", { title: "Not found", text: "There is nothing here, or nothing that you can see." }],
  ["rate_limited", { title: "Too many requests" }],
  [
    "unavailable",
    {
      title: "Unavailable right now",
      text: "The service is unavailable right now. Nothing is lost: reload the page in a moment.",
    },
  ],
  [
    "internal_error",
    {
      title: "Something went wrong",
      text: "Something went wrong on our side. Try again. If it happens again, tell the operator of this service.",
    },
  ],
]);

type About = { refusal: Refusal; request: Pick<Context, "method" | "url" | "state">; visitor: Visitor | null };

export function refusalPage({ refusal, request, visitor }: About): { title: string; body: Html } {
  const { code, status } = refusal;
  const words = FOR_PEOPLE.get(code);
  const title = words?.title ?? refusal.title;
  // A message of its own says more than the general text.
  const isGeneral = refusal.message === refusal.definition.text;
  const text = (code === "not_found" && !isGeneral ? undefined : words?.text) ?? refusal.message;
  const again = request.method === "GET" && RETRY.has(status) ? readOwnPath(request.url) : null;
  const body = html`<div class="question"><h1>${title}</h1>
    <p>${text}</p>
    ${status === 404 ? missing(visitor) : ""}
    ${status === 429 ? waiting(refusal) : ""}
    ${status >= 500 ? html`<p class="quiet">The operator of this service can find the error by <code>${request.state.requestId}</code>.</p>` : ""}
    ${again ? html`<p><a class="button" href="${again}">Try again</a></p>` : ""}
    <p class="row">${
      visitor
        ? html`<a href="/w">Your workspaces</a> <a href="/account">Your account</a>`
        : html`<a href="/">Home page</a> <a href="/w">Your workspaces</a>`
    }</p></div>`;
  return { title, body };
}

/** Statuses after which the same page may work. */
const RETRY: ReadonlySet<number> = new Set([429, 500, 503]);

const missing = (visitor: Visitor | null): Html =>
  visitor
    ? html`<p>Check the address. If it is of a workspace, you are not in it as ${visitor.user.email}: ask its owner for an
        invite, or sign in with another address.</p>`
    : html`<p>Check the address, or begin at the home page.</p>`;

function waiting({ headers }: Refusal): Html | string {
  const seconds = Number(headers["Retry-After"]);
  if (!(seconds > 0)) return "";
  return html`<p>It works again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.</p>`;
}
