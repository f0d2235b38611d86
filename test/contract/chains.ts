import { isDeepStrictEqual } from "node:util";
import type { View } from "./shown.ts";

/** Checks that the events about one object are consistent: each begins with the state where the previous one ended. */

type Event = {
  type: string;
  data: View;
  changed: string[] | null;
  previous: Record<string, unknown> | null;
  created_at: string;
};

/** Fields that derive from other objects, whose own events report them, or from other fields. */
export const FOLLOWS: Record<string, string[]> = {
  issue: ["children", "counts", "status_name", "assignee_name", "assignee_kind", "parent_key", "epic_key"],
  comment: ["reply_count", "body_html"],
  project: ["issue_counts", "my_role"],
  // The default column is a field of the project.
  status: ["issue_count", "is_default"],
  milestone: ["progress"],
  sprint: ["progress"],
  release: ["progress"],
  form: ["submission_count", "accepting"],
  custom_field: ["value_count"],
  // The text has changed, and the author of the change with it.
  doc: ["word_count", "updated_by", "project_key"],
  "doc.comment": ["body_html", "reply_count"],
  "issue.link": ["target_title", "target_status", "target_type"],
  // A call that changes nothing else still says that the agent is at work. The rest follows from the time.
  agent_session: [
    ...["last_activity_at", "stalled", "unverified", "burn_rate_usd_per_hour", "existing"],
    ...["other_open_session_ids", "claimed_by"],
  ],
  goal: ["expected_progress_pct"],
  portfolio: ["goal_count", "progress_pct"],
};

/** Fields that are computed from other objects. Events report them, but they are no new version. */
const COMPUTED: Record<string, string[]> = { goal: ["progress_pct", "status"] };

const STAMPS = ["version", "updated_at", "updated_value_at", "edited_at", "demoted_sprint_id"];

/** Inconsistencies in the events about one object, oldest first. */
export function brokenLinks(events: Event[]): string[] {
  const wrong: string[] = [];
  for (const [index, event] of events.entries()) {
    const earlier = events[index - 1];
    // One change may have several events.
    if (!earlier || isDeepStrictEqual(earlier.data, event.data)) continue;
    const say = (text: string) => wrong.push(`${earlier.type}, ${event.type}: ${text}`);
    // The version of a release is a text.
    if (typeof event.data.version === "number") {
      const isSame = event.data.version === earlier.data.version && isComputed(event);
      if (event.data.version <= earlier.data.version && !isSame) say("version");
    }
    if (event.data.updated_at < earlier.data.updated_at) say("updated_at goes back");
    if (event.created_at < earlier.created_at) say("created_at goes back");
    for (const field of differences(earlier, event)) say(field);
  }
  return wrong;
}

const isComputed = ({ type, changed }: Event) =>
  changed?.every((field) => COMPUTED[kindOf(type)]?.includes(field)) ?? false;

const kindOf = (type: string) => type.slice(0, type.lastIndexOf("."));

/** Fields whose previous value, as an event states or implies, differs from the value in the event before it. */
function differences(earlier: Event, { type, data, changed, previous }: Event): string[] {
  const kind = kindOf(type);
  // The names of other events say what has changed.
  if (!changed) return [];
  const ignored = [...STAMPS, ...(FOLLOWS[kind] ?? [])];
  const before = { ...data, ...previous };
  return Object.keys(data).filter(
    (field) => !ignored.includes(field) && !isDeepStrictEqual(own(before, field), own(earlier.data, field)),
  );
}

/** A label's name is reported by the label's own events. */
const own = (view: View, field: string) =>
  field === "labels" ? view.labels.map(({ id }: { id: string }) => id) : view[field];
