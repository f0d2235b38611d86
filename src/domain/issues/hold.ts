import type { InIssue, Writing } from "../context.ts";
import { refuse } from "../errors.ts";
import { holdIssue } from "./change.sql.ts";

/**
 * Holds an issue for a change of what belongs to it; it may have been archived since it was located. Order of locks:
 * issue, comment, the comment it replies to.
 * @throws Refusal archived
 */
export async function holdLive(ctx: InIssue & Writing): Promise<void> {
  const archived_at = await holdIssue(ctx);
  if (archived_at) refuse("archived", { archived_at });
}
