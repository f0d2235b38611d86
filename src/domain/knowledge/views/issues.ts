import { createHash } from "node:crypto";
import type { InWorkspace } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { labelsIn } from "../../work/issues/labels.sql.ts";
import { ORDERS } from "../../work/issues/orders.ts";
import { viewOf } from "../../work/issues/view.ts";
import { issuesOf } from "./issues.sql.ts";
import type { ViewFilter } from "./view.ts";
import { liveProjects, type WorkspaceViewRow } from "./views.sql.ts";

/**
 * Returns a page of the issues that a view shows, from the live projects that the caller sees.
 * @throws Refusal cursor_mismatch if the view's filter has changed since the last page
 */
export async function listIssues(ctx: InWorkspace, { filter }: Pick<WorkspaceViewRow, "filter">, paging: Paging) {
  const mark = markOf(filter);
  const { limit } = paging;
  if (paging.after && paging.after[2] !== mark) refuse("cursor_mismatch", { parameter: "cursor" });
  const projects = await liveProjects(ctx, filter.projectIds.length === 0 ? null : filter.projectIds);
  const order = ORDERS[filter.sort];
  const assigneeId = filter.assigneeId === "me" ? ctx.principal.user_id : filter.assigneeId;
  const ids = projects.map(({ id }) => id);
  const rows = await issuesOf(ctx, ids, { ...filter, assigneeId }, { order, after: paging.after, limit: limit + 1 });
  const labels = await labelsIn(ctx.db, ctx.workspace.id, rows);
  const byId = new Map(projects.map((project) => [project.id, project]));
  const page = pageOf(rows, paging, (row) => [order.of(row), row.id, mark]);
  return {
    ...page,
    rows: page.rows.map((row) =>
      viewOf(
        { ...ctx, project: byId.get(row.project_id)! },
        row,
        row.label_ids.flatMap((id) => labels.get(id) ?? []),
      ),
    ),
  };
}

const markOf = (filter: ViewFilter): string =>
  createHash("sha256")
    .update(JSON.stringify(Object.entries(filter).sort()))
    .digest("base64url")
    .slice(0, 8);
