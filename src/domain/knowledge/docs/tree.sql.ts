import type { InWorkspace, Writing } from "../../kernel/context.ts";

/** The links between docs and their parents. All of them are within one project, or outside of all projects. */

/**
 * Locks the trees of these projects; `null` is the tree of the workspace's own docs. Every call that gives a doc a parent
 * or another project locks them first, so that two calls together cannot make a cycle or too many levels. Changes of
 * texts do not.
 */
export async function lockTrees(ctx: InWorkspace & Writing, projectIds: readonly (string | null)[]): Promise<void> {
  const trees = [...new Set(projectIds.map((id) => id ?? ctx.workspace.id))].sort();
  // The planner would be free to call a function of a sorted list in another order, so each lock is its own statement.
  for (const tree of trees) {
    await ctx.tx.query(
      { name: "lock_doc_tree", text: `select pg_advisory_xact_lock(hashtextextended('docs of ' || $1, 0))` },
      [tree],
    );
  }
  ctx.waited();
}

/** A doc's ancestors from its parent to the top, for each of these docs. */
export async function ancestorsOf(ctx: InWorkspace, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await ctx.db.query<{ of: string; above: string[] }>(
    {
      name: "doc_ancestors",
      text: `
        with recursive up as (
          select id as of, id, parent_id, parent_branch, 0 as step from doc
          where workspace_id = $1 and id = any($2::uuid[])
          union all
          select up.of, d.id, d.parent_id, d.parent_branch, up.step + 1
          from up join doc d on d.id = up.parent_id and d.branch = up.parent_branch where up.step < 50
        )
        select of, array_agg(id order by step) filter (where step > 0) as above from up group by of`,
    },
    [ctx.workspace.id, ids],
  );
  return new Map(rows.map(({ of, above }) => [of, above ?? []]));
}

/** Number of levels from a doc down to its lowest descendant, including itself. Stops counting above `max`. */
export async function heightOf(ctx: InWorkspace, id: string, max: number): Promise<number> {
  const [row] = await ctx.db.query<{ height: number }>(
    {
      name: "doc_height",
      text: `
        with recursive down as (
          select id, branch, 1 as level from doc where workspace_id = $1 and id = $2
          union all
          select d.id, d.branch, down.level + 1
          from down join doc d on d.parent_id = down.id and d.parent_branch = down.branch
          where down.level <= $3
        )
        select coalesce(max(level), 1)::int as height from down`,
    },
    [ctx.workspace.id, id, max],
  );
  return row!.height;
}
