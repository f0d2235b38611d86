import { type Html, html } from "../../../domain/kernel/html.ts";
import type { Page, PageCall } from "./site.ts";

/** Somebody sent a form after their session had ended. The page keeps what they typed, to be sent again. */

/** These say what the form is about. */
const UNSEEN = /^(?:once|revision|mark|field|id|do)$|(?:_was|_id|_ids)$|^open-/;
const SHOWN_FROM = 3;
/** Characters of each text that are shown. All of it is kept. */
const SHOWN = 2_000;

export function signedOut({ request, form }: PageCall): Page {
  const sent = [...new URLSearchParams(form.said ?? "")];
  const typed = sent.filter(([name, value]) => !UNSEEN.test(name) && value.trim().length >= SHOWN_FROM);
  const kept = sent.map(([name, value]) => html`<textarea name="${name}" hidden>\n${value}</textarea>`);
  const ways =
    sent.length === 0
      ? html`<p>Nothing was changed. Sign in, open the page again, and do it once more.</p>
        <p><a class="button" href="/sign-in">Sign in</a></p>`
      : html`<p>Nothing was changed, and what you typed is still here. Open the sign-in page in a new tab, sign in, come back to this tab, and send it again.</p>
      <p><a class="button" href="/sign-in" target="_blank" rel="noopener">Sign in, in a new tab</a></p>
      <form method="post" action="${request.path}">${kept}<button class="second">Send it again</button></form>`;
  return {
    title: "You were signed out",
    status: 401,
    body: html`<div class="question"><h1>You were signed out</h1>
      ${ways}
      ${typed.length === 0 ? "" : html`<h2>What you typed</h2>${typed.map(shown)}`}</div>`,
  };
}

const shown = ([, value]: [string, string]): Html =>
  html`<p class="plain-text" dir="auto">${value.length > SHOWN ? `${value.slice(0, SHOWN).toWellFormed()}…` : value}</p>`;
