import type { InWorkspace } from "../../kernel/context.ts";
import { untilHeavy, type Weighed } from "../../kernel/paging.sql.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { EndedRunRow } from "../automation-runs/view.ts";

/** The runs of an automation that have ended, newest first. */
export function listRuns(
  { db, workspace }: InWorkspace,
  automationId: string,
  after: Cursor | null,
  limit: number,
): Promise<Weighed<EndedRunRow>[]> {
  const beyond = after ? "and (r.created_at, r.id) < ($4::timestamptz, $5::uuid)" : "";
  const text = untilHeavy(
    `select r.id, r.automation_id, r.issue_id, p.key || '-' || i.number as issue_key, r.trigger, r.event_id, r.depth,
            r.status, r.reason, r.actions_applied, r.detail, r.created_at, r.started_at, r.finished_at,
            coalesce(octet_length(r.actions_applied::text), 0) + coalesce(octet_length(r.detail), 0) as bytes
     from automation_run r left join issue i on i.id = r.issue_id left join project p on p.id = i.project_id
     where r.workspace_id = $1 and r.automation_id = $2 and r.status is not null ${beyond}
     order by r.created_at desc, r.id desc limit $3`,
    "created_at desc, id desc",
  );
  return db.query<Weighed<EndedRunRow>>({ name: `list_automation_runs${after ? "_after" : ""}`, text }, [
    workspace.id,
    automationId,
    limit,
    ...(after ?? []),
  ]);
}
