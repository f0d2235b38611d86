import type { Visitor } from "../../../domain/access/sign-in/sessions.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { account, type Here, navigation, searchBox } from "./navigation.ts";
import { dayInWords, timeInWords } from "./zone.ts";

/** The layout of all pages for people. They work without scripts; those of a workspace load one that keeps them current. */

export type Shell = {
  title: string;
  visitor: Visitor | null;
  /** The workspace of the page. */
  here?: Here | undefined;
  /** Path of the page, to mark its link in the navigation. */
  path: string;
  /** What a form said that was sent before. */
  said?: Html | string;
  /** Notifications of the person in this workspace. */
  unread?: number | undefined;
  /** As wide as the window. */
  wide?: boolean;
  /** Address of the stream that tells when the page has changed. */
  live?: string | undefined;
  body: Html;
};

export function layout({ title, visitor, here, path, said = "", wide = false, live, unread, body }: Shell): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Muster</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/pages.css">
${here ? html`<script src="/assets/live.js" defer></script>` : ""}
</head>
<body${here ? html` class="app"` : ""}>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
  ${here ? html`<button class="open-side" popovertarget="side">Menu</button>` : ""}
  <a class="brand" href="${visitor ? "/w" : "/"}"><img src="/docs/assets/icon.svg" alt="" width="28" height="28">Muster</a>
  ${here ? html`<a class="place" href="/w/${here.slug}">${here.name}</a>` : ""}
  ${here ? searchBox(here) : ""}
  ${visitor ? account(visitor, here) : ""}
</header>
${here ? navigation(here, path, unread) : ""}
<main id="main" tabindex="-1"${wide ? html` class="wide"` : ""}${live ? html` data-live="${live}"` : ""}>
${said}
${body}
</main>
<footer class="bottom"><a href="/docs">API reference</a> <a href="/auth.md">For agents</a></footer>
</body>
</html>
`.toString();
}

/** A message box. */
export const notice = (kind: "good" | "bad" | "info", body: Html | string): Html =>
  html`<div class="notice ${kind}" role="${kind === "bad" ? "alert" : "status"}">${body}</div>`;

/** A readable and exact time in the time zone of the page: `21 Nov 2026, 15:30 UTC`. */
export function instant(at: string | null): Html {
  if (at === null) return html`<span class="quiet">never</span>`;
  return html`<time datetime="${at}">${timeInWords(at)}</time>`;
}

/** A day: `21 Nov 2026`. */
export const day = (at: string): Html => html`<time datetime="${at}">${dayInWords(at)}</time>`;
