import { SUBSCRIPTIONS, WEBHOOK_EVENTS } from "../../domain/webhook-events.ts";
import type { Operation } from "../engine/operation.ts";
import { componentsOf } from "./components.ts";
import { describeOperation, tagOf } from "./describe.ts";
import { type Json, schemasOf } from "./schemas.ts";
import { TAGS } from "./tags.ts";
import { API_VERSION } from "./version.ts";
import { deliveryHeaders, describeWebhooks } from "./webhooks.ts";

const INTRODUCTION = `
**Keys.** Send \`Authorization: Bearer <key>\` or \`X-Api-Key: <key>\`. A key belongs to one workspace and acts as the
user who made it: what it may do is what both its scopes and that user's role allow. Programs may instead be approved
by a person over OAuth 2.1 and send their access token in the same place; \`/auth.md\` says how.

**Replies.** One object is \`{"data": {…}}\`; a list is \`{"data": […], "pagination": {"next_cursor": …}}\`. New fields
may be added at any time. Times are RFC 3339 in UTC. Every path also answers under \`/api\`.

**Refusals** are \`application/problem+json\` (RFC 9457) with a stable \`code\`; unknown fields and parameters are
refused, unless \`Prefer: handling=lenient\` asks for a warning instead.

**Retries.** Writes take an \`Idempotency-Key\`: the same key with the same body gets the first reply again.

**Limits.** A key has a number of units per minute; the headers \`RateLimit\` and \`X-RateLimit-*\` show how many are left.
A call costs one unit. A bulk call costs one more for every ten items begun. A body costs one more for every 64 KiB begun
after the first, but never more than half of the limit; a member of an object counts as 64 bytes. Exporting a doc costs
more, by its length. A body has at most 1 MiB, 50,000 values, 20,000 members of objects and 64 levels.
`.trim();

/** The API as OpenAPI 3.1, derived from the registry alone. `baseUrl` has no trailing slash. */
export function openApiDocument(operations: readonly Operation[], baseUrl: string): Json {
  const schemas = schemasOf(operations, WEBHOOK_EVENTS);
  const { EventSubscription, ...components } = schemas.components;
  return {
    openapi: "3.1.0",
    info: {
      title: "Muster",
      version: API_VERSION,
      summary: "Workspace project management for people and software agents.",
      description: INTRODUCTION,
      license: { name: "All rights reserved" },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map(tagOf))].map((name) => ({ name, description: TAGS[name] })),
    security: [{ bearer: [] }, { apiKey: [] }, { oauth2: [] }],
    paths: pathsOf(operations, (operation) => describeOperation(operation, schemas.of(operation))),
    webhooks: describeWebhooks(WEBHOOK_EVENTS, schemas),
    components: componentsOf(
      { ...components, EventSubscription: openEnum(EventSubscription!, SUBSCRIPTIONS) },
      deliveryHeaders,
      baseUrl,
    ),
  };
}

function pathsOf(operations: readonly Operation[], describe: (operation: Operation) => Json): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    paths[operation.path]![operation.method.toLowerCase()] = describe(operation);
  }
  return paths;
}

/** A text with its known values. `anyOf` keeps the enum open, so that generated clients accept values added later. */
const openEnum = ({ description, ...schema }: Json, known: readonly string[]): Json => ({
  description,
  anyOf: [{ ...schema, enum: known }, schema],
});
