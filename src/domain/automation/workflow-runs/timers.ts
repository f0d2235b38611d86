import { startOfDayIn } from "../../kernel/locale.ts";
import { own } from "../../kernel/own.ts";
import { isDay, readInstant } from "../../kernel/wire.ts";
import type { FullIssue } from "../../work/issues/change.sql.ts";
import { customFieldOf } from "../conditions/fields.ts";
import type { Ending } from "../workflows/machine.ts";
import { wordOf } from "../workflows/machine.ts";
import type { FlowNode } from "./rows.ts";

/** When stages end by themselves. */

const MINUTE_MS = 60_000;

const after = (instant: string, minutes: number): string =>
  new Date(Date.parse(instant) + minutes * MINUTE_MS).toISOString();

/** The issue whose times stages wait for. Its days begin in the workspace's zone. */
type Timed = { issue: FullIssue; timezone: string };

/** The time that a stage waits for: after some minutes, or in a field of the issue. Null if it waits for no time. */
function waitsUntil({ kind, config }: FlowNode, activatedAt: string, timed: Timed): string | null {
  if (kind !== "wait") return null;
  if (config.minutes) return after(activatedAt, config.minutes);
  return config.until_field ? timeIn(timed, config.until_field) : null;
}

function timeIn({ issue, timezone }: Timed, field: string): string | null {
  const begins = (day: string) => startOfDayIn(day, timezone);
  if (field === "due_at") return issue.due_on === null ? issue.due_at : begins(issue.due_on);
  if (field === "start_at") return issue.start_on === null ? issue.start_at : begins(issue.start_on);
  const value = own(issue.custom_fields, customFieldOf(field) ?? field);
  if (typeof value !== "string") return null;
  return isDay(value) ? begins(value) : readInstant(value);
}

/** The next time at which a stage has to be looked at, by its timer or its time-out. */
export function dueOf(node: FlowNode, activatedAt: string, timed: Timed): string | null {
  const { timeout_minutes: timeout } = node.config;
  const times = [waitsUntil(node, activatedAt, timed), timeout ? after(activatedAt, timeout) : null];
  return times.filter((time) => time !== null).sort()[0] ?? null;
}

/** How a stage ends at this time. Null if it does not. */
export function endingAt(node: FlowNode, activatedAt: string, timed: Timed, now: string): Ending | null {
  const until = waitsUntil(node, activatedAt, timed);
  if (until !== null && until <= now) return "success";
  const { timeout_minutes: timeout, on_timeout } = node.config;
  if (!timeout || after(activatedAt, timeout) > now) return null;
  if (node.kind !== "approval" || node.out.some((edge) => wordOf(edge.branch_label, node.kind) === "timeout")) {
    return "timeout";
  }
  return on_timeout === "approve" ? "approved" : on_timeout === "fail" ? "timeout" : "rejected";
}
