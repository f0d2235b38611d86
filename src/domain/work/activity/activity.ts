import { z } from "zod";
import type { InIssue } from "../../access/identity/issue-row.ts";
import { ACTOR_KINDS } from "../../kernel/context.ts";
import { part, view } from "../../kernel/described.ts";
import { type Paging, pageOf } from "../../kernel/paging.ts";
import { id, timestamp } from "../../kernel/wire.ts";
import { aboutActivity, aboutActivityCause, aboutActivityPayload } from "../issues/descriptions.ts";
import { type ActivityRow, listActivity } from "./activity.sql.ts";

const causeFields = {
  key_id: id.nullable(),
  session_id: id.nullable(),
  automation_id: id.nullable(),
  workflow_run_id: id.nullable(),
  request_id: z.string().nullable(),
};

export const ActivityView = view("Activity", aboutActivity, {
  id,
  kind: z.string(),
  actor_id: id.nullable(),
  payload: part(aboutActivityPayload, { cause: part(aboutActivityCause, causeFields) }).catchall(z.unknown()),
  created_at: timestamp,
  actor_name: z.string().nullable(),
  actor_kind: z.enum(ACTOR_KINDS),
});

/** An issue's history, newest first. */
export async function listPage(ctx: InIssue, paging: Paging) {
  const rows = await listActivity(ctx.db, ctx.workspace.id, ctx.issue.id, paging.after, paging.limit + 1);
  const page = pageOf(rows, paging, (row) => [row.id]);
  return { ...page, rows: page.rows.map(activityView) };
}

/** Rows store only the causes that there were. Replies have all of them, and none of those for loops. */
export const activityView = ({ payload, ...row }: ActivityRow): z.output<typeof ActivityView> => ({
  ...row,
  payload: {
    ...payload,
    cause: {
      key_id: payload.cause?.key_id ?? null,
      session_id: payload.cause?.session_id ?? null,
      automation_id: payload.cause?.automation_id ?? null,
      workflow_run_id: payload.cause?.workflow_run_id ?? null,
      request_id: payload.cause?.request_id ?? null,
    },
  },
});
