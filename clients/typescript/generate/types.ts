import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { type Document, type Json, operationsOf, ownQueryOf, type Schema, successOf } from "./document.ts";
import { typeName } from "./names.ts";

/** The types of everything that is sent and received, each under a name of its own. */
export async function typesOf(document: Document): Promise<string> {
  const { openapi, info, components } = document;
  const schemas = {
    ...components.schemas,
    ...unnamedSchemas(document),
    WebhookData: webhookData(document),
    ProblemCode: problemCodes(document),
  };
  const reduced = withoutExamples({ openapi, info, paths: {}, components: { schemas } });
  const nodes = await openapiTS(reduced as OpenAPI3, {
    alphabetize: true,
    // A field with a default may be left out.
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return astToString(nodes);
}

/** Queries, bodies and replies that are described where they are used. */
function unnamedSchemas(document: Document): Record<string, Schema> {
  const schemas: Record<string, Schema> = {};
  for (const operation of operationsOf(document)) {
    const query = ownQueryOf(document, operation);
    if (query.length > 0) schemas[typeName(operation, "Query")] = queryObject(query);
    const body = operation.requestBody?.content["application/json"]?.schema;
    if (body && !body.$ref) schemas[typeName(operation, "Body")] = body;
    const data = successOf(operation)["application/json"]?.schema.properties?.data;
    if (data?.items && !data.items.$ref) schemas[typeName(operation, "Row")] = data.items;
    if (data && !data.$ref && !data.items) schemas[typeName(operation, "Result")] = data;
  }
  return schemas;
}

const queryObject = (query: ReturnType<typeof ownQueryOf>): Schema => ({
  type: "object",
  properties: Object.fromEntries(query.map(({ name, schema, description }) => [name, { ...schema, description }])),
  required: query.filter(({ required }) => required).map(({ name }) => name),
});

/** An object with the `data` of each event under the event's name. */
function webhookData({ webhooks }: Document): Schema {
  const data = Object.entries(webhooks).map(([name, { post }]) => {
    const { allOf } = post.requestBody!.content["application/json"]!.schema as Schema & { allOf: Schema[] };
    return [name, allOf.find(({ properties }) => properties?.data)!.properties!.data!];
  });
  return { type: "object", properties: Object.fromEntries(data), required: Object.keys(webhooks) };
}

/** The codes that are known today. The field itself takes any, because new ones are added. */
function problemCodes({ components }: Document): Schema {
  const { examples } = components.schemas.Problem!.properties!.code!;
  return { type: "string", enum: examples };
}

/** Examples would double the size, and callers do not see them. */
function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value as Json);
  return Object.fromEntries(
    // `examples` is a list. A field of that name has a schema instead.
    entries
      .filter(([name, inner]) => !(name === "examples" && Array.isArray(inner)))
      .map(([name, inner]) => [name, withoutExamples(inner)]),
  );
}
