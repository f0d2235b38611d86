import { projectList } from "../../access/identity/access.sql.ts";
import { type ProjectList, projectOf } from "../../access/identity/access-rows.ts";
import {
  type InIssue,
  type IssueRow,
  issueColumns,
  issueJoins,
  type LabelRow,
  labelsJson,
} from "../../access/identity/issue-row.ts";
import { visibility, visible } from "../../access/identity/visible.sql.ts";
import { seesProject } from "../../kernel/belongs.ts";
import type { InWorkspace } from "../../kernel/context.ts";
import { type LinkOf, MAX_TARGETS } from "./targets.ts";

/** Reads the issues that actions change. */

const READ = {
  name: "action_issue",
  text: `
    select ${issueColumns}, ${labelsJson}, ${projectList} as project
    from issue i ${issueJoins}
    join project p on p.id = i.project_id
    left join board_status ds on ds.id = p.default_status_id and ds.deleted_at is null
    left join project_member pm on pm.project_id = p.id and pm.user_id = $3
    where i.workspace_id = $1 and i.id = $2`,
};

/** An issue and its project. Null if the person for whom the action runs cannot see it. */
export async function readVisible(
  ctx: InWorkspace,
  issueId: string,
): Promise<Pick<InIssue, "project" | "issue"> | null> {
  const [row] = await ctx.db.query<IssueRow & { labels: LabelRow[] | null; project: ProjectList }>(READ, [
    ctx.workspace.id,
    issueId,
    ctx.principal.user_id,
  ]);
  if (!row) return null;
  const { project: list, ...issue } = row;
  const project = projectOf(list);
  return seesProject(ctx.principal, project) ? { project, issue } : null;
}

const seen = (which: string) => `
  select i.id from issue i join project p on p.id = i.project_id
  where i.workspace_id = $1 and i.archived_at is null and p.archived_at is null and ${visible(3)} and ${which}
  order by i.id limit ${MAX_TARGETS}`;

const FAMILY = {
  parent: {
    name: "action_parent",
    text: seen("i.id = (select parent_id from issue where workspace_id = $1 and id = $2)"),
  },
  children: { name: "action_children", text: seen("i.parent_id = $2") },
};

const LINKED = {
  name: "action_linked",
  text: seen(`i.id in (
    select target_id from issue_link
    where workspace_id = $1 and source_id = $2 and kind = $7 and $8 in ('out', 'both')
    union all
    select source_id from issue_link
    where workspace_id = $1 and target_id = $2 and kind = $7 and $8 in ('in', 'both'))`),
};

/** Live relatives of an issue that the person sees. */
export const readFamily = (ctx: InWorkspace, issueId: string, which: keyof typeof FAMILY): Promise<string[]> =>
  idsOf(ctx, FAMILY[which], issueId, []);

/** Live issues that are linked to an issue and that the person sees. */
export const readLinked = (ctx: InWorkspace, issueId: string, { kind, direction }: LinkOf): Promise<string[]> =>
  idsOf(ctx, LINKED, issueId, [kind, direction]);

async function idsOf(ctx: InWorkspace, statement: typeof LINKED, issueId: string, more: unknown[]): Promise<string[]> {
  const values = [ctx.workspace.id, issueId, ...visibility(ctx.principal), ...more];
  const rows = await ctx.db.query<{ id: string }>(statement, values);
  return rows.map(({ id }) => id);
}
