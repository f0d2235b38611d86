import type { Writing } from "../../kernel/context.ts";
import { isLooping, MAX_FAILURES } from "./limits.ts";

export type Disabling = "loop" | "failing" | "rights" | "credential_ended";
export type OfAutomation = { workspace_id: string; automation_id: string };

const READ = {
  name: "automation_to_disable",
  text: `
    select a.created_by, a.key_id, coalesce(t.failures_in_a_row, 0) as failures, array_to_json(coalesce(t.loops_at, '{}')) as loops_at
    from automation a left join automation_tally t on t.automation_id = a.id
    where a.workspace_id = $1 and a.id = $2 and a.enabled and a.deleted_at is null`,
};

/**
 * Whether an automation is still to be disabled: it may be disabled already, or an admin may have enabled it again since.
 * The workspace is locked.
 * @param plan the run that could not act
 */
export async function isToBeDisabled(
  ctx: Writing,
  { workspace_id, automation_id }: OfAutomation,
  reason: Disabling,
  plan: { creator_id: string; key_id?: string | null } | null,
): Promise<boolean> {
  type Row = { created_by: string; key_id: string | null; failures: number; loops_at: string[] };
  const [row] = await ctx.tx.query<Row>(READ, [workspace_id, automation_id]);
  if (!row) return false;
  if (reason === "rights") return row.created_by === plan?.creator_id;
  if (reason === "credential_ended") return row.key_id !== null && row.key_id === plan?.key_id;
  return reason === "failing" ? row.failures >= MAX_FAILURES : isLooping(row.loops_at, ctx.now);
}
