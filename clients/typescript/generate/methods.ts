import { type Document, nameOf, type Operation, ownQueryOf, successOf } from "./document.ts";
import { groupName, methodName, typeName } from "./names.ts";

/** A class for each group of operations, with a method for each operation, and the class that holds the groups. */
export function methodsOf(document: Document): string {
  const groups = document.tags.map(({ name, description }) => ({
    property: groupName(name),
    comment: description,
    methods: placesOf(document, name).flatMap((place) => methodsFor(document, place)),
  }));
  const classes = groups.map(
    ({ property, comment, methods }) =>
      `${commented("", comment)}export class ${className(property)} extends Group {\n${methods.join("\n\n")}\n}\n`,
  );
  const fields = groups.map(
    ({ property, comment }) => `${commented("  ", comment)}  readonly ${property}: ${className(property)};`,
  );
  const made = groups.map(({ property }) => `    this.${property} = new ${className(property)}(connection);`);
  const all = `/** All operations, in groups. */
export class Operations {
${fields.join("\n")}

  constructor(connection: Connection) {
${made.join("\n")}
  }
}
`;
  return `${imports(classes.join("\n"))}\n${classes.join("\n")}\n${all}`;
}

function imports(source: string): string {
  const names = (candidates: RegExp) => [...new Set([...source.matchAll(candidates)].map(([, name]) => name))].sort();
  const schemas = names(/\b(?:body\??|query\??): (\w+)/g).concat(names(/(?:Call|List)<(\w+)/g));
  return `import type { Call } from "../call.ts";
import type { Connection } from "../connection.ts";
import type { EventStream, StreamOptions } from "../event-stream.ts";
import { type AgentEvent, type ChannelEvent, readAgentEvent, readChannelEvent } from "../events.ts";
import { Group } from "../group.ts";
import type { List } from "../list.ts";
import type { CallOptions } from "../options.ts";
import type { ${[...new Set(schemas)]
    .filter((name) => name !== "Blob" && name !== "Omit")
    .sort()
    .join(", ")} } from "./schema.ts";
`;
}

type Place = { path: string; method: string; operation: Operation };

const placesOf = ({ paths }: Document, tag: string): Place[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags[0] === tag)
      .map(([method, operation]) => ({ path, method, operation })),
  );

function methodsFor(document: Document, place: Place): string[] {
  const others = Object.keys(successOf(place.operation)).filter((type) => type !== "application/json");
  if (others.includes("text/event-stream")) return [streamMethod(place)];
  return [plainMethod(document, place), ...(others.length > 0 ? [blobMethod(document, place, others)] : [])];
}

function plainMethod(document: Document, place: Place): string {
  const { path, method, operation } = place;
  const names = pathNames(place);
  const query = ownQueryOf(document, operation);
  const body = operation.requestBody;
  const bodyType = nameOf(body?.content["application/json"]?.schema) ?? typeName(operation, "Body");
  const isList = query.some(({ name }) => name === "cursor");
  const parameters = [
    ...names.map((name) => `${name}: string`),
    ...(body ? [`body${body.required ? "" : "?"}: ${bodyType}`] : []),
    ...(query.length > 0
      ? [`query${query.some(({ required }) => required) ? "" : "?"}: ${typeName(operation, "Query")}`]
      : []),
    "options?: CallOptions",
  ];
  const inputs = [body ? "body" : "", query.length > 0 ? "query" : ""].filter(Boolean).join(", ");
  const call = isList
    ? `list("${path}", [${names.join(", ")}], query, options)`
    : `call("${method.toUpperCase()}", "${path}", [${names.join(", ")}], {${inputs ? ` ${inputs} ` : ""}}, options)`;
  const result = isList ? `List<${rowType(operation)}>` : `Call<${resultType(operation)}>`;
  return written(operation, `${methodName(operation)}(${parameters.join(", ")}): ${result}`, call);
}

/** The same in another format, such as a doc as PDF. A file has no pages, and its type is the format. */
function blobMethod(document: Document, place: Place, types: string[]): string {
  const { path, operation } = place;
  const names = pathNames(place);
  const left = ownQueryOf(document, operation).map(({ name }) => name);
  const without = left.filter((name) => ["cursor", "limit", "format"].includes(name));
  const query = typeName(operation, "Query");
  const queryType = without.length > 0 ? `Omit<${query}, ${without.map((name) => `"${name}"`).join(" | ")}>` : query;
  const parameters = [
    ...names.map((name) => `${name}: string`),
    `as: ${types.map((type) => `"${type}"`).join(" | ")}`,
    ...(left.length > without.length ? [`query?: ${queryType}`] : []),
    "options?: CallOptions",
  ];
  const given = left.length > without.length ? "{ query }" : "{}";
  return written(
    operation,
    `${methodName(operation)}As(${parameters.join(", ")}): Call<Blob>`,
    `blob("${path}", [${names.join(", ")}], as, ${given}, options)`,
  );
}

function streamMethod(place: Place): string {
  const names = pathNames(place);
  const event = place.operation.tags[0] === "agent-events" ? "AgentEvent" : "ChannelEvent";
  return written(
    place.operation,
    `listen(${[...names.map((name) => `${name}: string`), "options?: StreamOptions"].join(", ")}): EventStream<${event}>`,
    `stream("${place.path}", [${names.join(", ")}], read${event}, options)`,
  );
}

/** The parameters of the path, but for the workspace. */
const pathNames = ({ path }: Place): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter((name) => name !== "slug");

const dataOf = (operation: Operation) => successOf(operation)["application/json"]?.schema.properties?.data;

const rowType = (operation: Operation): string => nameOf(dataOf(operation)?.items) ?? typeName(operation, "Row");

function resultType(operation: Operation): string {
  const data = dataOf(operation);
  return data?.items ? `${rowType(operation)}[]` : (nameOf(data) ?? typeName(operation, "Result"));
}

const className = (group: string): string => `${group[0]!.toUpperCase()}${group.slice(1)}Operations`;

function written({ summary, description, operationId, deprecated }: Operation, head: string, call: string): string {
  const lines = [`${summary}.`, description, `Operation \`${operationId}\`.`, deprecated && "@deprecated"];
  return `${commented("  ", lines.filter(Boolean).join("\n"))}  ${head} {\n    return this.connection.${call};\n  }`;
}

function commented(indent: string, text: string): string {
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`, ""].join("\n");
}
