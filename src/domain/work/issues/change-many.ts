import type { FieldName } from "../../access/agents/field-policy.ts";
import { writeRecorded } from "../../events/events.sql.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { changesTo } from "../../kernel/difference.ts";
import { checkFieldOfMany } from "./allowed-fields.ts";
import type { Changes, FullIssue } from "./change.sql.ts";
import { lockLabelled, lockPlanned, type PlanningColumn, planFor, readSome, removeLabel } from "./change-many.sql.ts";
import { recordComparedIssue } from "./history.ts";

/**
 * Changes many issues in the same way. Each issue gets its own events and lines of history. The caller has locked the
 * board. Agents whose field policy lacks the field are refused.
 */

/** Number of issues that are changed and recorded at a time. One may contain 64 kB of text. */
const BATCH_SIZE = 200;

export type Named = { id: string; name: string };

/** Assigns all issues of a milestone, sprint or release to another one, or to none. Returns how many changed. */
export async function reassignIssues(
  ctx: InProject & Writing,
  column: PlanningColumn,
  { from, to, which }: { from: Named; to: Named | null; which: "all" | "open" },
): Promise<number> {
  const ids = await lockPlanned(ctx, column, from.id, which);
  const names = new Map([from, ...(to ? [to] : [])].map(({ id, name }) => [id, name]));
  return changeMany(ctx, ids, names, {
    field: column,
    changesOf: () => ({ [column]: to?.id ?? null }),
    write: (part) => planFor(ctx, part, column, to?.id ?? null),
  });
}

/** Removes a label from all issues that have it. Returns how many changed. */
export async function removeLabelFromIssues(ctx: InProject & Writing, labelId: string): Promise<number> {
  const ids = await lockLabelled(ctx, labelId);
  return changeMany(ctx, ids, new Map(), {
    field: "labels",
    changesOf: ({ label_ids }) => ({ label_ids: label_ids.filter((id) => id !== labelId) }),
    write: (part) => removeLabel(ctx, part, labelId),
  });
}

type ManyChanges = {
  /** Its name in field policies. */
  field: FieldName;
  /** What `write` changes in an issue, besides its version and time. */
  changesOf(issue: FullIssue): Changes;
  write(ids: string[]): Promise<void>;
};

/**
 * Changes locked issues in batches. Each batch is stored with its events at once, so that memory contains only one.
 * Issues without a difference do not change. Returns how many changed.
 */
async function changeMany(
  ctx: InProject & Writing,
  ids: string[],
  names: Map<string, string | null>,
  { field, changesOf, write }: ManyChanges,
): Promise<number> {
  const earlier = ctx.recorded.length;
  let changed = 0;
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    const issues = (await readSome(ctx, ids.slice(from, from + BATCH_SIZE))).filter(
      (issue) => Object.keys(changesTo(issue, changesOf(issue))).length > 0,
    );
    if (issues.length > 0) checkFieldOfMany(ctx.principal, field);
    await write(issues.map(({ id }) => id));
    for (const before of issues) {
      const after = { ...before, ...changesOf(before), version: before.version + 1, updated_at: ctx.now };
      recordComparedIssue(ctx, before, after, names);
    }
    await writeRecorded(ctx, ctx.recorded.splice(earlier));
    changed += issues.length;
  }
  return changed;
}
