import { writeRecorded } from "../../events/events.sql.ts";
import { extended, type InProject, type Writing } from "../../kernel/context.ts";
import { type LockedIssue, lockIssueRows } from "../../kernel/locks.sql.ts";
import type { Recorded } from "../../kernel/recorded.ts";
import type { Changes, FullIssue } from "../issues/change.sql.ts";
import { namesOf } from "../issues/history.sql.ts";
import { recordComparedIssue } from "../issues/history.ts";
import { kindOf, type OwnKind } from "./kinds.ts";
import { changesOfIssues, storedIssues, toComeAmong } from "./mass-changes.sql.ts";
import type { LabelData, MassChange } from "./rows.ts";

/**
 * Changes of very many issues are true for all readers at once, and made later (see change-issues.ts). Whoever locks an
 * issue makes first what is to come for it. So each issue gets one event and its line of history for each mass change, in
 * the order in which the changes were asked for, and no other change can bring back what is gone.
 */

type Locking = Writing & { readonly workspace: { readonly id: string } };

/**
 * Locks issues, in the order of their ids, and makes the mass changes that are to come for them.
 * @param whenLocked called when they are locked, before they change
 */
export async function lockIssues(
  ctx: Locking,
  ids: readonly string[],
  whenLocked?: () => Promise<void>,
): Promise<LockedIssue[]> {
  const rows = await lockIssueRows(ctx, ids);
  await whenLocked?.();
  const changing = rows.filter((row) => row.changing).map(({ id }) => id);
  if (changing.length === 0) return rows;
  await settle(ctx, changing);
  // Some may be archived by now.
  return lockIssueRows(ctx, ids);
}

/** Makes the mass changes that are to come for these issues, which are locked. */
async function settle(ctx: Locking, ids: readonly string[]): Promise<void> {
  const changes = await changesOfIssues(ctx.tx, ctx.workspace.id, ids);
  if (changes.length === 0) return;
  let issues = await storedIssues(ctx.tx, ctx.workspace.id, ids);
  for (const change of changes) issues = await make(ctx, change, withDeletedLabels(issues, changes));
}

/** Makes one change of locked issues and records it in the name of whoever asked for it. Returns the issues after it. */
async function make(ctx: Locking, change: MassChange, issues: FullIssue[]): Promise<FullIssue[]> {
  const kind = kindOf(change.kind);
  if (kind.make) return makeOwn(ctx, kind, change, issues);
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
  const place = placeOf(ctx, change);
  for (const { id, before } of items) recordComparedIssue(place, before, after.get(id)!, names);
  await writeRecorded(place, place.recorded);
  return issues.map((issue) => after.get(issue.id) ?? issue);
}

async function makeOwn(ctx: Locking, kind: OwnKind, change: MassChange, issues: FullIssue[]): Promise<FullIssue[]> {
  const ids = await toComeAmong(ctx.tx, change, ctx.workspace.id, idsOf(issues));
  if (ids.length === 0) return issues;
  await kind.make(placeOf(ctx, change), change, ids);
  return storedIssues(ctx.tx, ctx.workspace.id, idsOf(issues));
}

const idsOf = (issues: FullIssue[]) => issues.map(({ id }) => id);

/** The context in which a change is made and recorded: in the name of whoever asked for it, and over what is stored. */
const placeOf = (ctx: Locking, change: MassChange) =>
  extended(ctx, {
    ...change.author,
    db: ctx.tx,
    recorded: [] as Recorded[],
    workspace: { id: ctx.workspace.id, slug: change.workspace_slug },
    project: { id: change.project_id, key: change.project_key, slug: change.project_slug },
  }) as unknown as InProject & Writing & { recorded: Recorded[] };

/** The rows of deleted labels are gone, but an issue has them until this is recorded. */
function withDeletedLabels(issues: FullIssue[], changes: MassChange[]): FullIssue[] {
  const deleted = changes.flatMap(({ kind, data }) => (kind === "label" ? (data as LabelData).label : []));
  if (deleted.length === 0) return issues;
  return issues.map((issue) => ({ ...issue, labels: [...(issue.labels ?? []), ...deleted] }));
}
