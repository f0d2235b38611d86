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

const payloadFields = {
  field: z.string().nullable(),
  from: z.unknown(),
  to: z.unknown(),
  from_name: z.string().nullable(),
  to_name: z.string().nullable(),
  cause: part(aboutActivityCause, causeFields),
};

export const ActivityView = view("Activity", aboutActivity, {
  id,
  kind: z.string(),
  actor_id: id.nullable(),
  payload: part(aboutActivityPayload, payloadFields).catchall(z.unknown()),
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

/** What each line has, also one that changes no field, such as that of a comment. */
const NOTHING = { field: null, from: null, to: null, from_name: null, to_name: null };

/** Rows store only the values and causes that there were. Replies have all of them, and no causes for loops. */
export const activityView = ({ payload, ...row }: ActivityRow): z.output<typeof ActivityView> => ({
  ...row,
  payload: {
    ...NOTHING,
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
