import type { z } from "zod";
import type { Cursor } from "../../kernel/paging.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import type { ActivityView } from "./activity.ts";

/** Returns a page of an issue's history, sorted by id, which is in the order of time. */
export function listActivity(db: Db, workspaceId: string, issueId: string, after: Cursor | null, limit: number) {
  return db.query<z.input<typeof ActivityView>>(
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
