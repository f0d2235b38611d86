import type { Context, Middleware } from "koa";
import type { ErrorOut, default as Provider } from "oidc-provider";
import { hasGranted, type LiveGrant } from "../../domain/access/oauth/grants.sql.ts";
import { isLoopback } from "../../domain/access/oauth/redirects.ts";
import { refuse } from "../../domain/kernel/errors.ts";
import { baseContext, type Runtime } from "../engine/call.ts";
import { callerOf } from "../http/caller.ts";
import { reserveBody } from "../http/memory.ts";
import { visitorOf } from "../pages/site/visitors.ts";
import { errorPage } from "./error-page.ts";
import { limitAuthorizations, limitFailures } from "./limits.ts";
import { OAUTH_PATHS } from "./paths.ts";
import { COOKIES, openProvider } from "./provider.ts";
import { registerClient } from "./register.ts";

/** The OAuth endpoints as middleware. */
export type OAuth = { middleware: Middleware; provider: Provider };

export type OAuthOptions = {
  runtime: Runtime;
  cookieKeys: string[];
  /** Whether an error means that Postgres or Redis is unavailable. */
  isUnavailable: (error: unknown) => boolean;
};

type Endpoint = keyof typeof OAUTH_PATHS | "resume";

const RESUME = `${OAUTH_PATHS.authorize}/`;

export function openOAuth({ runtime, cookieKeys, isUnavailable }: OAuthOptions): OAuth {
  const provider = openProvider(runtime, cookieKeys);
  const [handle] = provider.middleware as Middleware[];
  const { baseUrl } = runtime.settings;
  const perform: Record<Endpoint, (ctx: Context) => Promise<void>> = {
    register: (ctx) => registerClient(ctx, runtime),
    authorize: async (ctx) => {
      if ((await limitAuthorizations(runtime, ctx.ip)) !== null) return errorPage(ctx, 429, { error: "rate_limited" });
      await frontChannel(ctx);
      await keepHere(ctx);
    },
    resume: frontChannel,
    token: backChannel,
    revoke: backChannel,
  };

  async function frontChannel(ctx: Context): Promise<void> {
    await handle!(ctx, nothing);
    dropUnusedCookies(ctx);
  }

  /**
   * Anyone can register a program with any redirect address and approve it themselves. So an error is redirected only
   * to the person's own computer, or to a program that this person has approved. All other errors are shown here;
   * otherwise our address would be an open redirector (RFC 9700 §4.11.2).
   */
  async function keepHere(ctx: Context): Promise<void> {
    const { refused } = ctx.state as { refused?: ErrorOut };
    if (!refused) return;
    const { client_id: clientId, redirect_uri: redirectUri } = ctx.query;
    if (typeof redirectUri === "string" && isLoopback(redirectUri)) return;
    if (typeof clientId === "string" && (await isTrustedHere(ctx, clientId))) return;
    ctx.remove("Location");
    errorPage(ctx, 400, refused);
  }

  /** Whether the person in this browser has approved a client. */
  async function isTrustedHere(ctx: Context, clientId: string): Promise<boolean> {
    // Postgres cannot store NUL.
    if (clientId.includes("\0")) return false;
    const base = baseContext(runtime, callerOf(ctx));
    const visitor = await visitorOf(ctx, base);
    return visitor !== null && hasGranted(base.db, { userId: visitor.user.id, clientId, now: base.now });
  }

  async function backChannel(ctx: Context): Promise<void> {
    await handle!(ctx, nothing);
    const { fault, grant } = ctx.state as { fault?: unknown; grant?: LiveGrant };
    if (fault) return unavailable(ctx, fault);
    if (ctx.status === 400 || ctx.status === 401) return slowDown(ctx);
    const body = ctx.body as { access_token?: string } | string;
    if (grant && typeof body === "object" && body.access_token) {
      ctx.body = { ...body, workspace: grant.workspace_slug, agent_id: grant.agent_id };
    }
  }

  /**
   * The library answers all server errors with 500. If Postgres or Redis is unavailable, this changes the reply to
   * 503.
   */
  function unavailable(ctx: Context, fault: unknown): void {
    if (!isUnavailable(fault)) return;
    ctx.status = 503;
    ctx.set("Retry-After", "2");
    ctx.body = { error: "temporarily_unavailable", error_description: "The service cannot do this right now." };
  }

  async function slowDown(ctx: Context): Promise<void> {
    const wait = await limitFailures(runtime, ctx.ip);
    if (wait === null) return;
    ctx.status = 429;
    ctx.set("Retry-After", String(wait));
    ctx.body = { error: "rate_limited", error_description: "Too many bad requests from this address." };
  }

  const middleware: Middleware = async (ctx, next) => {
    const endpoint = endpointAt(ctx.path);
    if (!endpoint) return next();
    ctx.state.operation = `oauth.${endpoint}`;
    const method = endpoint === "authorize" || endpoint === "resume" ? "GET" : "POST";
    if (ctx.method !== method) return otherMethod(ctx, method);
    pinHost(ctx, baseUrl);
    if (method === "POST") reserveBody(ctx, MAX_BYTES);
    await perform[endpoint](ctx);
    const { fault } = ctx.state;
    if (fault)
      runtime.log[isUnavailable(fault) ? "warn" : "error"](
        { err: fault, request_id: ctx.state.requestId },
        "an OAuth request failed",
      );
  };
  return { middleware, provider };
}

const nothing = async () => {};

/** The maximum body size that the library reads. */
const MAX_BYTES = 56 * 1024;

/** The library's own router accepts other spellings of a path, which would bypass the checks by path. */
function endpointAt(path: string): Endpoint | null {
  if (path.startsWith(RESUME) && /^[\w-]{43}$/.test(path.slice(RESUME.length))) return "resume";
  const found = Object.entries(OAUTH_PATHS).find(([, exact]) => exact === path);
  return (found?.[0] as Endpoint | undefined) ?? null;
}

/** HEAD is not allowed: authorizing has effects, and the other endpoints accept only POST. */
function otherMethod(ctx: Context, method: string): void {
  const allow = `${method}, OPTIONS`;
  if (ctx.method !== "OPTIONS") refuse("method_not_allowed", { headers: { Allow: allow }, allowed: [method] });
  ctx.set("Allow", allow);
  ctx.status = 204;
}

/** The library builds addresses and cookies from the request's host. This pins them to the configured base URL. */
function pinHost(ctx: Context, baseUrl: string): void {
  const { host, protocol, origin } = new URL(baseUrl);
  const { path, querystring } = ctx;
  Object.defineProperties(ctx.request, {
    host: { value: host },
    protocol: { value: protocol.slice(0, -1) },
    href: { value: `${origin}${path}${querystring ? `?${querystring}` : ""}` },
  });
}

/** The library sets a cookie for its session, which is not stored. */
function dropUnusedCookies(ctx: Context): void {
  const cookies = ctx.response.headers["set-cookie"];
  if (!Array.isArray(cookies)) return;
  const used = cookies.filter((cookie) => !cookie.startsWith(COOKIES.session));
  if (used.length > 0) ctx.set("Set-Cookie", used);
  else ctx.remove("Set-Cookie");
}
