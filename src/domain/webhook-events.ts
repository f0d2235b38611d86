import { expand, type Scope } from "./access/identity/scopes.ts";
import { lackingScope, requireScopes } from "./access/identity/set-up-by.ts";
import { automationFired } from "./automation/actions/events.ts";
import type { WebhookEntity } from "./delivery/webhooks/entities.ts";
import type { DefinedBy } from "./delivery/webhooks/webhooks.ts";
import { ANNOUNCED_EVENT_TYPES, EVENTS } from "./event-catalogue.ts";
import type { Audience, EventDefinition } from "./events/define-event.ts";
import { scopesOfEvent } from "./events/scopes.ts";
import { type InWorkspace, otherName, type Warning } from "./kernel/context.ts";
import { refuse } from "./kernel/errors.ts";
import { own } from "./kernel/own.ts";
import { closest } from "./kernel/text.ts";

/** Which events webhooks get, and how a webhook names them. */

/**
 * A webhook is created by an admin, so `*` may include events that guests do not see. Of channels that are not public it
 * gets events only if its creator is a member. Webhooks get no events for a person or a queue.
 */
const AUDIENCES: readonly Audience[] = ["workspace", "members", "project", "channel"];

export const isForWebhooks = ({ audience }: Pick<EventDefinition, "audience">): boolean => AUDIENCES.includes(audience);

/** The events that webhooks get. */
export const WEBHOOK_EVENTS: readonly EventDefinition[] = EVENTS.filter(isForWebhooks);

const NAMES = [...WEBHOOK_EVENTS.map(({ name }) => name), ...ANNOUNCED_EVENT_TYPES];

/** Everything that `event_types` of a webhook may contain: `*`, names, and prefixes such as `issue.*`. */
export const SUBSCRIPTIONS: readonly string[] = [...new Set(["*", ...NAMES, ...NAMES.flatMap(prefixes)])].sort();

/** Names that other services use for the same thing. */
export const EVENT_ALIASES: Readonly<Record<string, string>> = {
  "issue.deleted": "issue.archived",
  "comment.added": "comment.created",
  "member.updated": "member.role_changed",
};

/**
 * The body of a webhook with its `event_types` read: each name in its own spelling, and once. Names of other services get a
 * warning.
 * @throws Refusal validation_failed
 */
export const withEventTypes = <Body extends { event_types?: string[] | undefined }>(
  { warnings }: Pick<InWorkspace, "warnings">,
  body: Body,
): Body =>
  body.event_types === undefined ? body : { ...body, event_types: readEventTypes(body.event_types, warnings) };

/**
 * The full names that `event_types` stands for; null for all.
 * @throws Refusal validation_failed
 */
function namesIn(given: readonly string[] | undefined): string[] | null {
  return namesOf(given === undefined ? ["*"] : readEventTypes(given));
}

function namesOf(types: readonly string[]): string[] | null {
  if (types.includes("*")) return null;
  return [...new Set(NAMES)].filter((name) => [name, ...prefixes(name)].some((one) => types.includes(one)));
}

/**
 * The caller's credential, for a webhook that the caller defines. A key needs the scope to read each event that the webhook
 * asks for.
 * @throws Refusal insufficient_scope
 */
export function definedBy({ principal }: Pick<InWorkspace, "principal">, eventTypes: readonly string[]): DefinedBy {
  const { key } = principal;
  if (key === null) return { key_id: null, key_scopes: null };
  for (const name of namesOf(eventTypes) ?? NAMES) requireScopes(principal, scopesFor(name), `The event ${name}`);
  return { key_id: key.id, key_scopes: [...expand(key.scopes)] };
}

/** The event types of a webhook. One that belongs to an automation or workflow gets the event that actions send. */
export const typesOf = ({ event_types, owner_id }: Pick<WebhookEntity, "event_types" | "owner_id">): string[] =>
  owner_id === null ? event_types : [...event_types, automationFired.name];

/**
 * The webhook, for a call that sends its messages or replaces its secret. A key needs the scope to read each event that the
 * webhook asks for, as if it defined the webhook.
 * @param message of this type, for a call that sends one
 * @throws Refusal insufficient_scope
 */
export function usable(
  ctx: Pick<InWorkspace, "principal">,
  hook: WebhookEntity,
  message?: { event_type: string },
): WebhookEntity {
  definedBy(ctx, typesOf(hook));
  if (message) requireScopes(ctx.principal, scopesFor(message.event_type), `The event ${message.event_type}`);
  return hook;
}

/**
 * The full names that `event_types` of a replay stands for, without those that the caller's key may not read; null for all.
 * @throws Refusal validation_failed
 */
export function readableNamesIn(
  { principal }: Pick<InWorkspace, "principal">,
  given: readonly string[] | undefined,
): string[] | null {
  const names = namesIn(given);
  const all = names ?? NAMES;
  const readable = all.filter((name) => lackingScope(principal, scopesFor(name)) === null);
  return readable.length === all.length ? names : readable;
}

const scopesFor = (name: string) => (scopesOfEvent(name) ?? []) as readonly Scope[];

function readEventTypes(given: readonly string[], warnings?: Warning[]): string[] {
  const read = given.map((text, at) => {
    const name = text.trim().toLowerCase();
    const meant = own(EVENT_ALIASES, name);
    if (meant !== undefined) warnings?.push(otherName(name, meant, `/event_types/${at}`));
    return meant ?? name;
  });
  const errors = read.flatMap((name, at) => (KNOWN.has(name) ? [] : [unknownName(name, at)]));
  if (errors.length > 0) refuse("validation_failed", { message: errors[0]!.message, errors });
  return [...new Set(read)];
}

const KNOWN = new Set(SUBSCRIPTIONS);

/** `issue.link.created` belongs to `issue.link.*` and `issue.*`. */
function prefixes(name: string): string[] {
  const words = name.split(".");
  return words.slice(0, -1).map((_, at) => `${words.slice(0, at + 1).join(".")}.*`);
}

function unknownName(name: string, at: number) {
  const meant = closest(name, [...KNOWN]);
  return {
    path: `/event_types/${at}`,
    code: "not_allowed",
    message: `${name} is not an event. ${meant ? `Did you mean ${meant}?` : "/docs lists all events."}`,
    ...(meant ? { did_you_mean: meant } : {}),
  };
}
