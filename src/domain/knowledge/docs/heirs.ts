import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { giveBatch, longestOwner } from "./heirs.sql.ts";

const BATCH_SIZE = 1_000;

/**
 * Gives the private docs of a member who is removed to the person who removes them or, if they leave by themselves, to the
 * owner who has been a member for the longest time. Nothing that a doc shows changes, so there is no new version and no
 * event. The caller has locked the member, so that no further private doc is added meanwhile.
 */
export async function inheritPrivateDocs(ctx: InWorkspace & Writing, userId: string): Promise<void> {
  const { user_id: remover } = ctx.principal;
  const heir = remover === userId ? await longestOwner(ctx, userId) : remover;
  if (heir === null) return;
  // Each statement is short, however many docs there are.
  while ((await giveBatch(ctx, userId, heir, BATCH_SIZE)) === BATCH_SIZE);
}
