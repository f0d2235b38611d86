import { counted } from "../../domain/kernel/counted.ts";
import { refuse } from "../../domain/kernel/errors.ts";
import { takeFromNetwork } from "../../domain/kernel/network-limit.ts";
import type { Credential } from "../../domain/kernel/principal.ts";
import type { Call, Runtime } from "./call.ts";

/**
 * Takes units from the key's rate limit. If that is refused, `alreadyTaken` units are given back too, because a 429
 * costs nothing.
 */
export async function takeRate(
  runtime: Runtime,
  call: Pick<Call, "onRate">,
  credential: Credential,
  cost: number,
  alreadyTaken = 0,
): Promise<void> {
  const limit = credential.rate_limit_per_minute ?? runtime.settings.rateLimitPerMinute;
  const taken = cost > 0 ? await runtime.ports.rateLimiter.take(credential.id, cost, limit) : null;
  if (!taken) return;
  const { allowed, remaining, resetSeconds } = taken;
  call.onRate({ limit, remaining, resetSeconds });
  if (allowed) return;

  if (alreadyTaken > 0) runtime.ports.rateLimiter.giveBack(credential.id, alreadyTaken);
  refuse("rate_limited", {
    message: `This key may make ${counted(limit, "request")} a minute; retry in ${resetSeconds} s.`,
    limit,
    "violated-policies": ["key"],
    headers: { "Retry-After": String(resetSeconds) },
  });
}

/** Takes one call of an operation's own limit. A call that is refused costs nothing. */
export async function takeOwnRate(
  { ports }: Pick<Runtime, "ports">,
  { id }: Credential,
  operation: { id: string; perMinute: number },
): Promise<void> {
  const { perMinute } = operation;
  const taken = await ports.rateLimiter.take(`${operation.id}:${id}`, 1, perMinute);
  if (!taken || taken.allowed) return;
  ports.rateLimiter.giveBack(id, 1);
  refuse("rate_limited", {
    message: `This key may make ${perMinute} of these calls a minute; retry in ${taken.resetSeconds} s.`,
    limit: perMinute,
    "violated-policies": [operation.id],
    headers: { "Retry-After": String(taken.resetSeconds) },
  });
}

/** Size of a body that the call's own unit pays for. Each further block of this size costs one more unit. */
const SIZE_A_UNIT = 64 * 1024;

/** Units that a call's body costs, besides the unit of the call. */
export const sizeCost = (size: number): number => Math.max(0, Math.ceil(size / SIZE_A_UNIT) - 1);

/**
 * Takes units besides the call's own one, for a large body or for work after a read, and returns their number. It takes
 * at most half of the key's units per minute, so that a key with a low limit can make such a call too.
 */
export async function takeExtra(
  runtime: Runtime,
  call: Pick<Call, "onRate">,
  credential: Credential,
  units: number,
): Promise<number> {
  const limit = credential.rate_limit_per_minute ?? runtime.settings.rateLimitPerMinute;
  const cost = Math.min(units, Math.floor(limit / 2));
  await takeRate(runtime, call, credential, cost, 1);
  return cost;
}

/** Limits guesses from one network address. Valid keys from the same address are not affected. */
export async function countBadCredential(runtime: Runtime, call: Pick<Call, "address">): Promise<void> {
  const { ports, badCredentialsPerMinute } = runtime;
  const taken = await takeFromNetwork(ports.rateLimiter, "bad", call.address, badCredentialsPerMinute);
  if (!taken || taken.allowed) return;
  refuse("rate_limited", {
    message: "Too many requests with an invalid credential from this address.",
    "violated-policies": ["bad-credentials"],
    headers: { "Retry-After": String(taken.resetSeconds) },
  });
}
