import * as agents from "./access/agents/events.ts";
import * as keys from "./access/keys/events.ts";
import * as webhooks from "./delivery/webhooks/events.ts";
import type { EventDefinition } from "./events/define-event.ts";
import * as mail from "./events/mail/events.ts";
import * as credits from "./tenancy/credits/events.ts";
import * as people from "./tenancy/invites/events.ts";
import * as workspaces from "./tenancy/workspaces/events.ts";
import * as attachments from "./work/attachments/events.ts";
import * as comments from "./work/comments/events.ts";
import * as fields from "./work/fields/events.ts";
import * as forms from "./work/forms/events.ts";
import * as issues from "./work/issues/events.ts";
import * as links from "./work/links/events.ts";
import * as planning from "./work/planning/events.ts";
import * as projects from "./work/projects/events.ts";

/** Every export of these files is an event. */
const SUBJECTS = [
  ...[workspaces, people, projects, planning, fields, issues, links, attachments, comments, forms],
  ...[agents, keys, webhooks, credits, mail],
] as const;

type Definitions<Subject> = Subject extends unknown ? Subject[keyof Subject] : never;
type Defined = Definitions<(typeof SUBJECTS)[number]>;

/** Every event that can be recorded, by name. Names are only ever added. */
export const EVENTS: readonly EventDefinition[] = SUBJECTS.flatMap<EventDefinition>((subject) =>
  Object.values(subject),
).sort((a, b) => (a.name < b.name ? -1 : 1));

export type EventType = Defined["name"];

/**
 * Names that webhooks can subscribe to before their events exist, so that a receiver can be set up for them. A name moves
 * from here to its definition.
 */
export const ANNOUNCED_EVENT_TYPES: readonly string[] = [
  ...named("goal", "created", "updated", "status_changed", "deleted"),
  ...named("key_result", "created", "updated", "deleted"),
  ...named("portfolio", "created", "updated", "deleted"),
  ...named("doc", "created", "updated", "archived", "restored"),
  ...named("doc.comment", "created", "updated", "deleted"),
  ...named("chat.message", "created", "updated", "deleted"),
  ...named("automation", "created", "updated", "deleted", "disabled", "fired"),
  ...named("automation_run", "failed"),
  ...named("workflow", "enabled", "disabled", "deleted"),
  ...named("workflow_run", "started", "stage_changed", "completed", "failed", "cancelled"),
  ...named("agent", "updated", "spend_warning", "spend_cap_reached"),
  ...named("agent_session", "created", "state_changed", "updated"),
];

function named(thing: string, ...happenings: string[]): string[] {
  return happenings.map((happening) => `${thing}.${happening}`);
}
