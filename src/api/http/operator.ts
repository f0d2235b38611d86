import { createHash, timingSafeEqual } from "node:crypto";
import type { Context } from "koa";
import { wideNetworkOf } from "../../domain/kernel/addresses.ts";
import type { RateLimiter } from "../../domain/kernel/ports/ports.ts";
import { type Hosts, isOwnHost, misdirected } from "./own-host.ts";

export type OperatorOptions = {
  /** Without a password, operator pages do not exist. */
  password: string | undefined;
  rateLimiter: RateLimiter;
  /** Attempts per minute from one network address. */
  guessesPerMinute: number;
  /** The host names of operator pages. */
  hosts: Hosts;
};

/**
 * The result: 200 for the operator, 404 if no password is set, 421 for a foreign host name, 401 for a wrong password,
 * 429 after too many attempts from one address.
 */
export type Admission = { status: 200 | 401 | 404 | 421 | 429; headers: Record<string, string> };

/** The parts of a request that decide. */
export type Asking = { authorization: string; host: string; address: string };

/**
 * Checks the operator's password (HTTP Basic, any user name; RFC 7617). An attempt is counted before the password is
 * compared. Otherwise a right password could be told from a wrong one after the limit is reached. The operator's
 * attempt is given back.
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
  // Hashed first, so that the time reveals neither length nor content.
  if (!timingSafeEqual(digest(given), digest(password))) return askForPassword;
  if (taken) rateLimiter.giveBack(key, 1);
  return { status: 200, headers: {} };
}

/** Returns true for the operator. Otherwise sends the reply and returns false. */
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
  401: "Sign in with the operator password.\n",
  404: "Not found.\n",
  429: "Too many attempts from this network address. Wait a minute.\n",
};

const askForPassword: Admission = {
  status: 401,
  headers: { "WWW-Authenticate": 'Basic realm="muster operator", charset="UTF-8"' },
};

const digest = (text: string) => createHash("sha256").update(text).digest();
