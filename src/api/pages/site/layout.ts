import type { Visitor } from "../../../domain/access/sign-in/sessions.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { Role } from "../../../domain/kernel/roles.ts";

/** The layout of all pages for people. They work without scripts and contain none. */

export type Shell = {
  title: string;
  visitor: Visitor | null;
  /** The workspace of the page. */
  here?: { slug: string; name: string; role: Role | null } | undefined;
  /** Path of the page, to mark its link in the navigation. */
  path: string;
  body: Html;
};

export function layout({ title, visitor, here, path, body }: Shell): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Muster</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/pages.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
  <a class="brand" href="${visitor ? "/w" : "/"}"><img src="/docs/assets/icon.svg" alt="" width="28" height="28">Muster</a>
  ${here ? navigation(here, path) : ""}
  ${visitor ? account(visitor, here) : ""}
</header>
<main id="main" tabindex="-1">
${body}
</main>
<footer class="bottom"><a href="/docs">API reference</a> <a href="/auth.md">For agents</a></footer>
</body>
</html>
`.toString();
}

function navigation({ slug, name }: NonNullable<Shell["here"]>, path: string): Html {
  const link = (to: string, label: string, more: Html | string = "") =>
    html`<li><a href="${to}"${more}${path === to ? html` aria-current="page"` : ""}>${label}</a></li>`;
  return html`<nav aria-label="${name}"><ul>
    ${link(`/w/${slug}`, name, html` class="place"`)}
    ${link(`/w/${slug}/members`, "Members")}
    ${link(`/w/${slug}/developer`, "Developer")}
    ${link(`/w/${slug}/billing`, "Billing")}
  </ul></nav>`;
}

/**
 * The menu is a popover: the browser itself closes it on Escape and on a click beside it, and takes the focus back to
 * the button. In browsers without popovers the menu is always open, below the header.
 */
function account({ user, workspaces }: Visitor, here: Shell["here"]): Html {
  const others = workspaces.filter((workspace) => workspace.slug !== here?.slug);
  return html`<div class="account">
    <button class="who" popovertarget="account-menu">${user.name ?? user.email}</button>
    <div class="menu" id="account-menu" popover>
      <p class="quiet">${user.email}</p>
      ${others.length > 0 ? html`<p class="label">Switch to</p><ul>${others.slice(0, 20).map(({ slug, name }) => html`<li><a href="/w/${slug}">${name}</a></li>`)}</ul>` : ""}
      <ul>
        <li><a href="/account">Your account</a></li>
        <li><a href="/account#sessions">Your sessions</a></li>
        <li><a href="/w">All workspaces</a></li>
        <li><a href="/w/new">New workspace</a></li>
      </ul>
      <form method="post" action="/sign-out"><button class="plain">Sign out</button></form>
    </div>
  </div>`;
}

/** A message box. */
export const notice = (kind: "good" | "bad" | "info", body: Html | string): Html =>
  html`<div class="notice ${kind}" role="${kind === "bad" ? "alert" : "status"}">${body}</div>`;

/** A readable and exact time: `21 Nov 2026, 15:30 UTC`. */
export function instant(at: string | null): Html {
  if (at === null) return html`<span class="quiet">never</span>`;
  const text = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: "UTC",
  }).format(new Date(at));
  return html`<time datetime="${at}">${text} UTC</time>`;
}

/** A day: `21 Nov 2026`. */
export const day = (at: string): Html =>
  html`<time datetime="${at}">${new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(at))}</time>`;
