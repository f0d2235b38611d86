import { createHash, timingSafeEqual } from "node:crypto";
import type { Context } from "koa";
import { wideNetworkOf } from "../../domain/kernel/addresses.ts";
import type { RateLimiter } from "../../domain/kernel/ports/ports.ts";
import { type Hosts, isOwnHost, misdirected } from "./own-host.ts";

export type OperatorOptions = {
  /** Without one nobody is the operator. */
  password: string | undefined;
  rateLimiter: RateLimiter;
  /** From one address. */
  guessesPerMinute: number;
  /** Under which names operators find their pages. */
  hosts: Hosts;
};

/**
 * What to answer: 200 to the operator, 404 where there is none, 421 under a foreign host name, else 401, or 429 to an
 * address that has guessed too often.
 */
export type Admission = { status: 200 | 401 | 404 | 421 | 429; headers: Record<string, string> };

/** What of a request decides whether it is the operator's. */
export type Asking = { authorization: string; host: string; address: string };

/**
 * Whether a request carries the operator's password (HTTP Basic, any user name; RFC 7617). A guess is counted before it
 * is looked at, or a right one could still be told from the wrong ones beyond the limit; the operator gets it back.
 */
export async function admit(
  { authorization, host, address }: Asking,
  { password, rateLimiter, guessesPerMinute, hosts }: OperatorOptions,
): Promise<Admission> {
  if (!password) return { status: 404, headers: {} };
  if (!isOwnHost(host, hosts)) return { status: 421, headers: {} };
  const encoded = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization)?.[1];
  if (!encoded) return askForPassword;

  const key = `operator:${wideNetworkOf(address)}`;
  const taken = await rateLimiter.take(key, 1, guessesPerMinute);
  if (taken && !taken.allowed) return { status: 429, headers: { "Retry-After": String(taken.resetSeconds) } };

  const given = Buffer.from(encoded, "base64")
    .toString()
    .replace(/^[^:]*:/, "");
  // Hashed first, so that neither length nor content shows in the time it takes.
  if (!timingSafeEqual(digest(given), digest(password))) return askForPassword;
  if (taken) rateLimiter.giveBack(key, 1);
  return { status: 200, headers: {} };
}

/** Lets the operator pass; anybody else is answered, and the answer is false. */
export async function admitOperator(ctx: Context, options: OperatorOptions): Promise<boolean> {
  const asking = { authorization: ctx.get("authorization"), host: ctx.get("host"), address: ctx.ip };
  const { status, headers } = await admit(asking, options);
  if (status === 200) return true;
  ctx.status = status;
  ctx.set(headers);
  ctx.body = status === 421 ? misdirected(options.hosts) : SENTENCES[status];
  return false;
}

const SENTENCES = {
  401: "Sign in as the operator.\n",
  404: "Not found.\n",
  429: "Too many passwords were tried from this address. Wait a minute.\n",
};

const askForPassword: Admission = {
  status: 401,
  headers: { "WWW-Authenticate": 'Basic realm="muster operator", charset="UTF-8"' },
};

const digest = (text: string) => createHash("sha256").update(text).digest();
