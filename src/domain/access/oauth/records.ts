import type { Ctx } from "../../kernel/context.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { consumeRecord, deleteRecord, findRecord, type RecordModel, storeOfGrant, storeRecord } from "./records.sql.ts";

/**
 * Codes, tokens and pending authorization requests, stored as rows. They are found by the hash of their id, which is
 * the secret, and are sealed without it. A copy of the table gives no access.
 */

export type Payload = Record<string, unknown> & { grantId?: string; scope?: string };

/** Returns false, and stores nothing, if the record belongs to a grant that has ended. */
export async function saveRecord(
  ctx: Ctx,
  model: RecordModel,
  id: string,
  payload: Payload,
  seconds: number,
): Promise<boolean> {
  const { jti: _secret, ...rest } = payload;
  const record = {
    model,
    hash: hashSecret(id),
    sealed: ctx.ports.sealer.seal(JSON.stringify(rest)),
    expiresAt: later(ctx.now, seconds),
    now: ctx.now,
  };
  // An authorization request names a grant only after approval. It must be stored for the way back in any case.
  if (model === "Interaction") {
    await storeRecord(ctx.db, record);
    return true;
  }
  const { grantId, scope } = payload;
  if (!grantId) throw new Error(`${model} has no grant.`);
  const scopes = model === "AccessToken" ? (scope ?? "").split(" ").filter(Boolean) : null;
  return storeOfGrant(ctx.db, { ...record, grantId, scopes });
}

/**
 * Reads a record. `consumed` is set if it was used before and this use looks like misuse. Null if there is no such
 * record or it has expired.
 */
export async function readRecord(ctx: Ctx, model: RecordModel, id: string): Promise<Payload | null> {
  const quietSince = later(ctx.now, -ctx.settings.oauth.reuseQuietSeconds);
  const found = await findRecord(ctx.db, model, hashSecret(id), { now: ctx.now, quietSince });
  if (!found) return null;
  const payload = JSON.parse(ctx.ports.sealer.open(found.sealed)) as Payload;
  return { ...payload, jti: id, ...(found.reused ? { consumed: true } : {}) };
}

/** Marks a record as used. Returns false if it was used before. */
export const useRecord = (ctx: Ctx, model: RecordModel, id: string): Promise<boolean> =>
  consumeRecord(ctx.db, model, hashSecret(id), ctx.now);

export const removeRecord = (ctx: Ctx, model: RecordModel, id: string): Promise<void> =>
  deleteRecord(ctx.db, model, hashSecret(id));

const later = (now: string, seconds: number) => new Date(Date.parse(now) + seconds * 1000).toISOString();
