import type { Operation } from "../../src/api/engine/operation.ts";
import { codesOf } from "../../src/api/openapi/codes.ts";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import type { Json } from "../../src/api/openapi/schemas.ts";
import { operations } from "../../src/api/operations/index.ts";
import type { Reply } from "../support/client.ts";

/** Whether traffic conforms to openapi.json. */

const document = openApiDocument(operations, "https://muster.test");

/** Parts of a reply that the document does not describe. Empty if it conforms. */
export function undocumented(operation: Operation, { status, headers, body }: Reply): string[] {
  const described = describedCall(operation);
  const response = resolve((described.responses as Json)[status] as Json | undefined);
  if (!response) return [`${operation.id} does not document ${status}`];

  const [type, media] = Object.entries(response.content as Record<string, Json>)[0] as [string, Json];
  const sent = headers.get("content-type")?.split(";")[0];
  const wrongType = sent === type ? [] : [`content-type: ${sent} instead of ${type}`];
  const { code } = (body ?? {}) as { code?: string };
  const isKnown = status < 400 || codesOf(operation, status).includes(String(code));
  const missing = Object.keys(response.headers as Json).filter((name) => ALWAYS.includes(name) && !headers.has(name));
  return [
    ...wrongType,
    ...(isKnown ? [] : [`${operation.id} does not document the code ${code}`]),
    ...missing.map((name) => `header ${name} is missing`),
    // Tests of its own show what a stream of events contains.
    ...(type === "text/event-stream" ? [] : violations(media.schema as Json, body, "reply")),
  ];
}

/** Parts of a webhook's message that the document does not describe. Empty if it conforms. */
export function undocumentedMessage(message: { type: string }): string[] {
  const described = (document.webhooks as Record<string, { post: Json }>)[message.type]?.post;
  if (!described) return [`${message.type} is not documented`];
  const { content } = described.requestBody as { content: Record<string, Json> };
  return violations(content["application/json"]?.schema as Json, message, message.type);
}

/** Parts of an event of a stream that the document does not describe. Empty if it conforms. */
export function undocumentedFrame(path: string, frame: { event: string }): string[] {
  const { responses } = (document.paths as Record<string, { get: Json }>)[path]!.get as { responses: Json };
  const { content } = resolve(responses[200] as Json) as { content: Record<string, Json> };
  const { anyOf } = resolve(content["text/event-stream"]!.schema as Json) as { anyOf: Json[] };
  const described = anyOf.find(({ properties }) => (properties as Record<string, Json>).event!.const === frame.event);
  return described ? violations(described, frame, frame.event) : [`${frame.event} is not documented`];
}

const ALWAYS = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit"];

/** Parts of a body that the document does not allow. */
export function notAllowed(operation: Operation, body: unknown): string[] {
  const { requestBody } = describedCall(operation) as {
    requestBody?: { required?: boolean; content: Record<string, Json> };
  };
  if (body === undefined && !requestBody?.required) return [];
  if (!requestBody) return ["the document shows no body"];
  return violations(requestBody.content["application/json"]?.schema as Json, body, "body");
}

const describedCall = ({ path, method }: Operation): Json =>
  (document.paths as Record<string, Record<string, Json>>)[path]?.[method.toLowerCase()] as Json;

function resolve(value: Json | undefined): Json | undefined {
  if (typeof value?.$ref !== "string") return value;
  const steps = value.$ref.slice(2).split("/");
  return resolve(steps.reduce<unknown>((at, step) => (at as Json)[step], document) as Json);
}

/**
 * Parts of a value that a schema of the document does not allow. Unlike the standard, it rejects fields that are not
 * listed.
 */
export function violations(schema: Json, value: unknown, path: string): string[] {
  const own = joined(resolve(schema) as Json);
  const branches = (own.anyOf ?? own.oneOf) as Json[] | undefined;
  if (branches) {
    const found = branches.map((branch) => violations(branch, value, path));
    return found.find((errors) => errors.length === 0) ?? found.flat();
  }
  if ("const" in own && value !== own.const) return [`${path} is not ${own.const}`];
  if (own.enum && !(own.enum as unknown[]).includes(value)) return [`${path} is not one of ${own.enum}`];
  if (own.type && ![own.type].flat().some((type) => isOfType(String(type), value))) {
    return [`${path} is not ${own.type}: ${JSON.stringify(value)?.slice(0, 50)}`];
  }
  if (typeof value === "string" && own.format) {
    return FORMATS[own.format as string]?.test(value) ? [] : [`${path} is no ${own.format}: ${value}`];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => violations((own.items ?? {}) as Json, item, `${path}/${index}`));
  }
  return isObject(value) ? violationsIn(own, value, path) : [];
}

/** `allOf` of objects as one object. */
function joined({ allOf, ...own }: Json): Json {
  const parts = ((allOf ?? []) as Json[]).map((part) => joined(resolve(part) as Json));
  if (parts.length === 0) return own;
  return {
    type: "object",
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

function violationsIn(schema: Json, value: Json, path: string): string[] {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const others = (schema.additionalProperties || (schema.properties ? undefined : {})) as Json | undefined;
  const missing = ((schema.required ?? []) as string[]).filter((name) => !(name in value));
  return [
    ...missing.map((name) => `${path}/${name} is missing`),
    ...Object.entries(value).flatMap(([name, content]) => {
      const described = properties[name] ?? others ?? (path.includes("/details") ? {} : undefined);
      return described ? violations(described, content, `${path}/${name}`) : [`${path}/${name} is not documented`];
    }),
  ];
}

const FORMATS: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  uri: /^https?:/,
  email: /@/,
};

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isOfType(type: string, value: unknown): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}
