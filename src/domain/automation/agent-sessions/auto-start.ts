import type { InIssue } from "../../access/identity/issue-row.ts";
import type { Category } from "../../kernel/categories.ts";
import { extended, type Writing } from "../../kernel/context.ts";
import { Refusal } from "../../kernel/errors.ts";
import { changeOnBoard } from "../../work/issues/change.ts";

/** Projects with `auto_start` move an issue to the first column in progress when a session on it starts. */

export const isUnstarted = (status: Category): boolean => status === "backlog" || status === "todo";

/**
 * Moves an issue as its project wants. The board is locked. The field policy of the agent does not matter, because the
 * project decided. If the board's rules forbid the move, the reply says so.
 */
export async function startIssue(ctx: InIssue & Writing): Promise<void> {
  const { agent: _, ...principal } = ctx.principal;
  const on = extended(ctx, { principal });
  const mark = ctx.recorded.length;
  const warned = ctx.warnings.length;
  try {
    await ctx.tx.savepoint(() => changeOnBoard(on, { status: "in_progress" }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    ctx.recorded.length = mark;
    ctx.warnings.length = warned;
    const message = `The issue was not moved to work in progress. ${error.message}`;
    ctx.warnings.push({ ...error.details, code: error.code, message });
  }
}
