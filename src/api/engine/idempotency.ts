import { createHash } from "node:crypto";
import { eventById } from "../../domain/events/events.sql.ts";
import type { Ctx, Writing } from "../../domain/kernel/context.ts";
import { refuse } from "../../domain/kernel/errors.ts";
import { own } from "../../domain/kernel/own.ts";
import type { Body, Reply } from "./call.ts";
import { type CallNames, findStored, type Stored, store, storeBesideEvent } from "./idempotency.sql.ts";
import { packReply, unpackReply } from "./reply-content.ts";

/**
 * Idempotency-Key (draft-ietf-httpapi-idempotency-key-header). The reply is stored in the same transaction as the
 * change, so either both exist or neither does. A rejected call rolls back and stores nothing.
 */

/** Maximum wait for another call with the same key, in milliseconds. */
const PATIENCE_MS = 5_000;
const FIRST_WAIT_MS = 20;
const MAX_WAIT_MS = 500;

/** A call with an Idempotency-Key. */
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

/**
 * Identifies a call by its key, method, path, Idempotency-Key and body.
 * @throws Refusal if the body is not valid JSON
 */
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

/**
 * The canonical text of a body. White space and the order of members do not matter. The text is that of `jcs`, which
 * takes four times as long for a long list.
 */
function meaningOf(body: Body | undefined): string {
  if (!body || body.text === "") return "{}";
  const { text, value } = body;
  // JavaScript cannot represent a number such as 1e999. The text of the body is compared instead.
  const ordered = inOrder(value);
  return ordered === undefined ? text : JSON.stringify(ordered);
}

/** The value with the members of its objects in order. Undefined if it contains an infinite number. */
function inOrder(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(inOrder);
    return items.includes(undefined) ? undefined : items;
  }
  const ordered = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(value).sort()) {
    const content = inOrder(own(value as Record<string, unknown>, name));
    if (content === undefined) return undefined;
    ordered[name] = content;
  }
  return ordered;
}

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();
const uuidOf = (hash: Buffer): string => hash.toString("hex", 0, 16);

/** Thrown if another call with the same key is in progress. Nothing was changed. */
class UnderWay extends Error {}

/**
 * Runs `work`, which claims a key. Retries while another call with the same key is in progress. Between attempts it
 * occupies neither a connection nor a slot of the tenant limiter.
 * @throws Refusal idempotency_in_progress after five seconds
 */
export async function retryWhileClaimed<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnderWay)) throw error;
    }
    if (Date.now() + wait > deadline) refuse("idempotency_in_progress", { headers: { "Retry-After": "1" } });
    // Jitter, so that calls waiting for the same key do not all retry at once.
    await new Promise((over) => setTimeout(over, wait * (0.5 + Math.random() / 2)));
  }
}

/**
 * Claims the key for this transaction. Returns the stored reply if the call was made before. Must run inside
 * `retryWhileClaimed`, in a transaction that began with `lockCall`.
 * @throws Refusal idempotency_key_reused
 */
export async function claimKey(ctx: Writing, claim: Claim): Promise<Reply | null> {
  const { locked, stored } = await findStored(ctx.tx, claim, ctx.now);
  if (!locked) throw new UnderWay();
  return stored ? replyOf(ctx, claim, stored) : null;
}

/**
 * The stored reply of an earlier call. Null if there was none, or if it is still in progress.
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

/** What Postgres cannot compare, because jsonb does not store it: NUL and lone surrogates, as JSON spells them. */
const UNSTORABLE = /\\u(0000|d[89a-f])/;

/** The maximum number of a call's events that are compared with its reply. */
const MAX_EVENTS = 8;

/**
 * Stores the reply in the transaction of the change, after all other writes. The reply is sealed because some replies
 * contain a secret that is shown only once.
 */
export async function storeReply(ctx: Writing, claim: Claim, { status, body }: Reply): Promise<void> {
  const { sealer } = ctx.ports;
  const ids = ctx.eventIds.slice(0, MAX_EVENTS);
  // An event usually contains the same object as the reply. Postgres compares the two.
  if (ids.length > 0 && body.startsWith('{"data":{') && !UNSTORABLE.test(body)) {
    const { data } = JSON.parse(body);
    const content = sealer.sealBytes(await packReply(body, data));
    const { workspaceId } = claim;
    if (await storeBesideEvent(ctx.tx, claim, ctx.now, status, content, { workspaceId, ids, data })) return;
  }
  await store(ctx.tx, claim, ctx.now, status, sealer.sealBytes(await packReply(body)));
}
