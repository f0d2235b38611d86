import type { LabelRow } from "../../access/identity/issue-row.ts";
import { writeRecorded } from "../../events/events.sql.ts";
import { extended, type Writing } from "../../kernel/context.ts";
import { type LockedIssue, lockIssueRows } from "../../kernel/locks.sql.ts";
import type { Recorded } from "../../kernel/recorded.ts";
import type { Changes, FullIssue } from "../issues/change.sql.ts";
import { namesOf } from "../issues/history.sql.ts";
import { recordComparedIssue } from "../issues/history.ts";
import { kindOf } from "./kinds.ts";
import { changesOfIssues, storedIssues } from "./mass-changes.sql.ts";
import type { LabelData, MassChange } from "./rows.ts";

/**
 * Changes of very many issues are true for all readers at once, and made later (see change-issues.ts). Whoever locks an
 * issue makes first what is to come for it. So each issue gets one event and its line of history for each mass change, in
 * the order in which the changes were asked for, and no other change can bring back what is gone.
 */

type Locking = Writing & { readonly workspace: { readonly id: string } };

/** Locks issues, in the order of their ids, and makes the mass changes that are to come for them. */
export async function lockIssues(ctx: Locking, ids: readonly string[]): Promise<LockedIssue[]> {
  const rows = await lockIssueRows(ctx, ids);
  const changing = rows.filter((row) => row.changing).map(({ id }) => id);
  if (changing.length > 0) await settle(ctx, changing);
  return rows;
}

/** Makes the mass changes that are to come for these issues, which are locked. */
async function settle(ctx: Locking, ids: readonly string[]): Promise<void> {
  const changes = await changesOfIssues(ctx.tx, ctx.workspace.id, ids);
  if (changes.length === 0) return;
  let issues = withDeletedLabels(await storedIssues(ctx.tx, ctx.workspace.id, ids), changes);
  for (const change of changes) issues = await make(ctx, change, issues);
}

/** Makes one change of locked issues and records it in the name of whoever asked for it. Returns the issues after it. */
async function make(ctx: Locking, change: MassChange, issues: FullIssue[]): Promise<FullIssue[]> {
  const kind = kindOf(change.kind);
  const after = new Map<string, FullIssue>();
  const items: { id: string; changes: Changes; before: FullIssue }[] = [];
  for (const before of issues) {
    const changes = before.project_id === change.project_id ? kind.changesOf(before, change) : null;
    if (!changes) continue;
    items.push({ id: before.id, changes, before });
    after.set(before.id, {
      ...before,
      ...changes,
      version: before.version + change.steps,
      updated_at: [before.updated_at, change.created_at].sort()[1]!,
    });
  }
  if (items.length === 0) return issues;
  await kind.write(ctx, change, items);

  const named = new Set(items.flatMap(({ before }) => kind.named?.(before, change) ?? []));
  const names = await namesOf(ctx.tx, ctx.workspace.id, [...named]);
  const recorded: Recorded[] = [];
  const place = extended(ctx, {
    ...change.author,
    recorded,
    workspace: { id: ctx.workspace.id, slug: change.workspace_slug },
    project: { key: change.project_key, slug: change.project_slug },
  }) as unknown as Parameters<typeof recordComparedIssue>[0];
  for (const { id, before } of items) recordComparedIssue(place, before, after.get(id)!, names);
  await writeRecorded(place, recorded);
  return issues.map((issue) => after.get(issue.id) ?? issue);
}

/** The rows of deleted labels are gone, but an issue has them until this is recorded. */
function withDeletedLabels(issues: FullIssue[], changes: MassChange[]): FullIssue[] {
  const deleted = changes.flatMap(({ kind, data }) => (kind === "label" ? asJoined((data as LabelData).label) : []));
  if (deleted.length === 0) return issues;
  return issues.map((issue) => ({ ...issue, labels: [...(issue.labels ?? []), ...deleted] }));
}

/** As labels are read with their issues: Postgres' JSON has times with an offset. */
function asJoined({ created_at, updated_at, ...label }: LabelRow): LabelRow {
  const joined = (instant: string) => instant.replace("Z", "+00:00");
  return { ...label, created_at: joined(created_at), updated_at: joined(updated_at) };
}
