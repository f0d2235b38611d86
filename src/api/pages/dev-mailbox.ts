import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type Router from "@koa/router";
import type { Context } from "koa";
import { refuse } from "../../domain/kernel/errors.ts";
import { type Html, html } from "../../domain/kernel/html.ts";
import { readId } from "../../domain/kernel/ids.ts";
import { admitOwnHost } from "../http/own-host.ts";
import { instant, layout } from "./site/layout.ts";

/** A mail that the development stack captured, with its links and its code. */
export type CapturedMail = {
  id: string;
  /** The same if the same mail is sent again. */
  message_id: string;
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  /** Addresses in the text, in order. */
  links: string[];
  /** The code: a line with only six or ten digits. */
  code: string | null;
  /** The headers List-Unsubscribe and List-Unsubscribe-Post (RFC 8058), or null. */
  unsubscribe: { address: string; post: string } | null;
  received_at: string;
};

/** Captured mail, newest first: pages for people, JSON for programs. Development only. */
export function devMailboxPages(router: Router, folder: string, baseUrl: string): void {
  router.use("/dev/mailbox", async (request, next) => {
    if (admitOwnHost(request, { baseUrl, more: [] })) await next();
  });
  const mailsTo = async (request: Context) => {
    const to = String(request.query.to ?? "").toLowerCase();
    return (await readMails(folder)).filter((mail) => to === "" || mail.to.toLowerCase() === to);
  };

  router.get("/dev/mailbox", async (request) => {
    secure(request);
    const mails = await mailsTo(request);
    if (wantsJson(request)) request.body = { data: mails };
    else show(request, "Mailbox", listOf(mails));
  });

  router.get("/dev/mailbox/:id", async (request) => {
    secure(request);
    const mail = await mailOf(folder, request);
    if (wantsJson(request)) request.body = { data: mail };
    else show(request, mail.subject, messageOf(mail));
  });

  // Mail has its own styles, so it is shown in a sandboxed page of its own.
  router.get("/dev/mailbox/:id/html", async (request) => {
    secure(request);
    const mail = await mailOf(folder, request);
    request.set(
      "Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox allow-top-navigation",
    );
    request.type = "text/html; charset=utf-8";
    request.body = mail.html;
  });
}

/** Mail contains sign-in links, so scripts of other sites must not read it. */
function secure(request: Context): void {
  request.set("Cache-Control", "no-store");
  request.vary("Accept");
  request.remove("Access-Control-Allow-Origin");
  if (request.get("origin") !== "") refuse("not_found");
}

const wantsJson = (request: Context) => request.accepts("html", "json") === "json";

async function readMails(folder: string): Promise<CapturedMail[]> {
  const names = await readdir(folder).catch(() => []);
  const newestFirst = names.filter((name) => name.endsWith(".json")).sort((a, b) => (a < b ? 1 : -1));
  const mails = await Promise.all(newestFirst.map((name) => readMail(join(folder, name))));
  return mails.filter((mail) => mail !== null);
}

async function mailOf(folder: string, request: Context): Promise<CapturedMail> {
  const id = readId(request.params.id ?? "");
  return (id && (await readMail(join(folder, `${id}.json`)))) || refuse("not_found");
}

/** Null if it was deleted: old mail is deleted when new mail arrives. */
const readMail = (path: string): Promise<CapturedMail | null> =>
  readFile(path, "utf8").then(
    (text) => JSON.parse(text) as CapturedMail,
    () => null,
  );

function show(request: Context, title: string, body: Html): void {
  request.set(
    "Content-Security-Policy",
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'",
  );
  request.type = "text/html; charset=utf-8";
  request.body = layout({ title, visitor: null, path: request.path, body });
}

const listOf = (mails: readonly CapturedMail[]): Html => html`<h1>Mailbox</h1>
  <p class="quiet">Mail captured by this development stack. Nothing is sent.</p>
  ${
    mails.length === 0
      ? html`<p>There is no mail yet. <a href="/sign-in">Sign in</a> to get one.</p>`
      : html`<table class="stack">
    <thead><tr><th>To</th><th>Subject</th><th>Received</th></tr></thead>
    <tbody>${mails.map(
      ({ id, to, subject, received_at }) => html`<tr>
      <td data-label="To">${to}</td>
      <td data-label="Subject"><a href="/dev/mailbox/${id}">${subject}</a></td>
      <td data-label="Received">${instant(received_at)}</td>
    </tr>`,
    )}</tbody>
  </table>`
  }`;

const messageOf = ({
  id,
  to,
  from,
  subject,
  text,
  received_at,
}: CapturedMail): Html => html`<p><a href="/dev/mailbox">All mail</a></p>
  <h1>${subject}</h1>
  <dl class="facts">
    <dt>To</dt><dd>${to}</dd>
    <dt>From</dt><dd>${from}</dd>
    <dt>Received</dt><dd>${instant(received_at)}</dd>
  </dl>
  <div class="card message">${withLinks(text)}</div>
  <p><a href="/dev/mailbox/${id}/html">As HTML</a></p>`;

/** The text with clickable links. */
const withLinks = (text: string): Html[] =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, at) => (at % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
