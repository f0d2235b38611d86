import type { Writing } from "../../kernel/context.ts";
import { lockIssues } from "../mass-changes/settle.ts";
import type { FullIssue } from "./change.sql.ts";
import { countChildren, followersOf, leaveToWorker, setEpic } from "./epics.sql.ts";
import { type EpicRef, epicPassedOn } from "./hierarchy.ts";
import { recordComparedIssue } from "./history.ts";
import { readIssues } from "./of-projects.sql.ts";
import type { IssueContext } from "./view.ts";

/** Issues whose epic was not set for themselves have the epic of the issue above them, at any depth. */

/** A transaction that has locked the board of its project. */
export type OnBoard = Writing & IssueContext;

/** Issues that a call changes itself. If more follow, a worker changes them all. One may contain 64 kB of text. */
const MOST_AT_ONCE = 200;

/** Passes on what changed in an issue to the issues below it that follow it. The issue has been written. */
export async function passOnEpic(ctx: OnBoard, before: FullIssue, after: FullIssue): Promise<void> {
  const epic = epicPassedOn(after);
  if (epicPassedOn(before).epic_id !== epic.epic_id) {
    const ids = await followersOf(ctx, after.id, MOST_AT_ONCE + 1);
    if (ids.length <= MOST_AT_ONCE) await giveEpic(ctx, ids, epic);
    else await leaveToWorker(ctx, [after.id]);
  }
  if (before.type !== after.type && [before.type, after.type].includes("epic")) await countChildren(ctx, after.id);
}

/**
 * Gives issues an epic, with events and history for each. Issues that have it already are left out. Returns those that
 * changed.
 */
export async function giveEpic(ctx: OnBoard, ids: string[], epic: EpicRef): Promise<FullIssue[]> {
  if (ids.length === 0) return [];
  await lockIssues(ctx, ids);
  const issues = (await readIssues(ctx, ids)).filter(({ epic_id }) => epic_id !== epic.epic_id);
  await setEpic(
    ctx,
    issues.map(({ id }) => id),
    epic,
  );
  for (const before of issues) {
    const after = { ...before, ...epic, version: before.version + 1, updated_at: ctx.now };
    recordComparedIssue(ctx, before, after, new Map());
  }
  return issues;
}
