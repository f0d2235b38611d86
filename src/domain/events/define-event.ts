import type { z } from "zod";
import type { EventAudit } from "./audit/define-audit.ts";

/**
 * Who may see an event. Webhooks, notifications, agent streams and automations all check it.
 * - `workspace`: all members of the workspace
 * - `members`: all members of the workspace except guests
 * - `project`: those who can see the project that the event is recorded in
 * - `channel`: those who can read the channel
 * - `person`: one person
 * - `none`: no audience; the event only starts jobs
 */
export const AUDIENCES = ["workspace", "members", "project", "channel", "person", "none"] as const;
export type Audience = (typeof AUDIENCES)[number];

export type EventDefinition<
  Name extends string = string,
  View extends z.ZodType = z.ZodType,
  To extends Audience = Audience,
> = {
  readonly name: Name;
  /** The view that REST returns. It types the payload. */
  readonly view: View;
  readonly audience: To;
  /** Fields of the view that `changed` never names. */
  readonly derived: readonly string[];
  /** How the event is audited. Null: not at all. */
  readonly audit: EventAudit | null;
};

/** The type of an event's `data`. */
export type Payload<Event extends EventDefinition> = z.output<Event["view"]>;

/**
 * Defines an event, as an exported constant of its subject. `npm run pin` lists it in `domain/defined-events.ts`.
 * @param definition.derived fields that are computed from other fields or objects, such as `updated_at` and counts. They
 * are not compared when a change is recorded.
 * @param definition.audit for changes of a workspace's administration: the audit log gets an entry with each such event
 */
export function defineEvent<const Name extends string, View extends z.ZodType, const To extends Audience>(
  name: Name,
  definition: {
    view: View;
    audience: To;
    derived?: readonly (keyof z.output<View> & string)[];
    audit?: EventAudit<keyof z.output<View> & string>;
  },
): EventDefinition<Name, View, To> {
  return { name, derived: [], audit: null, ...definition };
}
