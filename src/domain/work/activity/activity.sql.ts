import type { ActorKind, Cause } from "../../kernel/context.ts";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";

/** A line of history as it is stored. */
export type ActivityRow = {
  id: string;
  kind: string;
  actor_id: string | null;
  actor_kind: ActorKind;
  actor_name: string | null;
  payload: Record<string, unknown> & { cause?: Cause };
  created_at: string;
};

/** Returns a page of an issue's history, sorted by id, which is in the order of time. */
export function listActivity(db: Db, workspaceId: string, issueId: string, after: Cursor | null, limit: number) {
  return db.query<ActivityRow>(
    {
      name: after ? "list_activity_after" : "list_activity",
      text: `
        select id, kind, actor_id, actor_kind, actor_name, payload, created_at from activity
        where workspace_id = $1 and issue_id = $2 ${after ? "and id < $4::uuid" : ""}
        order by id desc limit $3`,
    },
    [workspaceId, issueId, limit, ...(after ?? [])],
  );
}
