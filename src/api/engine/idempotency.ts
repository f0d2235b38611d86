import { createHash } from "node:crypto";
import { Refusal, refuse } from "../../domain/errors.ts";
import { type Db, type Ports, RunAgain, type Transaction } from "../../domain/ports.ts";
import type { Reply } from "./call.ts";
import { claim, find, type Stored, store } from "./idempotency.sql.ts";

/**
 * Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): the key's row and the change commit together, so a
 * reply is stored exactly when its change is. A refused call rolls back and leaves nothing behind.
 */

export type Claim = { keyId: string; method: string; path: string; key: string; bodyHash: Buffer };

/** Reads the header: 1 to 255 characters, quoted or bare. */
export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (key.length >= 1 && key.length <= 255) return key;
  return refuse("invalid_parameter", {
    message: "Idempotency-Key must have 1 to 255 characters.",
    parameter: "Idempotency-Key",
  });
}

export const hashBody = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Takes the key for this transaction, or answers what the first request was answered.
 * @throws Refusal idempotency_key_reused, idempotency_in_progress
 */
export async function claimKey(tx: Transaction, wanted: Claim, now: string, ports: Ports): Promise<Reply | null> {
  let earlier: Stored | null;
  try {
    earlier = await claim(tx, wanted, now);
  } catch (error) {
    if ((error as { code?: string }).code !== "55P03") throw error;
    // The first request still holds the row. It is waited for as long as for any lock, but holds up no other writes.
    throw new RunAgain(new Refusal("idempotency_in_progress", { headers: { "Retry-After": "1" } }));
  }
  return earlier && replayOf(earlier, wanted, ports);
}

/**
 * What the first request was answered, for a call that does more than its transaction; null when there was none, or it is
 * still running.
 * @throws Refusal idempotency_key_reused
 */
export async function findReply(db: Db, wanted: Claim, now: string, ports: Ports): Promise<Reply | null> {
  const earlier = await find(db, wanted, now);
  return earlier && replayOf(earlier, wanted, ports);
}

function replayOf(earlier: Stored, wanted: Claim, ports: Ports): Reply {
  if (!earlier.body_hash.equals(wanted.bodyHash)) refuse("idempotency_key_reused");
  return { status: earlier.status, body: ports.sealer.open(earlier.reply), headers: { "Idempotent-Replayed": "true" } };
}

/** Keeps the reply beside the change. Sealed, since some replies show a secret that is shown once. */
export async function storeReply(tx: Transaction, wanted: Claim, reply: Reply, ports: Ports): Promise<void> {
  await store(tx, wanted, reply.status, ports.sealer.seal(reply.body));
}
