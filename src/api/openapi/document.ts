import { SUBSCRIPTIONS, WEBHOOK_EVENTS } from "../../domain/webhook-events.ts";
import { ALIASES } from "../engine/normalise.ts";
import type { Operation } from "../engine/operation.ts";
import { componentsOf } from "./components.ts";
import { describeOperation, tagOf } from "./describe.ts";
import { bulkRows } from "./replies.ts";
import { type Json, schemasOf } from "./schemas.ts";
import { chapters, TAGS } from "./tags.ts";
import { API_VERSION, LICENSE } from "./version.ts";
import { deliveryHeaders, describeWebhooks } from "./webhooks.ts";

const INTRODUCTION = `
**Keys.** Send \`Authorization: Bearer <key>\` or \`X-Api-Key: <key>\`. A key belongs to one workspace and acts as the
user who made it: what it may do is what both its scopes and that user's role allow. Programs may instead be approved
by a person over OAuth 2.1 and send their access token in the same place; \`/auth.md\` says how.

**Replies.** One object is \`{"data": {…}}\`; a list is \`{"data": […], "pagination": {"next_cursor": …}}\`. New fields
may be added at any time. Times are RFC 3339 in UTC. Every path also answers under \`/api\`.

**Refusals** are \`application/problem+json\` (RFC 9457) with a stable \`code\`; unknown fields and parameters are
refused, unless \`Prefer: handling=lenient\` asks for a warning instead. Other names of a few fields are taken with the
warning \`other_name\`: ${Object.entries(ALIASES)
  .map(([name, meant]) => `\`${name}\` for \`${meant}\``)
  .join(", ")}.

**Retries.** Writes take an \`Idempotency-Key\`: the same key with the same body gets the first reply again.

**Changes.** Programs that work go on working; \`/changelog.md\` lists what was added. Replies of deprecated operations
have the header \`Deprecation\`, and \`Sunset\` if they will go.

**Extensions.** \`x-required-scope\` is the scope that a call needs, and \`x-tagGroups\` puts the groups of operations into
chapters.

**Limits.** A key has a number of units per minute; the headers \`RateLimit\` and \`X-RateLimit-*\` show how many are left.
A call costs one unit. A bulk call costs one more for every ten items begun. A body costs one more for every 64 KiB begun
after the first, but never more than half of the limit; a member of an object counts as 64 bytes. Exporting a doc costs
more, by its length. A body has at most 1 MiB, 50,000 values, 20,000 members of objects and 64 levels.
`.trim();

/** The API as OpenAPI 3.1, derived from the registry alone. `baseUrl` has no trailing slash. */
export function openApiDocument(operations: readonly Operation[], baseUrl: string): Json {
  const schemas = schemasOf(operations, WEBHOOK_EVENTS);
  const { EventSubscription, ...components } = schemas.components;
  const tags = [...new Set(operations.map(tagOf))];
  return {
    openapi: "3.1.0",
    info: {
      title: "Muster",
      version: API_VERSION,
      summary: "Workspace project management for people and software agents.",
      description: INTRODUCTION,
      license: LICENSE,
      contact: { name: "Muster", url: baseUrl },
    },
    externalDocs: { description: "Introduction for software agents.", url: `${baseUrl}/llms.txt` },
    servers: [{ url: baseUrl, description: "This service." }],
    tags: tags.map((name) => ({ name, description: TAGS[name] })),
    "x-tagGroups": chapters(tags),
    security: [{ bearer: [] }, { apiKey: [] }, { oauth2: [] }],
    paths: pathsOf(operations, (operation) => describeOperation(operation, schemas.of(operation))),
    webhooks: describeWebhooks(WEBHOOK_EVENTS, schemas),
    components: componentsOf(
      {
        ...components,
        ...bulkRows(operations, schemas),
        EventSubscription: openEnum(EventSubscription!, SUBSCRIPTIONS),
      },
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
