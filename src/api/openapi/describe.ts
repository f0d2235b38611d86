import { hasEtag, takesIfMatch } from "../engine/etag.ts";
import { isClosedToLimitedKeys, type Operation } from "../engine/operation.ts";
import { operationIdOf } from "./operation-id.ts";
import { problemsOf, successHeaders } from "./problems.ts";
import { type Json, type OperationSchemas, referTo } from "./schemas.ts";

/** One operation as OpenAPI describes it. */
export function describeOperation(operation: Operation, schemas: OperationSchemas): Json {
  const { summary, scope } = operation;
  return {
    operationId: operationIdOf(operation),
    tags: [tagOf(operation)],
    summary,
    description: needsOf(operation),
    ...(scope ? { "x-required-scope": scope } : {}),
    security: ["bearer", "apiKey", "oauth2"].map((scheme) => ({ [scheme]: scope ? [scope] : [] })),
    parameters: parametersOf(operation, schemas.query),
    ...(schemas.body ? { requestBody: bodyOf(operation, schemas.body) } : {}),
    responses: { ...successOf(operation, schemas.returns), ...problemsOf(operation) },
  };
}

/** Operations are grouped by the resource that their ids begin with. */
export const tagOf = ({ id }: Operation): string =>
  id.startsWith("buyCredits") ? "credits" : id.slice(0, id.indexOf("."));

const WRITERS = {
  editors: "Role: member or above.",
  guests: "Role: member or above, or a guest of the project.",
  viewers: "Role: any that sees the project.",
};

function needsOf(operation: Operation): string {
  const { scope, tier, writes, writers, gate, shape, secret, pays } = operation;
  const role =
    tier === "admin tier" || tier === "role owner or admin"
      ? "Role: owner or admin."
      : tier === "project admin or admin tier"
        ? "Role: project admin, or owner or admin of the workspace."
        : writes && scope
          ? WRITERS[writers ?? "editors"]
          : "";
  return [
    scope ? `Scope: \`${scope}\`.` : "Any valid credential; no scope is needed.",
    role,
    isClosedToLimitedKeys(operation) ? "Not with a key limited to projects (403 `key_project_limit`)." : "",
    gate ? "Not on every plan (403 `plan_required`)." : "",
    shape === "bulk"
      ? "Items stand alone: 201 when all succeeded, else 207; one that fails leaves the others stored."
      : "",
    secret ? "The reply shows a secret that is shown only once." : "",
    pays ? "Without a Payment credential the answer is 402 with a challenge; see /llms.txt." : "",
  ]
    .filter(Boolean)
    .join(" ");
}

const PATH_PARAMETERS: Record<string, string> = {
  slug: "WorkspaceSlug",
  key: "ProjectKey",
  issueKey: "IssueKey",
};

function parametersOf(operation: Operation, query: Json): Json[] {
  const { path, shape, writes, words } = operation;
  const shared = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
      PATH_PARAMETERS[name!] ? shared(PATH_PARAMETERS[name!]!) : pathParameter(name!, words?.[name!]),
    ),
    ...queryParameters(query),
    ...(shape === "list" ? [shared("Cursor"), shared("Limit")] : []),
    ...(writes ? [shared("IdempotencyKey")] : [shared("Fields")]),
    ...(takesIfMatch(operation) ? [shared("IfMatch")] : []),
    ...(!writes && hasEtag(operation) ? [shared("IfNoneMatch")] : []),
    shared("Prefer"),
  ];
}

const pathParameter = (name: string, words?: readonly string[]): Json => ({
  name,
  in: "path",
  required: true,
  schema: { type: "string", ...(words ? { enum: words } : {}) },
});

function queryParameters({ properties = {}, required = [] }: Json): Json[] {
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(description ? { description } : {}),
    required: (required as string[]).includes(name),
    schema,
  }));
}

function bodyOf({ body }: Operation, schema: Json): Json {
  // A call whose fields are all optional may come without a body.
  return { required: !body!.safeParse({}).success, content: { "application/json": { schema } } };
}

function successOf(operation: Operation, view: Json): Json {
  const { shape, status } = operation;
  const reply = (description: string, schema: Json) => ({
    description,
    headers: successHeaders(operation),
    content: { "application/json": { schema } },
  });
  if (shape === "list" || shape === "all") {
    const rows = envelope({ data: arrayOf(view), pagination: PAGINATION });
    return { 200: reply(shape === "list" ? "One page." : "All of them; `next_cursor` is null.", rows) };
  }
  if (operation.pays) {
    return {
      200: reply("Paid.", envelope({ data: view })),
      202: reply("The processor is still at it; the credits come when it has succeeded.", envelope({ data: view })),
    };
  }
  if (shape === "one") {
    const one = reply(STATUS_TEXT[status] ?? "Done.", envelope({ data: view }));
    return {
      [status]: operation.streams
        ? { ...one, content: { [operation.streams]: { schema: { type: "string" } } } }
        : operation.downloads
          ? withDownloads(one, operation.downloads)
          : one,
      ...(!operation.writes && hasEtag(operation)
        ? { 304: { description: "You have it already.", headers: { ETag: { $ref: "#/components/headers/ETag" } } } }
        : {}),
    };
  }

  const rows = envelope({ data: arrayOf({ oneOf: [goodRow(view), referTo("BulkFailure")] }), pagination: PAGINATION });
  return { 201: reply("All items succeeded.", rows), 207: reply("Some or all items failed.", rows) };
}

const withDownloads = ({ headers, content, ...reply }: Json, types: readonly string[]): Json => ({
  ...reply,
  headers: { ...(headers as Json), "Content-Disposition": { $ref: "#/components/headers/Content-Disposition" } },
  content: {
    ...(content as Json),
    ...Object.fromEntries(types.map((type) => [type.split(";")[0], { schema: { type: "string" } }])),
  },
});

const STATUS_TEXT: Record<number, string> = { 200: "Done.", 201: "Created.", 202: "Accepted." };
const PAGINATION = referTo("Pagination");
const arrayOf = (items: Json): Json => ({ type: "array", items });

const envelope = (members: Json): Json => ({
  type: "object",
  required: Object.keys(members),
  properties: { ...members, warnings: arrayOf(referTo("Warning")) },
});

const goodRow = (view: Json): Json => ({
  type: "object",
  required: ["index", "ok", "status", "data"],
  properties: { index: { type: "integer" }, ok: { const: true }, status: { const: 201 }, data: view },
});
