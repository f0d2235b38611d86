import type { Context } from "koa";

/** Sets security headers. `mayLeave`: the form redirects to another site. Browsers apply form-action to that too. */
export function secure(request: Pick<Context, "set">, mayLeave: boolean): void {
  request.set({
    "Content-Security-Policy": [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self' data:",
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
