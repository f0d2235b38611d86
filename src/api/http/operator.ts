import { createHash, timingSafeEqual } from "node:crypto";
import type { Context } from "koa";

/**
 * Whether the request carries the operator's password (HTTP Basic, any user name; RFC 7617). Without a configured
 * password nobody is the operator.
 */
export function isOperator(ctx: Pick<Context, "get">, password: string | undefined): boolean {
  const encoded = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(ctx.get("authorization"))?.[1];
  if (!password || !encoded) return false;
  const given = Buffer.from(encoded, "base64")
    .toString()
    .replace(/^[^:]*:/, "");
  // Hashed first, so that neither length nor content shows in the time it takes.
  return timingSafeEqual(digest(given), digest(password));
}

/** Answers 404 where no password is configured, else asks for it. */
export function askForOperator(ctx: Context, password: string | undefined): void {
  ctx.status = password ? 401 : 404;
  if (password) ctx.set("WWW-Authenticate", 'Basic realm="muster operator", charset="UTF-8"');
  ctx.body = password ? "Sign in as the operator.\n" : "Not found.\n";
}

const digest = (text: string) => createHash("sha256").update(text).digest();
