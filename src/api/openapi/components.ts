import { SCOPES } from "../../domain/access/identity/scopes.ts";
import { describeScope } from "../../domain/access/oauth/scopes.ts";
import { OAUTH_PATHS } from "../oauth/paths.ts";
import { headerComponents, problemResponses, problemSchemas } from "./problems.ts";
import { type Json, referTo } from "./schemas.ts";

/** Components that all operations share. */

const parameters: Json = {
  WorkspaceSlug: {
    name: "slug",
    in: "path",
    required: true,
    description: "Slug of the workspace that the key belongs to.",
    schema: { type: "string" },
    example: "acme",
  },
  ProjectKey: {
    name: "key",
    in: "path",
    required: true,
    description: "Key, slug or id of a project.",
    schema: { type: "string" },
    example: "WEB",
  },
  IssueKey: {
    name: "issueKey",
    in: "path",
    required: true,
    description: "Key or id of an issue.",
    schema: { type: "string" },
    example: "WEB-1",
  },
  Cursor: {
    name: "cursor",
    in: "query",
    description: "`next_cursor` of the previous page. It is valid only with the same filters.",
    schema: { type: "string" },
  },
  Limit: {
    name: "limit",
    in: "query",
    description:
      "Maximum number of rows per page. Values above 100 count as 100. A page of long texts may have fewer rows.",
    schema: { type: "integer", minimum: 1, default: 50 },
  },
  Fields: {
    name: "fields",
    in: "query",
    description: "Comma-separated list of top-level fields of `data` to return.",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: "Makes a retry safe: the same key, path and body within 24 hours get the first reply again.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "`ETag` of the object as you last read it. If the object has changed since, the call fails with 412.",
    schema: { type: "string" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "`ETag` of a reply that you have stored. If it is still current, the reply is 304 without a body.",
    schema: { type: "string" },
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "Id of the last event that you have received. All later ones of the last 24 hours are sent.",
    schema: { type: "string" },
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    description: "`handling=lenient` ignores unknown fields and parameters with a warning (RFC 7240).",
    schema: { type: "string" },
  },
};

const schemas: Record<string, Json> = {
  Pagination: {
    type: "object",
    required: ["next_cursor"],
    properties: { next_cursor: { type: ["string", "null"], description: "null on the last page." } },
  },
  Warning: {
    type: "object",
    required: ["code", "message"],
    properties: {
      code: {
        type: "string",
        description: "What the warning is about, for programs. Codes stay the same; messages may change.",
      },
      message: { type: "string", description: "Explanation of what was ignored or should be checked, for people." },
      path: { type: "string", description: "JSON pointer to the field or the item in the request's body." },
      index: { type: "integer", description: "In bulk calls: position of the item in the body, from 0." },
    },
  },
  BulkFailure: {
    type: "object",
    required: ["index", "ok", "status", "error"],
    properties: {
      index: { type: "integer", description: "Position of the item in the body, from 0." },
      ok: { const: false, description: "The item failed. No part of it was stored." },
      status: { type: "integer", description: "HTTP status that a separate call for the item would have returned." },
      error: { ...referTo("ProblemError"), description: "Why the item failed." },
    },
  },
  ...problemSchemas,
};

/** `components`, with the named schemas and further parameters. @throws Error if a name is used twice */
export function componentsOf(named: Record<string, Json>, more: Record<string, Json>, baseUrl: string): Json {
  const taken = Object.keys(named).find((name) => name in schemas);
  if (taken) throw new Error(`The schema name ${taken} is the document's own.`);
  return {
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <key>` (RFC 6750)." },
      apiKey: { type: "apiKey", in: "header", name: "X-Api-Key", description: "The same key in a separate header." },
      oauth2: {
        type: "oauth2",
        description: "Access token of a program that a person has approved; see `/auth.md`.",
        flows: {
          authorizationCode: {
            authorizationUrl: baseUrl + OAUTH_PATHS.authorize,
            tokenUrl: baseUrl + OAUTH_PATHS.token,
            refreshUrl: baseUrl + OAUTH_PATHS.token,
            scopes: Object.fromEntries(SCOPES.map((scope) => [scope, describeScope(scope)])),
          },
        },
      },
    },
    parameters: { ...parameters, ...more },
    headers: headerComponents,
    responses: problemResponses(),
    schemas: { ...named, ...schemas },
  };
}
