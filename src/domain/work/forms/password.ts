import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

/** Passwords of forms are short and shared, so hashing them is slow on purpose. */

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

// 16 MiB and about 150 ms.
const COST = { N: 2 ** 14, r: 8, p: 5 };
const BYTES = 32;

/** `scrypt$N$r$p$salt$hash`, so that the cost can be raised later. The default salt is random. */
export async function hashPassword(password: string, salt: Buffer = randomBytes(16)): Promise<string> {
  const hash = await derive(password.normalize(), salt, BYTES, COST);
  const { N, r, p } = COST;
  return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = "", hash = ""] = stored.split("$");
  const wanted = Buffer.from(hash, "base64url");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const tried = await derive(password.normalize(), Buffer.from(salt, "base64url"), wanted.length, cost);
  return timingSafeEqual(tried, wanted);
}

/** The salt of a stored hash. */
export const saltOf = (stored: string): Buffer => Buffer.from(stored.split("$")[4]!, "base64url");
