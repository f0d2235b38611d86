import { createHash } from "node:crypto";
import type { Context } from "koa";
import { type Html, html } from "../../../domain/kernel/html.ts";
import type { PublicForm } from "../../../domain/work/forms/public.sql.ts";
import { secure } from "../site/secure.ts";
import { accentFor } from "./accent.ts";

/** The layout of a form's public page: neutral, in the form's own color. */

export type Page = {
  title: string;
  body: Html;
  status: number;
  /** Whether the visitor may see the form. Only then is the project's name shown. */
  inside?: boolean;
};

/** Sends a page about a form. */
export function show(request: Context, { form, project }: PublicForm, { title, body, status, inside }: Page): void {
  const style = form.accent_color ? styleOf(form.accent_color) : "";
  secureFor(request, style, form.confirmation_mode === "redirect");
  request.status = status;
  request.type = "text/html; charset=utf-8";
  request.body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/pages.css">
${style ? html`<style>${style}</style>` : ""}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${inside && form.show_project_header ? html`<header class="top"><span class="brand">${project.name}</span></header>` : ""}
<main id="main" tabindex="-1">
<div class="sheet">${body}</div>
</main>
<footer class="bottom"><span class="quiet">Made with Muster</span></footer>
</body>
</html>
`.toString();
}

/** The color consists of validated digits, so nothing needs escaping. */
function styleOf(color: string): string {
  const light = accentFor(color, "light");
  const dark = accentFor(color, "dark");
  const set = ({ accent, on }: typeof light) => `:root{--accent:${accent};--on-accent:${on}}`;
  return `${set(light)}@media (prefers-color-scheme:dark){${set(dark)}}.sheet{border-top:6px solid ${color}}`;
}

/**
 * The page's only inline style is allowed by its hash. Browsers apply form-action also to redirects after a form, and
 * the form's redirect may lead to any https address.
 */
function secureFor(request: Context, style: string, leadsOn: boolean): void {
  secure(request);
  const hash = style ? ` 'sha256-${createHash("sha256").update(style).digest("base64")}'` : "";
  request.set({
    "Content-Security-Policy": [
      "default-src 'none'",
      `style-src 'self'${hash}`,
      "img-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      `form-action 'self'${leadsOn ? " https:" : ""}`,
    ].join("; "),
    "X-Robots-Tag": "noindex, nofollow",
  });
}
