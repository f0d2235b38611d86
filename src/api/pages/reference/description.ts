import { own } from "../../../domain/kernel/own.ts";
import { writtenDescription } from "../../openapi/written.ts";

/** The API description as the reference pages read it. */

export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

export type Media = { schema: Schema; example?: unknown };

export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};

type Ref = { $ref: string; description?: string };

export type Described = {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  deprecated?: boolean;
  parameters?: (Parameter | Ref)[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> } | Ref>;
};

export type Call = Described & { method: string; path: string };

export type Description = {
  baseUrl: string;
  tags: { name: string; description: string }[];
  "x-tagGroups": { name: string; tags: string[] }[];
  webhooks: Record<string, { post: Described }>;
  components: Record<string, Record<string, unknown>>;
  /** All operations, by operation id. */
  calls: ReadonlyMap<string, Call>;
};

/** Reads the description once for all pages. `baseUrl` has no trailing slash. */
export function describedApi(baseUrl: string): () => Promise<Description> {
  let read: Promise<Description> | undefined;
  return () => {
    read ??= readDescription(baseUrl).catch((error) => {
      // The next request tries again.
      read = undefined;
      throw error;
    });
    return read;
  };
}

async function readDescription(baseUrl: string): Promise<Description> {
  const { paths, ...rest } = JSON.parse(await writtenDescription(baseUrl)) as Omit<Description, "calls" | "baseUrl"> & {
    paths: Record<string, Record<string, Described>>;
  };
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ ...described, path, method: method.toUpperCase() })),
  );
  return { ...rest, baseUrl, calls: new Map(calls.map((call) => [call.operationId, call])) };
}

/** A part that may be a reference to a component; its own description wins. */
export function resolved<Part extends object>({ components }: Description, part: Part | Ref): Part {
  if (!("$ref" in part) || typeof part.$ref !== "string") return part as Part;
  const [kind, name] = part.$ref.split("/").slice(2) as [string, string];
  const { $ref: _, ...others } = part;
  return { ...(own(own(components, kind)!, name) as Part), ...others };
}

/** The last part of a reference: the name of a schema. */
export const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split("/").at(-1);

export const parametersOf = (api: Description, { parameters = [] }: Described): Parameter[] =>
  parameters.map((one) => resolved<Parameter>(api, one));

/** The reply of a call that succeeds, by media type. */
export function successOf(api: Description, { responses }: Described): Record<string, Media> {
  const [, reply] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  return (reply && resolved<{ content?: Record<string, Media> }>(api, reply).content) ?? {};
}
