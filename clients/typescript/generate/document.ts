/** The parts of the API description (OpenAPI 3.1) that the client is made from. */

export type Json = Record<string, unknown>;

export type Schema = Json & { $ref?: string; properties?: Record<string, Schema>; items?: Schema };

export type Content = Record<string, { schema: Schema }>;

export type Parameter = { name: string; in: string; schema: Schema; required?: boolean; description?: string };

export type Operation = {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  deprecated?: boolean;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
};

export type Document = Json & {
  openapi: string;
  info: Json;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};

export const operationsOf = ({ paths }: Document): Operation[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

/** The parameters of an operation, those that are shared written out. */
function parametersOf({ components }: Document, { parameters = [] }: Operation): Parameter[] {
  return parameters.map((parameter) =>
    "$ref" in parameter ? components.parameters[parameter.$ref.split("/").pop()!]! : parameter,
  );
}

/** The query without `fields` and a `format` other than JSON, which would make the type of the reply wrong. */
export const ownQueryOf = (document: Document, operation: Operation): Parameter[] =>
  parametersOf(document, operation).filter(
    (parameter) => parameter.in === "query" && parameter.name !== "fields" && !choosesType(parameter),
  );

const choosesType = ({ name, schema }: Parameter): boolean =>
  name === "format" && ((schema.enum as unknown[] | undefined)?.includes("json") ?? false);

/** What an operation answers if it succeeds, by media type. */
export function successOf({ responses }: Operation): Content {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return Object.assign({}, ...successes.map(([, { content }]) => content ?? {}));
}

/** The name of a schema that is only referred to. */
export const nameOf = (schema: Schema | undefined): string | null => schema?.$ref?.split("/").pop() ?? null;
