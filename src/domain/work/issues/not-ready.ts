import { CATEGORIES, isClosed } from "../../kernel/categories.ts";
import type { InProject } from "../../kernel/context.ts";
import { readBlockers } from "../links/blockers.sql.ts";
import { listPlaces } from "./list.sql.ts";
import type { ListFilter } from "./list-conditions.sql.ts";
import { readReasons, readSessions } from "./not-ready.sql.ts";
import type { Readiness } from "./ready.ts";

/** Why open issues are not ready. An issue counts once, for the first reason of this list that applies. */
export const REASONS = [
  "blocked",
  "held",
  "in_review",
  "assigned_to_others",
  "not_allowed_by_board",
  // It is ready, but another call changes it at this moment.
  "being_changed",
] as const;
export type Reason = (typeof REASONS)[number];

/** Issues that are counted, and those that are shown for each reason. */
const MAX_COUNTED = 1_000;
const EXAMPLES = 5;

const OPEN = CATEGORIES.filter((category) => !isClosed(category));

/**
 * Counts the open issues that match the filters, in all and for each reason, and shows a few with what stands in their
 * way. `more` says that there are more issues than were counted.
 */
export async function whyNotReady(ctx: InProject, filters: ListFilter[] | null, ready: Readiness) {
  const open: ListFilter = { column: "status", any: [...OPEN], none: false };
  const options = { sort: "rank", archived: false, after: null, limit: MAX_COUNTED + 1 } as const;
  const places = filters ? await listPlaces(ctx.db, ctx.workspace.id, ctx.project.id, [...filters, open], options) : [];
  const counted = places.slice(0, MAX_COUNTED).map(({ id }) => id);
  const found = new Map((await readReasons(ctx, counted, ready, EXAMPLES)).map((row) => [row.reason, row]));
  const idsOf = (reason: Reason) => found.get(reason)?.examples.map(({ id }) => id) ?? [];
  const [blockers, sessions] = [await readBlockers(ctx, idsOf("blocked")), await readSessions(ctx, idsOf("held"))];
  const example = ({ id, key, assignee_ids }: { id: string; key: string; assignee_ids: string[] }, reason: Reason) => ({
    issue_key: key,
    ...(reason === "blocked"
      ? { blocked_by: blockers.filter((row) => row.issue_id === id).map((row) => row.key) }
      : {}),
    ...(reason === "held"
      ? { held_by: sessions.filter((row) => row.issue_id === id).map(({ issue_id: _, ...holder }) => holder) }
      : {}),
    ...(reason === "assigned_to_others" ? { assignee_ids } : {}),
  });
  return {
    counts: {
      open: counted.length,
      ...Object.fromEntries(REASONS.map((reason) => [reason, found.get(reason)?.issues ?? 0])),
    },
    more: places.length > MAX_COUNTED,
    examples: Object.fromEntries(
      [...found.values()].map(({ reason, examples }) => [reason, examples.map((row) => example(row, reason))]),
    ),
  };
}
