import { writeRecorded } from "../../events/events.sql.ts";
import type { InWorkspace, Writing } from "../../kernel/context.ts";
import { recordComparedIssue } from "./history.ts";
import { readIssues } from "./of-projects.sql.ts";
import { unassignBatch } from "./unassign.sql.ts";

/** Number of issues that are changed and recorded at a time. One may contain 64 kB of text. */
const BATCH_SIZE = 200;

/**
 * Unassigns a user from all open issues of the workspace. Closed issues keep their assignees, who did the work. The
 * caller has locked the boards.
 */
export async function unassignOpenIssues(
  ctx: InWorkspace & Writing,
  person: { user_id: string; name: string | null },
): Promise<void> {
  const names = new Map([[person.user_id, person.name]]);
  const earlier = ctx.recorded.length;
  for (;;) {
    const assigned = await unassignBatch(ctx, person.user_id, BATCH_SIZE);
    if (assigned.size === 0) return;
    for (const { project_key: key, project_slug: slug, ...issue } of await readIssues(ctx, [...assigned.keys()])) {
      const before = { ...issue, assignee_ids: assigned.get(issue.id)! };
      recordComparedIssue({ ...ctx, project: { key, slug } }, before, issue, names);
    }
    // Each batch is stored at once, so that memory never contains more than one.
    await writeRecorded(ctx, ctx.recorded.splice(earlier));
  }
}
