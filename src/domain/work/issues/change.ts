import type { InIssue, IssueRow } from "../../access/identity/issue-row.ts";
import type { Writing } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { idsNamed, warnOfRequired } from "../fields/of-issue.ts";
import { storeValues } from "../fields/values.sql.ts";
import { updateBlocked } from "../links/blockers.ts";
import { checkFieldPolicy } from "./allowed-fields.ts";
import { type Changes, countFamilyChange, issueAfter, recount, setEpicOwn, updateIssue, watch } from "./change.sql.ts";
import { type Change, changesFor } from "./changes-for.ts";
import { isExternalIdTaken, takenExternalIds } from "./create.sql.ts";
import { refuseTaken } from "./draft.ts";
import { passOnEpic } from "./epics.ts";
import { recordIssueChange } from "./history.ts";
import { hasPosition } from "./ranks.ts";
import { lockAndReadFor } from "./read-for-change.ts";
import { changesOfReopening } from "./reopening.ts";
import { namesIn, newcomersOf, shownBy } from "./shown-by-change.ts";
import { type IssueView, labelsOf, viewOf } from "./view.ts";

/** Changes of issue fields. PATCH, board moves and all other changes of an issue go through this file. */

/** Changes an issue under its lock. A call that changes nothing records nothing. @throws Refusal */
export const change = (ctx: InIssue & Writing, wanted: Change): Promise<IssueView> =>
  changeWith(ctx, wanted, needsBoard(wanted));

/**
 * The same for callers that have locked the boards that the change needs. If it neither opens nor closes the issue, that
 * is the issue's own one.
 */
export const changeOnBoard = (ctx: InIssue & Writing, wanted: Change): Promise<IssueView> =>
  changeWith(ctx, wanted, false);

async function changeWith(ctx: InIssue & Writing, wanted: Change, needsBoards: boolean): Promise<IssueView> {
  const { before, known } = await lockAndReadFor(ctx, wanted, needsBoards);
  if (wanted.if_version !== undefined && wanted.if_version !== before.version) {
    refuse("version_conflict", { version: before.version });
  }

  const { epic_own, ...asked } = await changesFor(ctx, before, wanted, known);
  checkFieldPolicy(ctx.principal, before, wanted, asked);
  const changes = { ...asked, ...(await changesOfReopening(ctx, before, asked)) };
  await warnOfRequired(ctx, { ...before, ...changes });
  if (epic_own !== undefined) setEpicOwn(ctx, before.id, epic_own);
  if (Object.keys(changes).length === 0) return viewOf(ctx, before, labelsOf(before));
  await write(ctx, before, changes);
  recount(ctx, before, { ...before, ...changes });
  if (changesFamilies(before, changes)) countFamilyChange(ctx);
  watch(ctx, before.id, newcomersOf(before, changes));
  if (changes.custom_fields) storeValues(ctx, before.custom_fields, changes.custom_fields);
  const after = await issueAfter(ctx, before, changes, shownBy(before, changes, known));
  const ids = idsNamed(known.fields, before, after);
  const view = await recordIssueChange(ctx, before, after, ids, {}, namesIn(before, known));
  if (before.link_count > 0) await updateBlocked(ctx, before.id, before, after);
  await passOnEpic(ctx, before, after);
  return view;
}

/**
 * Writes the columns. Only the write itself shows whether an issue that is created at the same time has the external
 * id.
 */
async function write(ctx: InIssue & Writing, issue: IssueRow, changes: Changes): Promise<void> {
  if (!("external_id" in changes || "external_source" in changes)) return updateIssue(ctx, issue.id, changes);
  try {
    await ctx.tx.savepoint(async () => updateIssue(ctx, issue.id, changes));
  } catch (error) {
    if (!isExternalIdTaken(error)) throw error;
    const { external_source: source, external_id: id } = { ...issue, ...changes };
    const pair = { source: source!, id: id! };
    const taken = await takenExternalIds(ctx.db, ctx.workspace.id, ctx.project.id, [pair]);
    refuseTaken(taken.get(`${source}\n${id}`) ?? null);
  }
}

/** Whether the change must lock the board. Moves do; so do changes of families, whose checks involve several issues. */
const needsBoard = (wanted: Change) => hasPosition(wanted) || BOARD_FIELDS.some((field) => wanted[field] !== undefined);
/** Whether a new child that was checked before would be stored wrongly: too deep, without an epic, or in another one. */
const changesFamilies = (before: IssueRow, { parent_id, epic_id, type }: Changes) =>
  Boolean(parent_id) || epic_id !== undefined || (type !== undefined && [before.type, type].includes("epic"));
const BOARD_FIELDS = ["status", "status_id", "parent", "epic", "type"] as const;
