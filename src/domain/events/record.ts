import type { Actor, Cause, Ctx, Recording } from "../kernel/context.ts";
import { type Difference, differenceOf } from "../kernel/difference.ts";
import { newId } from "../kernel/ids.ts";
import type { ActivityLine, Recorded } from "../kernel/recorded.ts";
import { auditEvent } from "./audit/audit.ts";
import type { EventDefinition, Payload } from "./define-event.ts";

/** A channel, for events of its messages. */
export type ChannelOfEvent = { readonly id: string; readonly kind: string; readonly project_id: string | null };

/**
 * The workspace of an event, and its project or channel. The project is null for an event about several projects, which
 * must not reach readers who can see only one of them.
 */
type Place<Event extends EventDefinition> = { readonly workspace: { readonly id: string } } & (Event extends {
  audience: "project";
}
  ? { readonly project: { readonly id: string | null } }
  : Event extends { audience: "channel" }
    ? { readonly channel: ChannelOfEvent }
    : unknown);

/** What else is recorded with an event. */
export type About = {
  /** The issue that the event is about, or belongs to. */
  issue_id?: string;
  /**
   * The only person who may see the event, because its object is private. The event then reaches no webhook and no
   * other reader, whatever its audience.
   */
  person_id?: string | null;
  /** For reactions only; never sent to receivers. */
  context?: Record<string, unknown>;
  /** Lines of the issue's history. */
  activity?: ActivityLine[];
};

/** An event as it is stored. */
export function eventFor<Event extends EventDefinition>(
  place: Place<Event>,
  { name, audience }: Event,
  data: Payload<Event>,
  {
    issue_id = null,
    person_id = null,
    previous = null,
    changed = null,
    context = null,
    activity = [],
  }: Partial<Recorded> = {},
): Recorded {
  const { workspace, project, channel } = place as Place<EventDefinition> & AnyPlace;
  const ofChannel = audience === "channel" ? (channel ?? null) : null;
  const project_id = audience === "project" ? (project?.id ?? null) : (ofChannel?.project_id ?? null);
  // A public channel is read by everybody who sees its project or workspace.
  const channel_id = ofChannel && ofChannel.kind !== "public" ? ofChannel.id : null;
  const where = { workspace_id: workspace.id, project_id, issue_id, person_id, channel_id };
  return { id: newId(), type: name, ...where, data, previous, changed, context, activity };
}

type AnyPlace = { project?: { id: string | null }; channel?: ChannelOfEvent };

/**
 * Records that something happened. The event commits with the transaction, and the relay takes it from there.
 * @param data the object as REST returns it
 */
export function record<Event extends EventDefinition>(
  ctx: Recording & Place<Event>,
  event: Event,
  data: Payload<Event>,
  about: About = {},
): void {
  add(ctx, event, eventFor<Event>(ctx, event, data, about));
}

/**
 * Records a change with `previous` and `changed`. The fields of `before` are compared, except those that the event's
 * definition names as derived. Callers return early when nothing changed: this always records.
 * @param before the object as it was, or only those fields that the change can have changed
 * @param about.unseen changed fields that neither view shows
 */
export function recordChange<Event extends EventDefinition, Field extends keyof Payload<Event>>(
  ctx: Recording & Place<Event>,
  event: Event,
  before: Pick<Payload<Event>, Field>,
  after: Payload<Event>,
  { unseen = [], ...about }: About & { unseen?: readonly string[] } = {},
): void {
  const { previous, changed } = differenceOf(before, after as object, event.derived);
  const difference = { previous, changed: [...new Set([...changed, ...unseen])] };
  recordDifference(ctx, event, after, difference, about);
}

/** Records a change whose difference was compared before, because several events share it. */
export function recordDifference<Event extends EventDefinition>(
  ctx: Recording & Place<Event>,
  event: Event,
  after: Payload<Event>,
  difference: Difference,
  about: About = {},
): void {
  add(ctx, event, eventFor<Event>(ctx, event, after, { ...about, ...difference }));
}

function add(ctx: Recording, event: EventDefinition, recorded: Recorded): void {
  ctx.eventIds.push(recorded.id);
  ctx.recorded.push(recorded);
  auditEvent(ctx, event, recorded);
}

/** The actor and the cause of a change, as rows of events and history store them. */
export function authorship(ctx: Ctx): { actor: Actor; cause: Cause } {
  return { actor: ctx.actor, cause: ctx.cause };
}
