import type { EventDefinition } from "../../domain/events/define-event.ts";
import { type Json, referTo, type Schemas } from "./schemas.ts";

/** The `webhooks` section of OpenAPI 3.1: each event as the request that an endpoint receives. */
export function describeWebhooks(events: readonly EventDefinition[], schemas: Schemas): Json {
  return Object.fromEntries(events.map((event) => [event.name, { post: requestOf(event, schemas) }]));
}

function requestOf(event: EventDefinition, schemas: Schemas): Json {
  const { name } = event;
  const { data, message } = schemas.ofEvent(event);
  return {
    operationId: operationIdOf(name),
    tags: ["webhooks"],
    summary: summaryOf(name),
    description: `Sent to webhooks whose \`event_types\` have ${subscriptionsTo(name).join(" or ")}.`,
    security: [],
    parameters: Object.keys(deliveryHeaders).map((header) => ({ $ref: `#/components/parameters/${header}` })),
    requestBody: {
      required: true,
      content: { "application/json": { schema: messageOf(name, data), example: exampleOf(event, message) } },
    },
    responses: {
      "2XX": { description: "Any of these within 15 seconds: the message is delivered." },
      410: { description: "The webhook is disabled." },
      default: { description: "The message is sent again later." },
    },
  };
}

const messageOf = (name: string, data: Json): Json => ({
  allOf: [
    referTo("WebhookMessage"),
    { type: "object", required: ["type", "data"], properties: { type: { const: name }, data } },
  ],
});

function exampleOf({ name }: EventDefinition, message: Json): Json {
  const { previous: _, changed: __, truncated: ___, ...plain } = message;
  const sequence = name === "webhook.test" ? null : message.sequence;
  return { ...plain, sequence, ...changeIn(name, message.data as Json) };
}

/** Example values of `previous` and `changed`: of the field that the event is named after, or of the name. */
function changeIn(name: string, data: Json): Json {
  const change = /\.(?:(\w+)_changed|updated)$/.exec(name);
  if (!change) return {};
  const field = change[1] ?? ["title", "name", "body_md"].find((candidate) => candidate in data)!;
  return { previous: { [field]: OLD[field] ?? `${data[field]} (old)` }, changed: [field] };
}

const OLD: Record<string, string> = { status: "in_progress", priority: "low", role: "viewer" };

/** `issue.status_changed` → `onIssueStatusChanged` */
const operationIdOf = (name: string) =>
  `on${name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

/** `issue.status_changed` → `Issue status changed` */
const summaryOf = (name: string) => name[0]!.toUpperCase() + name.slice(1).replaceAll(/[._]/g, " ");

/** `issue.link.created` → itself, `issue.link.*`, `issue.*` and `*` */
function subscriptionsTo(name: string): string[] {
  const words = name.split(".");
  const prefixes = words.slice(1).map((_, at) => `${words.slice(0, words.length - 1 - at).join(".")}.*`);
  return [name, ...prefixes, "*"].map((subscription) => `\`${subscription}\``);
}

const header = (name: string, description: string, schema: Json, example: unknown): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema,
  example,
});

/** Headers of every message, as in Standard Webhooks. */
export const deliveryHeaders: Record<string, Json> = {
  WebhookId: header("webhook-id", "Id of the event.", { type: "string" }, "0198c2a4-2a30-7c13-8c03-5f1d2b6c7a03"),
  WebhookTimestamp: header(
    "webhook-timestamp",
    "When it was sent, in seconds since 1970.",
    { type: "integer" },
    1767323045,
  ),
  WebhookSignature: header(
    "webhook-signature",
    "Signatures as Standard Webhooks has them, separated by spaces. Accept the message if one of them is valid.",
    { type: "string" },
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
  WebhookEvent: header("x-webhook-event", "Name of the event.", { type: "string" }, "issue.created"),
  WebhookAttempt: header("x-webhook-attempt", "Counts the attempts, from 1.", { type: "integer" }, 1),
};
