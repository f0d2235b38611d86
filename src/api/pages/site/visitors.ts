import type { Context } from "koa";
import {
  closeSession,
  closeSessionsOf,
  openSession,
  readVisitor,
  SESSION_DAYS,
  type Visitor,
} from "../../../domain/access/sign-in/sessions.ts";
import type { Ctx, Writing } from "../../../domain/kernel/context.ts";

/** The session cookie and the person it belongs to. */

/** `__Host-` binds a cookie to this host. Browsers accept it only over https. */
export const ownCookie = (baseUrl: string, name: string) => `${isSecure(baseUrl) ? "__Host-" : ""}${name}`;
const cookieName = (baseUrl: string) => ownCookie(baseUrl, "muster_session");
export const isSecure = (baseUrl: string): boolean => baseUrl.startsWith("https:");

/** Null if not signed in. */
export async function visitorOf(request: Context, ctx: Ctx): Promise<Visitor | null> {
  const cookie = readCookie(request, cookieName(ctx.settings.baseUrl));
  return cookie === null ? null : readVisitor(ctx, cookie);
}

/** Signs a person in. An open session of the browser ends, so that no cookie outlives its person's session. */
export async function signIn(request: Context, ctx: Ctx & Writing, userId: string): Promise<void> {
  await endSession(request, ctx);
  const { cookie } = await openSession(ctx, userId, { address: request.ip, userAgent: request.get("user-agent") });
  setCookie(request, ctx.settings.baseUrl, cookieName(ctx.settings.baseUrl), cookie, SESSION_DAYS * 86_400);
}

export async function signOut(
  request: Context,
  ctx: Ctx & Writing,
  visitor: Visitor | null,
  everywhere: boolean,
): Promise<void> {
  if (everywhere && visitor) await closeSessionsOf(ctx, visitor.user.id);
  else await endSession(request, ctx);
  setCookie(request, ctx.settings.baseUrl, cookieName(ctx.settings.baseUrl), "", 0);
}

async function endSession(request: Context, ctx: Ctx & Writing): Promise<void> {
  const cookie = readCookie(request, cookieName(ctx.settings.baseUrl));
  if (cookie !== null) await closeSession(ctx, cookie);
}

/** The value of a cookie. Null if not sent, or longer than `max`. */
export function readCookie(request: Context, name: string, max = 200): string | null {
  const value = request.cookies.get(name, { signed: false });
  return value && value.length <= max ? value : null;
}

/** Sets a cookie that scripts cannot read and other sites' forms do not send. A maximum age of 0 deletes it. */
export function setCookie(request: Context, baseUrl: string, name: string, value: string, maxAgeSeconds: number): void {
  const parts = [`${name}=${value}`, "Path=/", "HttpOnly", "SameSite=Lax", `Max-Age=${maxAgeSeconds}`];
  if (isSecure(baseUrl)) parts.push("Secure");
  request.append("Set-Cookie", parts.join("; "));
}
