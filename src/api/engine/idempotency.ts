import { createHash } from "node:crypto";
import { eventById } from "../../domain/events/events.sql.ts";
import type { Ctx, Writing } from "../../domain/kernel/context.ts";
import { refuse } from "../../domain/kernel/errors.ts";
import { jcs, type Plain } from "../../domain/kernel/jcs.ts";
import type { Body, Reply } from "./call.ts";
import { type CallNames, findStored, type Stored, store, storeBesideEvent } from "./idempotency.sql.ts";
import { packReply, unpackReply } from "./reply-content.ts";

/**
 * Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): the reply is stored in the transaction of the change, so
 * it is there exactly when the change is. A refused call rolls back and leaves nothing behind.
 */

/** How long a call waits for another one with its key, in milliseconds. */
const PATIENCE_MS = 5_000;
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 500;

/** A call that is to happen once. */
export type Claim = CallNames & { workspaceId: string; textHash: Buffer };

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

/** Names a call by who makes it, where, under which key and with which body. @throws Refusal when the body is no JSON */
export function claimFor(
  call: { keyId: string; method: string; path: string; key: string; workspaceId: string },
  body: Body | undefined,
): Claim {
  const { workspaceId, ...before } = call;
  const { keyId, method, path, key } = before;
  const hash = sha256([keyId, method, path, key].join("\n"));
  return {
    callId: uuidOf(hash),
    bodyId: uuidOf(sha256(meaningOf(body))),
    lock: hash.readBigInt64BE().toString(),
    before,
    textHash: sha256(body?.text ?? ""),
    workspaceId,
  };
}

/** Bodies that mean the same are the same text: neither white space counts, nor the order of members. */
function meaningOf(body: Body | undefined): string {
  if (!body || body.text === "") return "{}";
  const { text, value } = body;
  try {
    return jcs(value as Plain);
  } catch {
    // A number too large to be one, such as 1e999: compared as it was written.
    return text;
  }
}

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();
const uuidOf = (hash: Buffer): string => hash.toString("hex", 0, 16);

/** Thrown where another call with the same key is under way: nothing was done. */
class UnderWay extends Error {}

/**
 * Runs `work`, which claims a key, again and again while another call with that key is under way; in between it holds
 * neither a connection nor a place among a project's writes.
 * @throws Refusal idempotency_in_progress, after five seconds
 */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnderWay)) throw error;
    }
    if (Date.now() + wait > deadline) refuse("idempotency_in_progress", { headers: { "Retry-After": "1" } });
    // Those that wait for the same call do not all come back at the same moment.
    await new Promise((over) => setTimeout(over, wait * (0.5 + Math.random() / 2)));
  }
}

/**
 * Takes the key for this transaction, or answers what the first call was answered. Inside `inTurn`, in a transaction that
 * began with `lockCall`.
 * @throws Refusal idempotency_key_reused
 */
export async function claimKey(ctx: Writing, claim: Claim): Promise<Reply | null> {
  const { locked, stored } = await findStored(ctx.tx, claim, ctx.now);
  if (!locked) throw new UnderWay();
  return stored ? replyOf(ctx, claim, stored) : null;
}

/**
 * What the first call was answered; null when there was none, or it is still under way.
 * @throws Refusal idempotency_key_reused
 */
export async function findReply(ctx: Ctx, claim: Claim): Promise<Reply | null> {
  const { stored } = await findStored(ctx.db, claim, ctx.now);
  return stored ? replyOf(ctx, claim, stored) : null;
}

async function replyOf(ctx: Ctx, claim: Claim, stored: Stored): Promise<Reply> {
  if (stored.body_id ? !sameId(stored.body_id, claim.bodyId) : !stored.text_hash?.equals(claim.textHash)) {
    refuse("idempotency_key_reused");
  }
  return {
    status: stored.status,
    body: await bodyOf(ctx, claim, stored),
    headers: { "Idempotent-Replayed": "true" },
  };
}

const sameId = (uuid: string, hex: string): boolean => uuid.replaceAll("-", "") === hex;

async function bodyOf(ctx: Ctx, claim: Claim, { content, event_id, sealed }: Stored): Promise<string> {
  const { sealer } = ctx.ports;
  if (!content) return sealer.open(sealed!);
  const event = event_id === null ? null : await eventById(ctx.db, claim.workspaceId, event_id);
  return unpackReply(sealer.openBytes(content), event?.data);
}

/** As many of a call's events may hold what its reply shows. */
const MOST_EVENTS = 8;

/**
 * Keeps the reply beside the change, once everything of that is written. Sealed, since some replies show a secret that is
 * shown once.
 */
export async function storeReply(ctx: Writing, claim: Claim, { status, body }: Reply): Promise<void> {
  const { sealer } = ctx.ports;
  const ids = ctx.eventIds.slice(0, MOST_EVENTS);
  // What a single object shows is in an event as well, most of the time; Postgres compares the two.
  if (ids.length > 0 && body.startsWith('{"data":{')) {
    const { data } = JSON.parse(body);
    const content = sealer.sealBytes(await packReply(body, data));
    const { workspaceId } = claim;
    if (await storeBesideEvent(ctx.tx, claim, ctx.now, status, content, { workspaceId, ids, data })) return;
  }
  await store(ctx.tx, claim, ctx.now, status, sealer.sealBytes(await packReply(body)));
}
