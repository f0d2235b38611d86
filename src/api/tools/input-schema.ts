import { own } from "../../domain/kernel/own.ts";
import type { Operation } from "../engine/operation.ts";
import { describeOperation } from "../openapi/describe.ts";
import type { Json, Schemas } from "../openapi/schemas.ts";
import { pathArguments } from "./arguments.ts";

/** The JSON Schema of a tool's arguments, from the schemas of its operation. */

type Properties = Record<string, Json>;

const IDEMPOTENCY_KEY: Json = {
  type: "string",
  description: "A new text for each change. A retry with the same text changes nothing twice.",
};
const PAGING: Properties = {
  cursor: { type: "string", description: "`next_cursor` of the page before." },
  limit: { type: "integer", description: "Rows of a page. Default: 20." },
};

const READING: Properties = {
  fields: { type: "string", description: "Comma-separated names, for other fields than usual." },
  more: { type: "string", description: "`more` of a cut answer, to read on." },
};

const PATH: Properties = {
  project: { type: "string", description: "Key of the project, such as `WEB`." },
  issue: { type: "string", description: "Key of the issue, such as `WEB-12`." },
};

/**
 * @param offers the fields of the body and the parameters of the query that the schema shows. The tool accepts the
 * others of its operation, too.
 * @param brief those of them whose parts another tool's schema shows
 */
export function inputSchemaOf(
  operation: Operation,
  { components, of }: Schemas,
  { offers, brief }: { offers: readonly string[]; brief: readonly string[] },
): Json {
  const schemas = of(operation);
  const { body = {}, query } = schemas;
  const resolved = (schema: Json): Json => {
    const name = (schema.$ref as string | undefined)?.split("/").at(-1);
    return name === undefined ? schema : components[name]!;
  };
  const bodySchema = resolved(body);
  const path = pathArguments(operation).map(({ argument }) => argument);
  const all = { ...propertiesOf(query), ...propertiesOf(bodySchema) };
  const chosen = Object.fromEntries(
    offers.map((name) => [
      name,
      short(brief.includes(name) ? { ...all[name]!, items: { type: "object" } } : all[name]!, resolved),
    ]),
  );
  const required = [...path, ...requiredOf(bodySchema), ...requiredOf(query)];
  const parameters = describeOperation(operation, schemas).parameters as Json[];
  const described = (name: string): Json => {
    const description = parameters.find((one) => one.in === "path" && one.name === name)?.description;
    return { type: "string", ...(description ? { description } : {}) };
  };
  // The project follows from the key of an issue.
  const needed = path.includes("issue") ? required.filter((name) => name !== "project") : required;
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(
        path.filter((name) => needed.includes(name)).map((name) => [name, own(PATH, name) ?? described(name)]),
      ),
      ...chosen,
      ...(operation.shape === "list" ? PAGING : {}),
      ...(operation.writes ? { idempotency_key: IDEMPOTENCY_KEY } : READING),
    },
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}

const propertiesOf = ({ properties = {} }: Json) => properties as Properties;
const requiredOf = ({ required = [] }: Json) => required as string[];

/** Clients send the list of tools to a model again and again, so it has only what a model needs. */
function short(schema: Json, resolved: (schema: Json) => Json): Json {
  const { type, description, enum: words, items, properties, required, anyOf } = resolved(schema);
  const inner = (one: unknown) => short(one as Json, resolved);
  const branches = (anyOf as Json[] | undefined)?.map(inner) ?? [];
  // The branches differ only in format, such as a day and an instant.
  const isPlain = branches.every((one) => Object.keys(one).join() === "type");
  const types = [...new Set(isPlain ? branches.map((one) => one.type) : [])];
  return {
    ...(type ? { type } : types.length > 0 ? { type: types.length === 1 ? types[0] : types } : {}),
    ...(words ? { enum: words } : {}),
    ...(description ? { description } : {}),
    ...(items ? { items: inner(items) } : {}),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])) }
      : {}),
    ...(required ? { required } : {}),
    ...(isPlain ? {} : { anyOf: branches }),
  };
}
