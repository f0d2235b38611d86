import { refuse } from "../../domain/errors.ts";
import type { Caller } from "../../domain/rows.ts";
import type { Call, Runtime } from "./call.ts";

type Taken = { used: number; resetSeconds: number } | null;

/** Judges the unit that was taken while the key was read. A store that is away lets calls pass: limits protect, they do not gate. */
export function takeRate(runtime: Runtime, call: Call, caller: Caller, hash: Buffer, taken: Taken, cost = 1): void {
  if (!taken) return;
  const limit = caller.rate_limit_per_minute ?? runtime.settings.rateLimitPerMinute;
  const { used, resetSeconds } = taken;
  call.onRate({ limit, remaining: Math.max(0, limit - used), resetSeconds });
  if (used <= limit) return;

  runtime.ports.rateLimiter.giveBack(hash.toString("base64url"), cost);
  refuse("rate_limited", {
    message: `This key may make ${limit} requests a minute; retry in ${resetSeconds} s.`,
    limit,
    "violated-policies": ["key"],
    headers: { "Retry-After": String(resetSeconds) },
  });
}

/** Takes further units, for calls that do the work of several. */
export async function takeMore(
  runtime: Runtime,
  call: Call,
  caller: Caller,
  hash: Buffer,
  cost: number,
): Promise<void> {
  if (cost <= 0) return;
  const taken = await runtime.ports.rateLimiter.take(hash.toString("base64url"), cost);
  // Refused, the call gives its first unit back as well.
  takeRate(runtime, call, caller, hash, taken, cost + 1);
}

/** Slows down guessing from one address; good keys of the same address are not touched. */
export async function countBadCredential(runtime: Runtime, call: Call): Promise<void> {
  const taken = await runtime.ports.rateLimiter.take(`bad:${call.address}`, 1);
  if (!taken || taken.used <= runtime.badCredentialsPerMinute) return;
  refuse("rate_limited", {
    message: "Too many requests with a bad credential from this address.",
    "violated-policies": ["bad-credentials"],
    headers: { "Retry-After": String(taken.resetSeconds) },
  });
}
