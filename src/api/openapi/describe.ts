import { deprecationText } from "../engine/deprecation.ts";
import { hasEtag, takesIfMatch } from "../engine/etag.ts";
import { isClosedToLimitedKeys, type Operation } from "../engine/operation.ts";
import { operationIdOf, singular } from "./operation-id.ts";
import { problemsOf } from "./problems.ts";
import { repliesOf } from "./replies.ts";
import type { Json, OperationSchemas } from "./schemas.ts";

/** The OpenAPI description of one operation. */
export function describeOperation(operation: Operation, schemas: OperationSchemas): Json {
  const { summary, about, deprecated, scope } = operation;
  return {
    operationId: operationIdOf(operation),
    tags: [tagOf(operation)],
    summary,
    description: [deprecated && deprecationText(deprecated), about, needsOf(operation)].filter(Boolean).join("\n\n"),
    ...(deprecated ? { deprecated: true } : {}),
    ...(scope ? { "x-required-scope": scope } : {}),
    security: ["bearer", "apiKey", "oauth2"].map((scheme) => ({ [scheme]: scope ? [scope] : [] })),
    parameters: parametersOf(operation, schemas.query),
    ...(schemas.body ? { requestBody: bodyOf(operation, schemas.body) } : {}),
    responses: { ...repliesOf(operation, schemas), ...problemsOf(operation) },
  };
}

/** Operations are grouped by the first part of their ids, which is the resource. */
export const tagOf = ({ id }: Operation): string =>
  id.startsWith("buyCredits") ? "credits" : id.slice(0, id.indexOf("."));

const WRITERS = {
  editors: "Role: member or above.",
  guests: "Role: member or above, or a guest of the project.",
  viewers: "Role: any.",
};

function needsOf(operation: Operation): string {
  const { scope, tier, writes, writers, gate, shape, secret, pays } = operation;
  const role =
    tier === "admin tier" || tier === "role owner or admin"
      ? "Role: owner or admin."
      : tier === "project admin or admin tier"
        ? "Role: project admin, or owner or admin of the workspace."
        : tier === "starter or admin tier"
          ? "Role: owner or admin; in some cases the one who started the run."
          : writes && scope
            ? WRITERS[writers ?? "editors"]
            : "";
  return [
    scope ? `Scope: \`${scope}\`.` : "Any valid credential; no scope is needed.",
    role,
    isClosedToLimitedKeys(operation) ? "Not with a key limited to projects (403 `key_project_limit`)." : "",
    gate ? "Not on every plan (403 `plan_required`)." : "",
    shape === "bulk"
      ? "Items are independent: 201 if all succeed, otherwise 207. If an item fails, the others are still stored."
      : "",
    secret ? "The reply shows a secret that is shown only once." : "",
    pays ? "Without a Payment credential the reply is 402 with a challenge; see /llms.txt." : "",
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
  const { path, shape, writes, streams } = operation;
  const shared = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
      PATH_PARAMETERS[name!] ? shared(PATH_PARAMETERS[name!]!) : pathParameter(operation, name!),
    ),
    ...queryParameters(query),
    ...(shape === "list" ? [shared("Cursor"), shared("Limit")] : []),
    ...(writes ? [shared("IdempotencyKey")] : streams ? [] : [shared("Fields")]),
    ...(streams?.resumes ? [shared("LastEventId")] : []),
    ...(takesIfMatch(operation) ? [shared("IfMatch")] : []),
    ...(!writes && hasEtag(operation) ? [shared("IfNoneMatch")] : []),
    shared("Prefer"),
  ];
}

const pathParameter = (operation: Operation, name: string): Json => {
  const words = operation.words?.[name];
  return {
    name,
    in: "path",
    required: true,
    description: OWN_PARAMETERS[name] ?? `Id of the ${nounBefore(operation.path, name)}.`,
    schema: { type: "string", ...(words ? { enum: words } : {}) },
  };
};

/** Parameters that are not just the id of the resource before them in the path. */
const OWN_PARAMETERS: Record<string, string> = {
  userId: "User id or e-mail address of a person or agent; `me` for yourself.",
  projectId: "Id, key or slug of the project.",
  report: "Name of the report.",
  emoji: "The emoji or short text, URL-encoded.",
};

/** `…/docs/{id}/comments/{commentId}`: the noun for `id` is `doc`, the one for `commentId` is `comment`. */
function nounBefore(path: string, name: string): string {
  const parts = path.split("/");
  const collection = parts[parts.indexOf(`{${name}}`) - 1]!;
  return singular(collection).replace("api-", "API ").replaceAll("-", " ");
}

function queryParameters({ properties = {}, required = [] }: Json): Json[] {
  return Object.entries(properties as Record<string, Json>).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: "query",
    ...(description ? { description } : {}),
    required: (required as string[]).includes(name),
    ...(schema.type === "object" ? { style: "deepObject", explode: true } : {}),
    schema,
    ...(examples ? { example: (examples as unknown[])[0] } : {}),
  }));
}

function bodyOf({ body, example = {} }: Operation, schema: Json): Json {
  // The body may be missing if all its fields are optional.
  return { required: !body!.safeParse({}).success, content: { "application/json": { schema, example } } };
}
