import { own } from "../../kernel/own.ts";
import { readInstant } from "../../kernel/wire.ts";
import type { FullIssue } from "../../work/issues/change.sql.ts";
import { customFieldOf } from "../conditions/fields.ts";
import type { Ending } from "../workflows/machine.ts";
import { wordOf } from "../workflows/machine.ts";
import type { FlowNode } from "./rows.ts";

/** When stages end by themselves. */

const MINUTE_MS = 60_000;

const after = (instant: string, minutes: number): string =>
  new Date(Date.parse(instant) + minutes * MINUTE_MS).toISOString();

/** The time that a stage waits for: after some minutes, or in a field of the issue. Null if it waits for no time. */
function waitsUntil({ kind, config }: FlowNode, activatedAt: string, issue: FullIssue): string | null {
  if (kind !== "wait") return null;
  if (config.minutes) return after(activatedAt, config.minutes);
  return config.until_field ? timeIn(issue, config.until_field) : null;
}

function timeIn(issue: FullIssue, field: string): string | null {
  if (field === "due_at" || field === "start_at") return issue[field];
  const value = own(issue.custom_fields, customFieldOf(field) ?? field);
  return typeof value === "string" ? readInstant(value) : null;
}

/** The next time at which a stage has to be looked at, by its timer or its time-out. */
export function dueOf(node: FlowNode, activatedAt: string, issue: FullIssue): string | null {
  const { timeout_minutes: timeout } = node.config;
  const times = [waitsUntil(node, activatedAt, issue), timeout ? after(activatedAt, timeout) : null];
  return times.filter((time) => time !== null).sort()[0] ?? null;
}

/** How a stage ends at this time. Null if it does not. */
export function endingAt(node: FlowNode, activatedAt: string, issue: FullIssue, now: string): Ending | null {
  const until = waitsUntil(node, activatedAt, issue);
  if (until !== null && until <= now) return "success";
  const { timeout_minutes: timeout, on_timeout } = node.config;
  if (!timeout || after(activatedAt, timeout) > now) return null;
  if (node.kind !== "approval" || node.out.some((edge) => wordOf(edge.branch_label, node.kind) === "timeout")) {
    return "timeout";
  }
  return on_timeout === "approve" ? "approved" : on_timeout === "fail" ? "timeout" : "rejected";
}
