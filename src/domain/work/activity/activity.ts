import { z } from "zod";
import type { InIssue } from "../../access/identity/issue-row.ts";
import { view } from "../../kernel/described.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutActivity } from "../issues/descriptions.ts";
import { listActivity } from "./activity.sql.ts";

export const ActivityView = view("Activity", aboutActivity, {
  id,
  kind: z.string(),
  actor_id: id.nullable(),
  payload: z.record(z.string(), z.unknown()),
  created_at: timestamp,
  actor_name: z.string().nullable(),
  actor_kind: z.string(),
});

/** An issue's history, newest first. */
export async function listPage(ctx: InIssue, paging: Paging) {
  const rows = await listActivity(ctx.db, ctx.workspace.id, ctx.issue.id, paging.after, paging.limit + 1);
  return pageOf(rows, paging, (row) => [row.id]);
}
