import { type EntityName, type FilterQuery, LockMode } from "@mikro-orm/core";
import type { InProject, InWorkspace, Writing } from "./context.ts";
import { refuse } from "./errors.ts";
import type { Plan } from "./plans.ts";
import type { Statement } from "./ports/ports.ts";

/**
 * Row locks. A change first locks the rows that it will change, and then reads the values that it compares. A statement
 * that waits for a lock returns the locked row as it is after the wait, but joined rows as they were before
 * (PostgreSQL, "Read Committed Isolation Level"). So a statement here reads only the rows that it locks.
 * ARCHITECTURE.md ("Locks") has the order in which locks are taken.
 */

/** Locks the workspace, so that its members and plan do not change until the transaction ends. Returns the plan. */
export async function lockWorkspace(ctx: Writing, workspaceId: string): Promise<Plan> {
  const [row] = await ctx.tx.query<{ plan: Plan }>(
    { name: "lock_workspace", text: `select plan from workspace where id = $1 for no key update` },
    [workspaceId],
  );
  ctx.waited();
  return row!.plan;
}

type Locking = Pick<Writing, "tx" | "waited">;

export type Board = { project_id: string; archived_at: string | null };

/**
 * Locks the boards of projects: the rows that count their numbers. Every call that creates, moves or archives issues, or
 * changes more than one, locks them first. They also say when the project was archived.
 */
export const lockBoards = (ctx: Locking, projectIds: readonly string[]): Promise<Board[]> =>
  lockBoardsIn(ctx, { name: "lock_boards", text: "$1::uuid[]" }, [projectIds]);

/** @param ids SQL of an array of project ids */
export async function lockBoardsIn(ctx: Locking, ids: Statement, values: readonly unknown[]): Promise<Board[]> {
  const text = `
    select project_id, archived_at from issue_counter where project_id = any(${ids.text})
    order by project_id for update`;
  const boards = await ctx.tx.query<Board>({ ...ids, text }, values);
  ctx.waited();
  return boards;
}

/** Locks the project's board. @throws Refusal archived */
export async function lockBoard(ctx: InProject & Writing): Promise<void> {
  refuseArchived(ctx, await lockBoards(ctx, [ctx.project.id]));
}

/** The project may have been archived while this waited for its board. @throws Refusal archived */
export function refuseArchived({ project }: InProject, boards: readonly Board[]): void {
  const archived_at = boards.find(({ project_id }) => project_id === project.id)?.archived_at;
  if (archived_at) refuse("archived", { archived_at });
}

/**
 * Locks the board and then loads the object that a path names on it. A deleted object is not found, even if the project
 * was archived in the meantime.
 * @throws Refusal archived
 */
export async function onBoard<T>(
  ctx: InProject & Writing,
  load: () => Promise<T | null>,
  lock: (ctx: InProject & Writing) => Promise<Board[]> = () => lockBoards(ctx, [ctx.project.id]),
): Promise<T | null> {
  const boards = await lock(ctx);
  const found = await load();
  if (found) refuseArchived(ctx, boards);
  return found;
}

/** Locks the project's row; issues can still be created meanwhile. Returns when it was archived, or null. */
export async function lockProject(ctx: InProject & Writing): Promise<string | null> {
  const [row] = await ctx.tx.query<{ archived_at: string | null; updated_at: string }>(
    {
      name: "lock_project",
      text: `select archived_at, updated_at from project where workspace_id = $1 and id = $2 for no key update`,
    },
    [ctx.workspace.id, ctx.project.id],
  );
  ctx.waited(row!.updated_at);
  return row!.archived_at;
}

/** Locks the project's row before an object of the project changes. @throws Refusal archived */
export async function lockLiveProject(ctx: InProject & Writing): Promise<void> {
  const archived_at = await lockProject(ctx);
  if (archived_at) refuse("archived", { archived_at });
}

/** Locks a member before they are removed. Calls that assign them either finish first, or wait. */
export async function lockMember(ctx: InWorkspace & Writing, userId: string): Promise<void> {
  const text = `select 1 from member where workspace_id = $1 and user_id = $2 for update`;
  await ctx.tx.query({ text }, [ctx.workspace.id, userId]);
  ctx.waited();
}

/** Keeps a project from being archived until the transaction ends; others may do the same. @throws Refusal archived */
export async function keepLiveProject(ctx: InWorkspace & Writing, projectId: string): Promise<void> {
  const text = `select archived_at from project where workspace_id = $1 and id = $2 for share`;
  const values = [ctx.workspace.id, projectId];
  const [row] = await ctx.tx.query<{ archived_at: string | null }>({ name: "keep_project", text }, values);
  ctx.waited();
  const archived_at = row?.archived_at;
  if (archived_at) refuse("archived", { archived_at });
}

/** A principal, or a code host, which has none. */
type AnyCaller = { workspace: { id: string } };
export type LockedIssue = { id: string; archived_at: string | null; changing: boolean };

/**
 * Locks the rows of issues, in the order of their ids. `changing`: changes of very many issues may be to come for it. Use
 * `lockIssues` (domain/work/mass-changes/settle.ts), which makes these first.
 */
export async function lockIssueRows(ctx: AnyCaller & Writing, ids: readonly string[]): Promise<LockedIssue[]> {
  const [one] = ids;
  const rows = await ctx.tx.query<LockedIssue & { updated_at: string }>(ids.length === 1 ? LOCK_ISSUE : LOCK_ISSUES, [
    ctx.workspace.id,
    ids.length === 1 ? one : ids,
  ]);
  for (const { updated_at } of rows) ctx.waited(updated_at);
  return rows;
}

const lockIssuesWhere = (condition: string) => `
  select id, archived_at, updated_at,
         exists (select from mass_change m where m.project_id = i.project_id) as changing
  from only issue i where workspace_id = $1 and ${condition} for no key update of i`;
// One issue, which is most frequent, is found and locked in half the time.
const LOCK_ISSUE = { name: "lock_issue", text: lockIssuesWhere("id = $2") };
const LOCK_ISSUES = { name: "lock_issues", text: lockIssuesWhere("id = any($2::uuid[]) order by id") };

/** Locks an entity's row and then loads it; null if it was deleted. */
export async function lockEntity<T extends { updated_at: string }>(
  ctx: Writing,
  entity: EntityName<T>,
  where: FilterQuery<NoInfer<T>>,
): Promise<T | null> {
  const found = await ctx.em.findOne(entity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  ctx.waited(found?.updated_at);
  return found as T | null;
}

/** Locks what the head of a route names: the workspace (W), the project (P) or the issue (I). */
export async function lockHead(
  ctx: InProject & Writing & { readonly issue: { readonly id: string } },
  head: "W" | "P" | "I" | "none",
): Promise<void> {
  if (head === "W") await lockWorkspace(ctx, ctx.workspace.id);
  if (head === "P" || head === "I") await lockBoards(ctx, [ctx.project.id]);
  if (head === "P") await lockProject(ctx);
  if (head === "I") await lockIssueRows(ctx, [ctx.issue.id]);
}
