import type { Ctx, Writing } from "../../kernel/context.ts";
import { refuseField } from "../../kernel/errors.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { deleteSetting, FREQUENCIES, ownerOfLink, putFrequency, readFrequency } from "./setting.sql.ts";

/** How often a person gets a mail with their unread notifications. Nobody gets one without choosing it. */

export const DIGESTS = ["off", ...FREQUENCIES] as const;
export type DigestChoice = (typeof DIGESTS)[number];

export const readDigest = async (ctx: Ctx, person: { id: string }): Promise<DigestChoice> =>
  (await readFrequency(ctx.db, person.id)) ?? "off";

/** @throws Refusal validation_failed */
export async function changeDigest(ctx: Writing, person: { id: string }, text: string): Promise<void> {
  const choice = DIGESTS.find((choice) => choice === text);
  if (!choice) refuseField("/digest", "invalid_choice", `must be one of ${DIGESTS.join(", ")}`);
  if (choice === "off") await deleteSetting(ctx.db, person.id);
  else await putFrequency(ctx.db, person.id, choice);
}

/** What the person of a digest's link has chosen now. Null if there is no such link. */
export async function readDigestOf(ctx: Ctx, token: string): Promise<DigestChoice | null> {
  const id = await ownerOfLink(ctx.db, hashSecret(token));
  return id === null ? null : readDigest(ctx, { id });
}

/** Ends the digests of the person of a digest's link. Returns false if there is no such link. */
export async function unsubscribe(ctx: Writing, token: string): Promise<boolean> {
  const id = await ownerOfLink(ctx.db, hashSecret(token));
  if (id !== null) await deleteSetting(ctx.db, id);
  return id !== null;
}
