import type { Context } from "koa";
import Provider, { errors } from "oidc-provider";
import { networkOf } from "../../domain/kernel/addresses.ts";
import { takeFromNetwork } from "../../domain/kernel/network-limit.ts";
import type { Taken } from "../../domain/kernel/ports/ports.ts";
import type { Runtime } from "../engine/call.ts";

/** Rate limits for unauthenticated requests. Without Redis every request passes. */

const HOUR = 3_600;
const DAY = 86_400;

/** Seconds to wait. Null if the request may proceed. */
type Wait = Promise<number | null>;

export const limitRegistrations = (runtime: Runtime, address: string): Wait =>
  takeFrom(runtime, "oauth:register", address, runtime.settings.oauth.registrationsPerHour, HOUR);

export const limitRegistrationsFor = (runtime: Runtime, workspace: string): Wait =>
  take(runtime, `oauth:register-for:${workspace}`, runtime.settings.oauth.registrationsPerDay, DAY);

export const limitAuthorizations = (runtime: Runtime, address: string): Wait =>
  takeFrom(runtime, "oauth:authorize", address, runtime.settings.oauth.authorizationsPerMinute);

/**
 * Whether a client's metadata document may be fetched. At most once per request, because the library would fetch it
 * again to report a failure. Requests that trigger a fetch share the limit of authorization requests. Without a
 * request of the library, our consent page asks about a request that was counted when it began; such fetches are
 * limited per server.
 */
export async function mayFetch(
  runtime: Runtime,
  ctx: Pick<Context, "ip" | "state"> | undefined,
  clientId: string,
): Promise<boolean> {
  if (!ctx) {
    const key = `oauth:document:${URL.parse(clientId)?.host}`;
    return (await take(runtime, key, runtime.settings.oauth.authorizationsPerMinute)) === null;
  }
  if (ctx.state.documentRead) return false;
  ctx.state.documentRead = true;
  return (await limitAuthorizations(runtime, ctx.ip)) === null;
}

/**
 * Counts requests to the token and revocation endpoints. Called when the provider looks up the client, which it does
 * once per request and before any other check. Anyone can name a client, so the limit is per network address and
 * client.
 */
export async function limitTokenRequests(runtime: Runtime, clientId: string): Promise<void> {
  const ctx = Provider.ctx;
  if (ctx?.oidc.route !== "token" && ctx?.oidc.route !== "revocation") return;
  const key = `oauth:token:${networkOf(ctx.ip)} ${clientId}`;
  await takeOrReject(runtime, ctx, key, "this client sent too many requests from this address");
  ctx.state.limitKey = key;
}

/**
 * Counts a request with a live code or refresh token by its grant instead; strangers have none. The unit taken before
 * is given back, because the agents of many people may share a client and an address.
 */
export async function limitGrant(runtime: Runtime, grantId: string): Promise<void> {
  const ctx = Provider.ctx;
  if (ctx?.oidc.route !== "token") return;
  runtime.ports.rateLimiter.giveBack(ctx.state.limitKey, 1);
  await takeOrReject(runtime, ctx, `oauth:grant:${grantId}`, "too many requests for this grant");
}

async function takeOrReject(runtime: Runtime, ctx: Pick<Context, "set">, key: string, why: string): Promise<void> {
  const wait = await take(runtime, key, runtime.settings.oauth.tokenRequestsPerMinute);
  if (wait === null) return;
  ctx.set("Retry-After", String(wait));
  throw new TooManyRequests(`${why}; retry after the seconds in Retry-After`);
}

/** Counts bad requests to the token endpoint by address, together with the API's bad keys. */
export const limitFailures = (runtime: Runtime, address: string): Wait =>
  takeFrom(runtime, "bad", address, runtime.badCredentialsPerMinute);

class TooManyRequests extends errors.CustomOIDCProviderError {
  override readonly statusCode = 429;

  constructor(description: string) {
    super("rate_limited", description);
  }
}

const takeFrom = async (runtime: Runtime, name: string, address: string, limit: number, seconds?: number): Wait =>
  waitOf(await takeFromNetwork(runtime.ports.rateLimiter, name, address, limit, seconds));

const take = async (runtime: Runtime, key: string, limit: number, seconds?: number): Wait =>
  waitOf(await runtime.ports.rateLimiter.take(key, 1, limit, seconds));

const waitOf = (taken: Taken | null) => (taken && !taken.allowed ? taken.resetSeconds : null);
