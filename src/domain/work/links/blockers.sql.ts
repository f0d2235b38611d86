import type { InIssue } from "../../access/identity/issue-row.ts";
import { visibility, visible } from "../../access/identity/visible.sql.ts";
import type { InProject, Writing } from "../../kernel/context.ts";
import { type Board, lockBoardsIn, refuseArchived } from "../../kernel/locks.sql.ts";
import type { Statement } from "../../kernel/ports/ports.ts";
import { OPEN } from "../issues/change-many.sql.ts";

/**
 * Counts of open blockers. Each issue stores how many open, unarchived issues block it. Blockers of another project
 * count only while that project is not archived.
 *
 * A blocker opens and closes under the lock of its own board. Its project is archived and restored under that lock too,
 * and links are created and deleted under the boards of both ends. So nothing is counted twice.
 */

/**
 * The SQL condition for whether the source of a link counts at its target, as far as the archiving of projects is
 * concerned.
 */
export const countsAcross = (source: string, target: string) => `
  (${source} = ${target} or exists (select from project p where p.id = ${source} and p.archived_at is null))`;
const COUNTS = countsAcross("l.source_project_id", "l.target_project_id");

/**
 * Open issues that block these ones, as far as the caller sees them; at most 50. What a rule or a workflow is told, everybody
 * in the project can read, so it is told only about issues of the project.
 */
export function readBlockers(
  { db, workspace, project, principal }: InProject,
  ids: readonly string[],
): Promise<{ issue_id: string; key: string }[]> {
  const isOwn = principal.kind === "person" || principal.kind === "agent";
  const text = `
    select l.target_id as issue_id, b.key from issue_link l
    join issue b on b.id = l.source_id and b.archived_at is null and b.status in (${OPEN})
    join project p on p.id = b.project_id
    where l.workspace_id = $1 and l.target_id = any($2::uuid[]) and l.kind = 'blocks' and ${visible(3)}
      and ($7::uuid is null or p.id = $7) and ${COUNTS}
    order by l.target_id, b.number limit 50`;
  const values = [workspace.id, ids, ...visibility(principal), isOwn ? null : project.id];
  return db.query({ name: "blockers_of_some", text }, values);
}

const BLOCKED_BY = {
  name: "lock_blocked_boards",
  text: `array(
    select target_project_id from issue_link where workspace_id = $1 and source_id = $3 and kind = 'blocks'
    union select $2::uuid)`,
};

/**
 * Locks the issue's board together with the boards of the issues that it blocks, for changes that may open or close it.
 * While this waits, a link to one more project may be created. In the worst case Postgres then ends one of two calls as
 * a deadlock, and the call is run again.
 * @throws Refusal archived
 */
export async function lockBoardsBlockedBy(ctx: InIssue & Writing): Promise<void> {
  const { workspace, project, issue } = ctx;
  refuseArchived(ctx, await lockBoardsIn(ctx, BLOCKED_BY, [workspace.id, project.id, issue.id]));
}

/** Locks the project's board together with the boards of all issues that its issues block. */
export const lockBoardsBlockedFrom = (ctx: InProject & Writing): Promise<Board[]> =>
  lockBoardsIn(
    ctx,
    {
      text: `array(
        select target_project_id from issue_link
        where workspace_id = $1 and source_project_id = $2 and kind = 'blocks'
          and source_project_id <> target_project_id
        union select $2::uuid)`,
    },
    [ctx.workspace.id, ctx.project.id],
  );

/** 1 if blockers open, -1 if they close. */
export type Step = 1 | -1;

// `n` contains how many blockers of each issue open or close. The version changes only if the issue becomes blocked or
// unblocked, because only that is visible.
const recount = (blockers: string) => `
  update issue i set
    open_blocker_count = i.open_blocker_count + $3 * n.blockers,
    version = i.version + (case when (i.open_blocker_count = 0) <> (i.open_blocker_count + $3 * n.blockers = 0)
                           then 1 else 0 end),
    updated_at = case when (i.open_blocker_count = 0) <> (i.open_blocker_count + $3 * n.blockers = 0)
                 then greatest(i.updated_at, $4::timestamptz) else i.updated_at end
  from (${blockers}) n
  where i.workspace_id = $1 and i.id = n.target_id
  returning i.id, (i.open_blocker_count = 0) <> (i.open_blocker_count - $3 * n.blockers = 0) as turned`;

const BY_ISSUES = {
  name: "recount_blocked",
  text: recount(`
    select l.target_id, count(*)::int as blockers from issue_link l
    where l.workspace_id = $1 and l.source_id = any($2::uuid[]) and l.kind = 'blocks' and ${COUNTS}
    group by l.target_id`),
};

/**
 * Adds or subtracts these blockers at all issues that they block. Returns the ids of issues that become blocked or
 * unblocked.
 */
export const countBlockers = (ctx: InProject & Writing, issueIds: string[], step: Step): Promise<string[]> =>
  turned(ctx, BY_ISSUES, [ctx.workspace.id, issueIds, step, ctx.now]);

/** The same for all issues of a project that block issues of other projects. */
export const countBlockersFrom = (ctx: InProject & Writing, step: Step): Promise<string[]> =>
  turned(ctx, FROM_PROJECT, [ctx.workspace.id, ctx.project.id, step, ctx.now]);

const FROM_PROJECT = {
  text: recount(`
    select l.target_id, count(*)::int as blockers from issue_link l
    join issue b on b.id = l.source_id and b.archived_at is null and b.status in (${OPEN})
    where l.workspace_id = $1 and l.source_project_id = $2 and l.kind = 'blocks'
      and l.source_project_id <> l.target_project_id
    group by l.target_id`),
};

async function turned(ctx: Writing, statement: Statement, values: unknown[]): Promise<string[]> {
  const rows = await ctx.tx.query<{ id: string; turned: boolean }>(statement, values);
  ctx.waited();
  return rows.flatMap((row) => (row.turned ? [row.id] : []));
}
