import type { Context } from "koa";

/**
 * Sets security headers.
 * @param page.mayLeave the form redirects to another site. Browsers apply form-action to that too.
 * @param page.live the page has the script that keeps it current
 * @param page.images origins of images besides this service, such as that of the store of files
 */
export function secure(
  request: Pick<Context, "set">,
  {
    mayLeave = false,
    live = false,
    images = [],
  }: { mayLeave?: boolean; live?: boolean; images?: readonly string[] } = {},
): void {
  request.set({
    "Content-Security-Policy": [
      "default-src 'none'",
      "style-src 'self'",
      ...(live ? ["script-src 'self'", "connect-src 'self'"] : []),
      ["img-src 'self' data:", ...images].join(" "),
      "base-uri 'none'",
      "frame-ancestors 'none'",
      ...(mayLeave ? [] : ["form-action 'self'"]),
    ].join("; "),
    // Not "no-referrer", because browsers would then send the origin "null" with our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
  });
}
