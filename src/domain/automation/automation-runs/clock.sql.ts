import type { ActsFor } from "../../access/identity/set-up-by.ts";
import { inMs, leasedRows } from "../../kernel/leases.sql.ts";
import type { Db } from "../../kernel/ports/ports.ts";
import { HAS_OPEN_COLUMN } from "../../work/issues/open.sql.ts";
import { IS_LIVE } from "./rules.sql.ts";

/** Automations that the clock starts: schedules, and due dates of issues. */

const LEASE_MS = 30_000;

export type DueSchedule = ActsFor & { id: string; workspace_id: string; project_id: string | null };

export const schedules = leasedRows<DueSchedule>({
  name: "automation_schedule",
  table: "automation",
  key: "id",
  lease: "due_at",
  open: "due_at is not null and enabled and deleted_at is null",
  until: inMs(LEASE_MS),
  turns: true,
  columns: "id, workspace_id, project_id, created_by, key_id, key_scopes",
});

/** The runs of an occurrence were started. The next occurrence is `$3`. */
export const scheduleStarted = schedules.ending("started", { due: "$3::timestamptz" });

export type DueWatch = { automation_id: string; workspace_id: string; checked_until: string };

/** Automations for overdue issues and for those that are due soon. A trigger of the database keeps the rows. */
export const watches = leasedRows<DueWatch>({
  table: "automation_watch",
  key: "automation_id",
  lease: "next_at",
  open: "true",
  until: inMs(LEASE_MS),
  turns: true,
  columns: "automation_id, workspace_id, checked_until",
});

/** Due dates up to `$3` are done, and the next check is at `$4`. */
export const watchChecked = watches.ending("checked", {
  set: "checked_until = greatest(checked_until, $3::timestamptz)",
  due: "$4::timestamptz",
});

/** Issues of one check. More than a workspace's automations may run for in an hour would be refused. */
const MOST = 1_000;

const REACHED = {
  name: "automation_due_dates",
  text: `
    select due.* from automation a
    join project p on p.workspace_id = a.workspace_id and p.archived_at is null
      and (a.project_id is null or p.id = a.project_id)
    cross join (select known_zone(timezone) as name from workspace where id = $1) zone
    cross join lateral (
      -- A whole day begins and ends in the workspace's zone.
      select i.id, i.due_at, starts_at(i.due_at, i.due_on, zone.name) as starts_at,
             case when $3::float8 is null then ends_at(i.due_at, i.due_on, zone.name)
                  else starts_at(i.due_at, i.due_on, zone.name) - $3::float8 * interval '1 hour' end as at
      from issue i
      where i.project_id = p.id and i.archived_at is null and ${HAS_OPEN_COLUMN}
        and coalesce(i.due_at, 'infinity') > $4::timestamptz + (coalesce($3::float8, -24) - 14) * interval '1 hour'
        and coalesce(i.due_at, 'infinity') <= $5::timestamptz + (coalesce($3::float8, 0) + 14) * interval '1 hour') due
    where a.workspace_id = $1 and a.id = $2 and ${IS_LIVE} and due.at > $4 and due.at <= $5
    order by due.at, due.id limit ${MOST}`,
};

/** An open issue, and when its due date starts an automation. */
export type Reached = { id: string; due_at: string; starts_at: string; at: string };

/**
 * Open issues whose due dates start an automation after `from` and until `to`.
 * @param hoursBefore null for issues that are overdue
 */
export const dueDatesReached = (
  db: Db,
  { workspace_id, automation_id }: DueWatch,
  hoursBefore: number | null,
  { from, to }: { from: string; to: string },
): Promise<Reached[]> => db.query<Reached>(REACHED, [workspace_id, automation_id, hoursBefore, from, to]);
