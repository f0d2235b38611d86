import type { Background } from "../../events/background.ts";
import { workspaceOf } from "../../events/mail/recipients.sql.ts";
import type { Workspace } from "../../kernel/rows.ts";
import { readIssues } from "../../work/issues/of-projects.sql.ts";
import { type IssueView, labelsOf, viewOf } from "../../work/issues/view.ts";
import { type Facts, factsOf } from "../conditions/facts.ts";
import type { Happened } from "./happened.ts";

/** What an event is about: the facts that conditions compare. */
export type Subject = { issueId: string | null; issue: IssueView | null; facts: Facts };

/** The issue of an event. Answers to forms, sessions and runs of workflows name theirs in the data. */
export function issueIdOf({ issue_id, type, data }: Happened): string | null {
  const named = type === "form.submitted" ? data.created_issue_id : data.issue_id;
  return issue_id ?? (typeof named === "string" ? named : null);
}

/**
 * What an event is about. Events of an issue have all that conditions compare, as it was then; for comments, answers to
 * forms and other events about an issue, the issue is read.
 */
export async function subjectOf(ctx: Background, workspaceId: string, event: Happened): Promise<Subject> {
  const issueId = issueIdOf(event);
  if (issueId === null) return { issueId, issue: null, facts: factsWithoutIssue(event) };
  const whole = event.type.startsWith("issue.") && !event.truncated;
  const issue = whole
    ? (event.data as IssueView)
    : ((await readViews(ctx, workspaceId, [issueId])).get(issueId) ?? null);
  const facts = issue === null ? factsWithoutIssue(event) : factsOf(issue, event);
  return { issueId: issue === null ? null : issueId, issue, facts };
}

/** Issues as they are shown now. */
export async function readViews(
  ctx: Background,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, IssueView>> {
  if (ids.length === 0) return new Map();
  const workspace: Workspace = await workspaceOf(ctx.db, workspaceId);
  const rows = await readIssues({ ...ctx, workspace } as Parameters<typeof readIssues>[0], [...ids]);
  return new Map(
    rows.map(({ project_key: key, project_slug: slug, ...row }) => [
      row.id,
      viewOf({ settings: ctx.settings, workspace, project: { key, slug } }, row, labelsOf(row)),
    ]),
  );
}

/** The facts of an event about a sprint, milestone or release. */
function factsWithoutIssue({ type, data, project_id, actor_kind, actor_id }: Happened): Facts {
  const text = (value: unknown) => (typeof value === "string" ? [value] : []);
  const kind = type.slice(0, type.indexOf("."));
  const planned = ["sprint", "milestone", "release"].includes(kind) ? { [kind]: text(data.id) } : {};
  return {
    named: {
      ...{ project: text(project_id), title: text(data.name), actor_kind: [actor_kind], actor_id: text(actor_id) },
      ...planned,
    },
    custom: {},
    changed: () => false,
  };
}
